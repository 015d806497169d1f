"""Actions on the object in the hand: dropping, moving and rotating it.

A hand that was moved goes back to its default pose when the agent moves (AI2-THOR).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import dist, hypot
from typing import Any

from tatc.apps.thorserver.moved_objects import (
    combined_rotation,
    euler_angles,
    move_object_to,
    rotation_matrix,
)
from tatc.apps.thorserver.thor_action import ActionFailure, ActionFunction, Arguments, ThorAction
from tatc.apps.thorserver.thor_agent import HandPose
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.home.camera.rays import MIN_RAY_COMPONENT, Eye
from tatc.home.metadata import write_vector
from tatc.home.state import ObjectState, Vec3
from tatc.sim.embedded.apply_recorded_effect import drop_held_object
from tatc.sim.embedded.interaction_handlers import place_held
from tatc.sim.transforms import translate

NO_OBJECT_TO_MOVE_ERROR = "Agent can only move hand if currently holding an item"
NO_OBJECT_TO_ROTATE_ERROR = "Can't rotate hand unless holding object"
NO_OBJECT_TO_DROP_ERROR = "Nothing in hand to drop!"


def drop_held(world: ThorWorld, arguments: Arguments) -> Any:
    """Drop the held object onto what is below the hand; return where it lies."""
    state = world.state
    held = _held_in_hand(world)
    if held is None:
        raise ActionFailure(NO_OBJECT_TO_DROP_ERROR)
    x, y, z = held.position
    below = state.geometry.cast_ray(
        Eye((x, y, z), 0.0, 90.0), (MIN_RAY_COMPONENT, -1.0, MIN_RAY_COMPONENT)
    )
    obj = None if below is None else state.objects[below.index]
    can_hold = obj is not None and obj.affordances.receptacle and below is not None
    if not (can_hold and place_held(state, obj, below.point) is None):  # pyright: ignore
        drop_held_object(state)
    return write_vector(world.object_of_id(held.objectId).position)


def move_action(right: float, up: float, ahead: float) -> ActionFunction:
    """Return the action that moves the held object by `moveMagnitude` in a direction."""

    def run(world: ThorWorld, arguments: Arguments) -> None:
        metres = arguments.number("moveMagnitude", 0.0)
        _move_held(world, (right * metres, up * metres, ahead * metres))

    return run


def move_held(axes: Sequence[str]) -> ActionFunction:
    """Return the action that moves the held object along the camera's axes, metres.

    `axes` are the names of the arguments: to the right, upwards and ahead.
    """

    def run(world: ThorWorld, arguments: Arguments) -> None:
        right, up, ahead = (arguments.number(axis, 0.0) for axis in axes)
        _move_held(world, (right, up, ahead))

    return run


def rotate_held(world: ThorWorld, arguments: Arguments) -> None:
    """Rotate the held object by pitch, yaw and roll, or to a rotation as the agent sees it."""
    if arguments.get("rotation") is not None:
        _rotate_held(world, arguments.vector("rotation", (0.0, 0.0, 0.0)))
        return
    pitch, yaw, roll = (arguments.number(name, 0.0) for name in ("pitch", "yaw", "roll"))
    # A positive roll turns the object to the right, against Unity's z axis.
    turned = combined_rotation((pitch, yaw, -roll), world.acting_agent.hand.rotation)
    _rotate_held(world, turned)


def rotate_hand(world: ThorWorld, arguments: Arguments) -> None:
    """Rotate the held object to angles about the agent's x, y and z, degrees."""
    x, y, z = (arguments.number(axis, 0.0) for axis in "xyz")
    _rotate_held(world, (x, y, z))


def _held_in_hand(world: ThorWorld) -> ObjectState | None:
    """Return the held object, moved to where the agent's hand is now; None for an empty hand."""
    held = world.state.held_object
    if held is None:
        return None
    world.state.snapshot()  # moves the held object with the agent
    return world.object_of_id(held.objectId)


def _move_held(world: ThorWorld, offset: Vec3) -> None:
    """Move the held object by an offset to the right, upwards and ahead of the camera."""
    held = _held_in_hand(world)
    if held is None:
        raise ActionFailure(NO_OBJECT_TO_MOVE_ERROR)
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
    """Raise an ActionFailure if the held object cannot be moved so far."""
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
        dx, dy, dz = (part / metres or MIN_RAY_COMPONENT for part in shift)
        hit = world.state.geometry.cast_ray(Eye(held.box.center, 0.0, 0.0), (dx, dy, dz))
        if hit is not None and hit.distance < metres:
            blocker = world.state.objects[hit.index].objectId
            raise ActionFailure(
                f"{blocker} is in Object In Hand's Path! Can't Move Hand holding {held.objectId}"
            )


def _rotate_held(world: ThorWorld, rotation: Vec3) -> None:
    """Give the held object a rotation relative to the agent, degrees."""
    held = _held_in_hand(world)
    if held is None:
        raise ActionFailure(NO_OBJECT_TO_ROTATE_ERROR)
    up = rotation_matrix(rotation)[1, 1]
    if up < 0.0 and world.state.contents(held.objectId):
        raise ActionFailure(f"Agent hand cannot rotate! {held.objectId} would lose its contents.")
    agent = world.acting_agent
    turned = combined_rotation((0.0, agent.state.yaw, 0.0), rotation)
    upright = replace(agent.hand.unturned or held, isPickedUp=True)
    world.state.set_object(move_object_to(upright, held.position, turned))
    x, y, z = euler_angles(rotation_matrix(rotation))
    agent.hand = HandPose(agent.hand.offset, (x, y, z), agent.hand.unturned or held)


_DIRECTIONS: Mapping[str, Vec3] = {
    "Ahead": (0.0, 0.0, 1.0),
    "Back": (0.0, 0.0, -1.0),
    "Left": (-1.0, 0.0, 0.0),
    "Right": (1.0, 0.0, 0.0),
    "Up": (0.0, 1.0, 0.0),
    "Down": (0.0, -1.0, 0.0),
}

HAND_ACTIONS: Mapping[str, ThorAction] = {
    "DropHeldObject": ThorAction(drop_held, "Boolean forceAction, Boolean autoSimulation"),
    "DropHandObject": ThorAction(drop_held, "Boolean forceAction, Boolean autoSimulation"),
    "MoveHeldObject": ThorAction(
        move_held(("right", "up", "ahead")),
        "float ahead, float right, float up, Boolean forceVisible",
    ),
    "MoveHandDelta": ThorAction(
        move_held("xyz"), "float x, float y, float z, Boolean forceVisible"
    ),
    **{
        f"{name}{direction}": ThorAction(
            move_action(*axes),
            "float moveMagnitude, Boolean forceVisible",
            (("moveMagnitude",),),
        )
        for direction, axes in _DIRECTIONS.items()
        for name in ("MoveHeldObject", "MoveHand")
    },
    "RotateHeldObject": ThorAction(
        rotate_held, "float pitch, float yaw, float roll, Vector3 rotation"
    ),
    "RotateHand": ThorAction(rotate_hand, "float x, float y, float z"),
}
