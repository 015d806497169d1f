"""Actions that move an agent: steps, turns, looks, crouching, and teleports."""

from collections.abc import Iterator, Mapping
from math import cos, radians, sin

from tatc.apps.thorserver.thor_action import ActionFailure, ActionFunction, Arguments, ThorAction
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.home.actions import GRID_SIZE_METRES, Verb, cell_of
from tatc.home.body import TEACH
from tatc.home.state import AgentState, Vec3

_ANGLE_DIGITS = 4  # yaws and horizons are rounded, so that 30.00002 is 30
MAX_HEIGHT_CHANGE_METRES = 0.05
"""How far above or below the floor an agent may be put, metres (AI2-THOR)."""
_MAX_TILT_DEGREES = 0.01
_HORIZON_TOLERANCE_DEGREES = 0.5  # recorded horizons are 60.00002
_GRID_TOLERANCE_METRES = 1e-3


def move_action(bearing_degrees: float) -> ActionFunction:
    """Return the action that moves the agent at this angle to its heading, to the right.

    As in AI2-THOR with snapToGrid, the move ends on the grid.  It is made in full or not at
    all.
    """

    def run(world: ThorWorld, arguments: Arguments) -> None:
        metres = arguments.number("moveMagnitude", world.settings.step_metres)
        dx, dz = cells_of_step(world.agent_state.yaw + bearing_degrees, metres)
        if not (dx or dz):
            raise ActionFailure(
                f"a move of {metres} m is too short: steps are {GRID_SIZE_METRES} m"
            )
        end = end_of_step(world, dx, dz)
        if not isinstance(end, AgentState):
            raise ActionFailure(end)
        world.move_agent(end)

    return run


def cells_of_step(yaw: float, metres: float) -> tuple[int, int]:
    """Return how many cells along x and z a step leads, to the nearest cell of the grid."""
    angle = radians(yaw)
    return (
        round(sin(angle) * metres / GRID_SIZE_METRES),
        round(cos(angle) * metres / GRID_SIZE_METRES),
    )


def end_of_step(world: ThorWorld, dx: int, dz: int) -> AgentState | str:
    """Return the agent after a step of so many cells, or the message of what blocks it."""
    refusal = ""
    for path in axis_paths(dx, dz):
        end = _walk_path(world, path)
        if isinstance(end, AgentState):
            return end
        refusal = refusal or end
    return refusal


def axis_paths(dx: int, dz: int) -> Iterator[list[float]]:
    """Yield paths over so many cells, as the yaws of their steps.

    One path goes along x first; if it turns, another goes along z first.
    """
    along = [90.0 if dx > 0 else 270.0] * abs(dx)
    across = [0.0 if dz > 0 else 180.0] * abs(dz)
    yield along + across
    if dx and dz:
        yield across + along


def _walk_path(world: ThorWorld, path: list[float]) -> AgentState | str:
    """Return the agent at the end of a path, or the message of what blocks it."""
    yaw, body = world.agent_state.yaw, world.agent_state
    for heading in path:
        facing = AgentState(body.position, heading, body.horizon)
        moved = world.floor.move(facing, Verb.FORWARD, world.state.objects)
        if isinstance(moved, str):
            return moved
        body = moved
    return AgentState(body.position, yaw, body.horizon)


def turn_action(sign: int) -> ActionFunction:
    """Return the action that turns the agent, to the right for 1, to the left for -1."""

    def run(world: ThorWorld, arguments: Arguments) -> None:
        body = world.agent_state
        yaw = body.yaw + sign * arguments.number("degrees", world.settings.turn_degrees)
        world.move_agent(AgentState(body.position, round(yaw, _ANGLE_DIGITS) % 360.0, body.horizon))

    return run


def look_action(sign: int) -> ActionFunction:
    """Return the action that tilts the camera, downwards for 1, upwards for -1."""

    def run(world: ThorWorld, arguments: Arguments) -> None:
        body = world.agent_state
        tilt = arguments.number("degrees", 30.0)
        horizon = round(body.horizon + sign * tilt, _ANGLE_DIGITS)
        if not TEACH.min_horizon <= horizon <= TEACH.max_horizon:
            low, high = (f"{abs(each):.0f}" for each in (TEACH.min_horizon, TEACH.max_horizon))
            below, above = f"down beyond {high} degrees below", f"up beyond {low} degrees above"
            side = below if sign > 0 else above
            raise ActionFailure(f"can't look {side} the forward horizon")
        world.move_agent(AgentState(body.position, body.yaw, horizon))

    return run


def rotate_to(world: ThorWorld, arguments: Arguments) -> None:
    """Turn the agent to the yaw of `rotation`."""
    body = world.agent_state
    yaw = arguments.rotation("rotation", (0.0, body.yaw, 0.0))[1]
    world.move_agent(AgentState(body.position, yaw % 360.0, body.horizon))


def rotate_look(world: ThorWorld, arguments: Arguments) -> None:
    """Give the agent a yaw and its camera a horizon, without a check of either."""
    body = world.agent_state
    yaw = arguments.rotation("rotation", (0.0, 0.0, 0.0))[1]
    horizon = arguments.number("horizon", 0.0)
    world.move_agent(AgentState(body.position, yaw % 360.0, horizon))


