"""Actions that move an agent, or the object in its hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, cos, dist, hypot, radians, sin

import numpy as np

from tatc.apps.thorserver import moved_objects, thor_agent
from tatc.apps.thorserver.thor_action import ActionFailure, ActionFunction, Arguments
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.home.actions import GRID_SIZE_METRES, Verb, cell_of
from tatc.home.body import TEACH
from tatc.home.metadata import write_vector
from tatc.home.state import AgentState, ObjectState, Vec3, subtract, translate, yaw_sin_cos
from tatc.sim.embedded import interaction_handlers as handlers, interactions
from tatc.sim.floorplan import navigable_cells

_ANGLE_DIGITS = 4  # yaws and horizons are rounded, so that 30.00002 is 30
MAX_HEIGHT_CHANGE_METRES = 0.05
"""How far above or below the floor an agent may be put, metres (AI2-THOR)."""
_MAX_TILT_DEGREES = 0.01
_HORIZON_TOLERANCE_DEGREES = 0.5  # recorded horizons are 60.00002
_GRID_TOLERANCE_METRES = 1e-3
CHECK_INTERVAL_METRES = 0.1  # between the points of a step at which the body must have room, metres


def move(bearing_degrees: float, world: ThorWorld, arguments: Arguments) -> None:
    """Move the agent at this angle, in full or not: on the grid, or anywhere if nothing snaps.

    A step that would end off the grid, where Initialize lets agents snap to it, is refused.
    """
    metres = arguments.number("moveMagnitude", world.settings.step_metres)
    yaw = world.agent_state.yaw + bearing_degrees
    passes_agents = arguments.flag("allowAgentsToIntersect")
    cells, snaps = cells_of_step(yaw, metres), world.settings.snap_to_grid
    if cells is not None and (snaps or not metres_off_grid(world.agent_state.position)):
        end = end_of_step(world, *cells, passes_agents=passes_agents)
    elif snaps:
        raise ActionFailure(
            f"a step of {metres} m at {yaw % 360.0:g} degrees does not end on the grid of "
            f"{GRID_SIZE_METRES} m: snapToGrid=False in Initialize allows it"
        )
    else:
        end = _slide(world, yaw, metres, passes_agents=passes_agents)
    if not isinstance(end, AgentState):
        raise ActionFailure(end)
    world.move_agent(end)


def cells_of_step(yaw: float, metres: float) -> tuple[int, int] | None:
    """Return by how many cells a step leads along x or z, None if not by whole ones along one."""
    angle = radians(yaw)
    x, z = sin(angle) * metres, cos(angle) * metres
    dx, dz = cell_of(x, z)
    is_whole = bool(dx) != bool(dz) and not metres_off_grid((x, 0.0, z))
    return (dx, dz) if is_whole else None


def metres_off_grid(position: Vec3) -> float:
    """Return how far a position is off the grid, along x or z; 0.0 for less than a millimetre."""
    x, _, z = position
    cell_x, cell_z = cell_of(x, z)
    off = max(abs(cell_x * GRID_SIZE_METRES - x), abs(cell_z * GRID_SIZE_METRES - z))
    return off if off > _GRID_TOLERANCE_METRES else 0.0


def end_of_step(
    world: ThorWorld, dx: int, dz: int, *, passes_agents: bool = False
) -> AgentState | str:
    """Return the agent after a step of so many cells, or the message of what blocks it."""
    body = world.agent_state
    heading = (0.0 if dz > 0 else 180.0) if dz else (90.0 if dx > 0 else 270.0)
    facing = replace(body, yaw=heading)
    for _ in range(abs(dx + dz)):
        moved = world.floor.move(facing, Verb.FORWARD, world.state.objects)
        if isinstance(moved, str):
            return moved.replace("Agent 0", f"Agent {world.active_agent}")
        other = world.agent_in_the_way(moved.position, facing.position)
        if other is not None and not passes_agents:
            return _blocked(world, f"Agent {other}", subtract(moved.position, facing.position))
        facing = moved
    return replace(facing, yaw=body.yaw)


def _slide(world: ThorWorld, yaw: float, metres: float, *, passes_agents: bool) -> AgentState | str:
    """Return the agent after a straight step, or the message of what its body would touch."""
    body, (sine, cosine) = world.agent_state, yaw_sin_cos(yaw)
    shift = (sine * metres, 0.0, cosine * metres)
    x, y, z = body.position
    end_x, end_z = x + shift[0], z + shift[2]
    if not world.contains(end_x, end_z):
        return _blocked(world, "StructureObject", shift)
    points = np.linspace((x, z), (end_x, end_z), ceil(abs(metres) / CHECK_INTERVAL_METRES) + 1)
    is_free, cells = has_room_at(world, points), [cell_of(*each) for each in points.tolist()]
    if not is_free[0]:  # in a door that was opened there, or where the boxes are wrong
        is_free = [cell in world.floor.free_cells for cell in cells]
    for (to_x, to_z), free in zip(points[1:].tolist(), is_free[1:], strict=True):
        if not free:
            return _blocked(world, world.floor.blocker_at(cell_of(to_x, to_z)), shift)
        other = world.agent_in_the_way((to_x, y, to_z), body.position)
        if other is not None and not passes_agents:
            return _blocked(world, f"Agent {other}", shift)
    return replace(body, position=(end_x, y, end_z))


def has_room_at(world: ThorWorld, points: navigable_cells.Floats) -> list[bool]:
    """Return where the body touches nothing, on the grid or off it: n points (x, z) -> n."""
    fits = navigable_cells.has_room_at(points, world.state.objects, world.agent_state.position)
    knows_more = bool(world.served_scene.room.cells)  # than the boxes
    return [
        bool(fit)
        and world.contains(x, z)
        and not (knows_more and cell_of(x, z) not in world.floor.free_cells)
        for (x, z), fit in zip(points.tolist(), fits, strict=True)
    ]


def _blocked(world: ThorWorld, blocker: str, shift: Vec3) -> str:
    by = f"({shift[0]:.4f}, 0.0000, {shift[2]:.4f})"
    return f"{blocker} is blocking Agent {world.active_agent} from moving by {by}"


def turn(sign: int, world: ThorWorld, arguments: Arguments) -> None:
    """Turn the agent, to the right for 1, to the left for -1."""
    body = world.agent_state
    yaw = body.yaw + sign * arguments.number("degrees", world.settings.turn_degrees)
    world.move_agent(replace(body, yaw=round(yaw, _ANGLE_DIGITS) % 360.0))


def look(sign: int, world: ThorWorld, arguments: Arguments) -> None:
    """Tilt the camera, downwards for 1, upwards for -1."""
    body = world.agent_state
    horizon = round(body.horizon + sign * arguments.number("degrees", 30.0), _ANGLE_DIGITS)
    if not TEACH.min_horizon <= horizon <= TEACH.max_horizon:
        low, high = (f"{abs(each):.0f}" for each in (TEACH.min_horizon, TEACH.max_horizon))
        below, above = f"down beyond {high} degrees below", f"up beyond {low} degrees above"
        raise ActionFailure(f"can't look {below if sign > 0 else above} the forward horizon")
    world.move_agent(replace(body, horizon=horizon))


def _rotate_to(world: ThorWorld, arguments: Arguments) -> None:
    body = world.agent_state
    yaw = arguments.rotation("rotation", (0.0, body.yaw, 0.0))[1]
    world.move_agent(replace(body, yaw=yaw % 360.0))


def rotate_look(world: ThorWorld, arguments: Arguments) -> None:
    """Give the agent a yaw and its camera a horizon, without a check of either."""
    body = world.agent_state
    yaw = arguments.rotation("rotation", (0.0, 0.0, 0.0))[1]
    world.move_agent(replace(body, yaw=yaw % 360.0, horizon=arguments.number("horizon", 0.0)))


def _take_posture(stands: bool, world: ThorWorld, arguments: Arguments) -> None:
    if world.acting_agent.is_standing is stands:
        raise ActionFailure(f"Already {'standing' if stands else 'crouching'}.")
    world.acting_agent.is_standing = stands


def teleport(world: ThorWorld, arguments: Arguments) -> None:
    """Put the agent somewhere at once; what is left out stays as it is.

    As in AI2-THOR, the agent stands on the floor, and a height more than 5 cm off is refused.
    `forceAction` skips these checks and keeps the height, but agents never stand in each other.
    For a client before 2.5 it is enough that the position is in the room.
    """
    body = world.agent_state
    position = target_position(arguments, body.position)
    rotation = _target_rotation(world, arguments)
    horizon = arguments.number("horizon", body.horizon)
    if not arguments.flag("forceAction"):
        _check_view(rotation, horizon)
        _check_position(world, position)
        position = (position[0], world.agent_y, position[2])
    other = world.agent_in_the_way(position)
    if other is not None:
        raise ActionFailure(f"Collided with: Agent {other}.")
    world.place_agent(replace(body, position=position, yaw=rotation[1] % 360.0, horizon=horizon))
    if arguments.get("standing") is not None:
        world.acting_agent.is_standing = arguments.flag("standing")


def target_position(arguments: Arguments, default: Vec3) -> Vec3:
    """Return `position`, or x, y and z; metres."""
    if arguments.get("position") is not None:
        return arguments.vector("position", default)
    x, y, z = (arguments.number(axis, default[i]) for i, axis in enumerate("xyz"))
    return x, y, z


def _target_rotation(world: ThorWorld, arguments: Arguments) -> Vec3:
    """Return degrees; clients before 2.5 turn with Teleport only if `rotateOnTeleport` says so."""
    present = (0.0, world.agent_state.yaw, 0.0)
    keeps = arguments.get("action") == "Teleport" and not arguments.flag("rotateOnTeleport")
    if keeps and not world.client.is_strict:
        return present
    return arguments.rotation("rotation", present)


def _check_view(rotation: Vec3, horizon: float) -> None:
    if abs(rotation[0]) >= _MAX_TILT_DEGREES or abs(rotation[2]) >= _MAX_TILT_DEGREES:
        raise ActionFailure(
            "No agents currently can change in pitch or roll. So, you must set "
            f"rotation(x=0, y=yaw, z=0). You gave {rotation}."
        )
    low = TEACH.min_horizon - _HORIZON_TOLERANCE_DEGREES
    if not low <= horizon <= TEACH.max_horizon + _HORIZON_TOLERANCE_DEGREES:
        raise ActionFailure(
            f"Each horizon must be in [{TEACH.min_horizon:.0f}:{TEACH.max_horizon:.0f}]. "
            f"You gave {horizon}."
        )


def _check_position(world: ThorWorld, position: Vec3) -> None:
    named = f"Teleport position {position}"
    x, y, z = position
    if not world.contains(x, z):
        why = f"{named} out of scene bounds! Ignore this by setting forceAction=true."
        raise ActionFailure(why)
    # What stood elsewhere in AI2-THOR 2.1.0 cannot have been in the way of a client of its time.
    has_room = world.has_standing_room(position) or not world.client.is_strict
    if world.client.is_strict and metres_off_grid(position):
        if world.settings.snap_to_grid:
            raise ActionFailure(f"{named} is not on the grid of size {world.settings.step_metres}.")
        [has_room] = has_room_at(world, np.array([(x, z)]))
    if not has_room:
        raise ActionFailure(f"Collided with: {world.floor.blocker_at(cell_of(x, z))}.")
    change = abs(y - world.agent_y)
    if world.client.is_strict and change > MAX_HEIGHT_CHANGE_METRES:
        raise ActionFailure(
            "After teleporting and adjusting agent position to floor, there was too large a "
            f"change({change} > {MAX_HEIGHT_CHANGE_METRES}) in the y component. Consider using "
            "`forceAction=true` if you'd like to teleport anyway."
        )


AGENT_ACTIONS: Mapping[str, ActionFunction] = {
    "MoveAhead": partial(move, 0),
    "MoveRight": partial(move, 90),
    "MoveBack": partial(move, 180),
    "MoveLeft": partial(move, 270),
    "RotateRight": partial(turn, 1),
    "RotateLeft": partial(turn, -1),
    "Rotate": _rotate_to,
    "RotateLook": rotate_look,
    "LookDown": partial(look, 1),
    "LookUp": partial(look, -1),
    "Crouch": partial(_take_posture, False),
    "Stand": partial(_take_posture, True),
    "Teleport": teleport,
    "TeleportFull": teleport,
}


# Actions on the object in the hand: dropping, moving and rotating it.
#
# A hand that was moved goes back to its default pose when the agent moves (AI2-THOR).


def _drop_held(world: ThorWorld, arguments: Arguments) -> dict[str, float]:
    state = world.state
    held = _held_in_hand(world, "Nothing in hand to drop!")
    below = state.geometry.cast_from(held.position, (0.0, -1.0, 0.0))
    if below is None or handlers.place_held(state, state.objects[below.index], below.point):
        interactions.drop_held_object(state)
    return write_vector(world.object_of_id(held.objectId).position)


def _move_hand(direction: Vec3, world: ThorWorld, arguments: Arguments) -> None:
    metres, (right, up, ahead) = arguments.number("moveMagnitude", 0.0), direction
    _shift_held(world, (right * metres, up * metres, ahead * metres))


def _move_held(axes: Sequence[str], world: ThorWorld, arguments: Arguments) -> None:
    right, up, ahead = (arguments.number(axis, 0.0) for axis in axes)
    _shift_held(world, (right, up, ahead))


def _rotate_held(world: ThorWorld, arguments: Arguments) -> None:
    if arguments.get("rotation") is not None:
        _turn_held(world, arguments.vector("rotation", (0.0, 0.0, 0.0)))
        return
    pitch, yaw, roll = (arguments.number(name, 0.0) for name in ("pitch", "yaw", "roll"))
    # A positive roll turns the object to the right, against Unity's z axis.
    turned = moved_objects.combined_rotation((pitch, yaw, -roll), world.acting_agent.hand.rotation)
    _turn_held(world, turned)


def _rotate_hand(world: ThorWorld, arguments: Arguments) -> None:
    x, y, z = (arguments.number(axis, 0.0) for axis in "xyz")
    _turn_held(world, (x, y, z))


def _held_in_hand(world: ThorWorld, error: str) -> ObjectState:
    """Return the held object as it is now; fail with an error if there is none."""
    held = world.state.held_object
    if held is None:
        raise ActionFailure(error)
    world.state.snapshot()  # moves the held object with the agent
    return world.object_of_id(held.objectId)


def _shift_held(world: ThorWorld, offset: Vec3) -> None:
    """Move the held object by an offset to the right, upwards and ahead of the camera."""
    held = _held_in_hand(world, "Agent can only move hand if currently holding an item")
    agent = world.acting_agent
    forward, right, up = (_unit(axis) for axis in agent.eye.axes)
    dx, dy, dz = (
        offset[0] * right[i] + offset[1] * up[i] + offset[2] * forward[i] for i in range(3)
    )
    _check_move(world, held, (dx, dy, dz))
    for obj in (held, *world.state.contents(held.objectId)):
        world.state.set_object(translate(obj, (dx, dy, dz)))
    x, y, z = (a + b for a, b in zip(agent.hand.offset, offset, strict=True))
    agent.hand = replace(agent.hand, offset=(x, y, z))


def _unit(axis: Vec3) -> Vec3:
    length = dist(axis, (0.0, 0.0, 0.0))
    return axis[0] / length, axis[1] / length, axis[2] / length


def _check_move(world: ThorWorld, held: ObjectState, shift: Vec3) -> None:
    x, y, z = (a + b for a, b in zip(held.position, shift, strict=True))
    camera = world.agent_camera()
    eye = camera.eye
    if hypot(x - eye.position[0], z - eye.position[2]) > world.settings.visibility_metres:
        raise ActionFailure(
            "The target position is out of range: object cannot move outside of max visibility "
            "distance."
        )
    if not camera.shows((x, y, z)):
        raise ActionFailure("Target position is outside of the agent's viewport.")
    metres = dist(shift, (0.0, 0.0, 0.0))
    if metres:
        hit = world.state.geometry.cast_from(held.box.center, _unit(shift))
        if hit is not None and hit.distance < metres:
            blocker = world.state.objects[hit.index].objectId
            why = f"{blocker} is in Object In Hand's Path! Can't Move Hand holding {held.objectId}"
            raise ActionFailure(why)


def _turn_held(world: ThorWorld, rotation: Vec3) -> None:
    """Give the held object a rotation relative to the agent, degrees."""
    held = _held_in_hand(world, "Can't rotate hand unless holding object")
    up = moved_objects.rotation_matrix(rotation)[1, 1]
    if up < 0.0 and world.state.contents(held.objectId):
        raise ActionFailure(f"Agent hand cannot rotate! {held.objectId} would lose its contents.")
    agent = world.acting_agent
    turned = moved_objects.combined_rotation((0.0, agent.state.yaw, 0.0), rotation)
    unturned = agent.hand.unturned
    upright = held if unturned is None else moved_objects.unturned_object(held, unturned)
    world.state.set_object(moved_objects.move_object_to(upright, held.position, turned))
    x, y, z = moved_objects.euler_angles(moved_objects.rotation_matrix(rotation))
    agent.hand = thor_agent.HandPose(agent.hand.offset, (x, y, z), agent.hand.unturned or held)


_DIRECTIONS: Mapping[str, Vec3] = {
    "Ahead": (0.0, 0.0, 1.0),
    "Back": (0.0, 0.0, -1.0),
    "Left": (-1.0, 0.0, 0.0),
    "Right": (1.0, 0.0, 0.0),
    "Up": (0.0, 1.0, 0.0),
    "Down": (0.0, -1.0, 0.0),
}
HAND_ACTIONS: Mapping[str, ActionFunction] = {
    "DropHeldObject": _drop_held,
    "DropHandObject": _drop_held,
    "MoveHeldObject": partial(_move_held, ("right", "up", "ahead")),
    "MoveHandDelta": partial(_move_held, "xyz"),
    **{
        f"{name}{direction}": partial(_move_hand, axes)
        for direction, axes in _DIRECTIONS.items()
        for name in ("MoveHeldObject", "MoveHand")
    },
    "RotateHeldObject": _rotate_held,
    "RotateHand": _rotate_hand,
}
