"""Finds the object that an action is on: by `objectId`, or by a point x, y of the frame."""

from tatc.apps.thorserver.action_results import (
    MISSING_ARGUMENTS,
    Arguments,
    ThorResult,
    failed_result,
    number_or,
)
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.apps.thorserver.visibility import is_interactable
from tatc.base.json_fields import get_flag, get_text
from tatc.home.actions import Click
from tatc.home.camera.ray_hits import RayHit
from tatc.home.state import ObjectState

NOT_VISIBLE_ERROR = "Target object not found within the specified visibility."
INVALID_ID_ERROR = "Object ID appears to be invalid."


def target_object(world: ThorWorld, arguments: Arguments) -> ObjectState | ThorResult:
    """Return the object that `objectId` or a point of the frame names, or the failure.

    Without `forceAction` it must be visible.

    Raises:
        FieldError: an argument has the wrong type.

    """
    if arguments.get("objectId"):
        obj = world.state.find(get_text(arguments, "objectId"))
        if obj is None:
            return failed_result(INVALID_ID_ERROR)
    else:
        hit = hit_at_point(world, arguments)
        if isinstance(hit, ThorResult):
            return hit
        obj = world.state.objects[hit.index]
    if not get_flag(arguments, "forceAction") and not is_interactable(world, obj):
        return failed_result(NOT_VISIBLE_ERROR, "ObjectNotVisible")
    return obj


def hit_at_point(world: ThorWorld, arguments: Arguments) -> RayHit | ThorResult:
    """Return what the ray through the point x, y of the frame hits, or the failure.

    Raises:
        FieldError: x or y is not a number.

    """
    click = frame_click(world, arguments)
    if isinstance(click, ThorResult):
        return click
    hit = world.state.geometry.hit_at_click(world.agent_camera().eye, click)
    return hit or failed_result("Could not find a target object: the ray meets none")


def frame_click(world: ThorWorld, arguments: Arguments) -> Click | ThorResult:
    """Return the point x, y of the frame as a point of the embedded world's square frame.

    Raises:
        FieldError: x or y is not a number.

    """
    missing = [axis for axis in "xy" if arguments.get(axis) is None]
    if missing:
        why = f"missing the following arguments: {','.join(missing)}"
        return failed_result(why, MISSING_ARGUMENTS)
    x, y = (number_or(arguments, axis, 0.0) for axis in "xy")
    if not (0 <= x <= 1 and 0 <= y <= 1):
        return failed_result(f"x and y must be in [0:1] not (x={x}, y={y}).")
    return world.agent_camera().to_square_click(x, y)