def posture_action(*, stands: bool) -> ActionFunction:
    """Return the action that lets the agent stand up or crouch."""

    def run(world: ThorWorld, arguments: Arguments) -> None:
        if world.acting_agent.is_standing is stands:
            raise ActionFailure(f"Already {'standing' if stands else 'crouching'}.")
        world.acting_agent.is_standing = stands

    return run


def teleport(world: ThorWorld, arguments: Arguments) -> None:
    """Put the agent somewhere at once; what is left out stays as it is.

    As in AI2-THOR, the agent comes to stand on the floor, and a height that is more than
    5 cm from there is refused.  `forceAction` skips all checks and keeps the height.
    """
    body = world.agent_state
    position = target_position(arguments, body.position)
    rotation = _target_rotation(world, arguments)
    horizon = arguments.number("horizon", body.horizon)
    if not arguments.flag("forceAction"):
        _check_view(rotation, horizon)
        _check_position(world, position)
        position = (position[0], world.agent_y, position[2])
    world.place_agent(AgentState(position, rotation[1] % 360.0, horizon))
    if arguments.get("standing") is not None:
        world.acting_agent.is_standing = arguments.flag("standing")


def target_position(arguments: Arguments, default: Vec3) -> Vec3:
    """Return `position`, or x, y and z; metres."""
    if arguments.get("position") is not None:
        return arguments.vector("position", default)
    x, y, z = (arguments.number(axis, default[i]) for i, axis in enumerate("xyz"))
    return x, y, z


def _target_rotation(world: ThorWorld, arguments: Arguments) -> Vec3:
    """Return the rotation to turn to, degrees.

    Clients before 2.5 turn with Teleport only if `rotateOnTeleport` says so.
    """
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
    """Raise an ActionFailure if an agent cannot be put at a position."""
    named = f"Teleport position {position}"
    x, y, z = position
    low, high = world.bounds()
    if not (low[0] <= x <= high[0] and low[2] <= z <= high[2]):
        raise ActionFailure(
            f"{named} out of scene bounds! Ignore this by setting forceAction=true."
        )
    if world.settings.snap_to_grid and world.client.is_strict:
        cell_x, cell_z = cell_of(x, z)
        off = max(abs(cell_x * GRID_SIZE_METRES - x), abs(cell_z * GRID_SIZE_METRES - z))
        if off > _GRID_TOLERANCE_METRES:
            raise ActionFailure(f"{named} is not on the grid of size {world.settings.step_metres}.")
    if not world.has_standing_room(position):
        raise ActionFailure(f"Collided with: {world.floor.blocker_at(cell_of(x, z))}.")
    change = abs(y - world.agent_y)
    if world.client.is_strict and change > MAX_HEIGHT_CHANGE_METRES:
        raise ActionFailure(
            "After teleporting and adjusting agent position to floor, there was too large a "
            f"change({change} > {MAX_HEIGHT_CHANGE_METRES}) in the y component. Consider using "
            "`forceAction=true` if you'd like to teleport anyway."
        )


_MOVE_SIGNATURE = (
    "float moveMagnitude, float noise, Boolean forceAction, Boolean manualInteract, "
    "Boolean allowAgentsToIntersect"
)
_TURN_SIGNATURE = "float degrees, Boolean manualInteract, Boolean forceAction"
_VIEW_SIGNATURE = "Vector3 or a yaw rotation, float horizon"
_TELEPORT_SIGNATURE = (
    "Vector3 position, float x, float y, float z, Vector3 or a yaw rotation, "
    "Boolean rotateOnTeleport, float horizon, Boolean standing, Boolean forceAction"
)

AGENT_ACTIONS: Mapping[str, ThorAction] = {
    "MoveAhead": ThorAction(move_action(0), _MOVE_SIGNATURE),
    "MoveRight": ThorAction(move_action(90), _MOVE_SIGNATURE),
    "MoveBack": ThorAction(move_action(180), _MOVE_SIGNATURE),
    "MoveLeft": ThorAction(move_action(270), _MOVE_SIGNATURE),
    "RotateRight": ThorAction(turn_action(1), _TURN_SIGNATURE),
    "RotateLeft": ThorAction(turn_action(-1), _TURN_SIGNATURE),
    "Rotate": ThorAction(rotate_to, _VIEW_SIGNATURE, (("rotation",),), takes_anything=True),
    "RotateLook": ThorAction(rotate_look, _VIEW_SIGNATURE, takes_anything=True),
    "LookDown": ThorAction(look_action(1), _TURN_SIGNATURE),
    "LookUp": ThorAction(look_action(-1), _TURN_SIGNATURE),
    "Crouch": ThorAction(posture_action(stands=False)),
    "Stand": ThorAction(posture_action(stands=True)),
    "Teleport": ThorAction(teleport, _TELEPORT_SIGNATURE),
    "TeleportFull": ThorAction(teleport, _TELEPORT_SIGNATURE, (("rotation", "horizon"),)),
}
