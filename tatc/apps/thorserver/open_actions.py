"""OpenObject and CloseObject, with a degree of openness.

The embedded world knows doors and drawers that are open or closed.  One that is open in
part stands fully open in it and in its images; only its metadata says how far it is open.
"""

from collections.abc import Mapping

from tatc.apps.thorserver.action_results import (
    SUCCESS,
    Arguments,
    ThorResult,
    failed_result,
    number_or,
)
from tatc.apps.thorserver.object_targets import target_object
from tatc.apps.thorserver.thor_action import ParameterType, ThorAction, target_action
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.apps.thorserver.visibility import visible_point_on
from tatc.base.json_fields import get_flag
from tatc.home.state import ObjectState
from tatc.sim.embedded.interaction_handlers import apply_opening, close_target, open_target


def open_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Open an object as far as the arguments say, by default fully; openness 0 closes it."""
    obj = target_object(world, arguments)
    if isinstance(obj, ThorResult):
        return obj
    openness = _requested_openness(arguments)
    if not 0.0 <= openness <= 1.0:
        return failed_result("openness must be in [0:1]")
    if openness == 0.0:
        return _close(world, obj) if obj.isOpen else SUCCESS
    if obj.isOpen:
        return _open_further(world, obj, openness, arguments)
    refusal = _open(world, obj, is_forced=get_flag(arguments, "forceAction"))
    if refusal is not None:
        return failed_result(refusal)
    world.openness_by_object[obj.objectId] = openness
    return SUCCESS


def close_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Close an object."""
    obj = target_object(world, arguments)
    return obj if isinstance(obj, ThorResult) else _close(world, obj)


def openness_of(world: ThorWorld, obj: ObjectState) -> float:
    """Return how far an object is open, from 0 to 1."""
    return world.openness_by_object.get(obj.objectId, 1.0) if obj.isOpen else 0.0


def _requested_openness(arguments: Arguments) -> float:
    """Return how far to open; `moveMagnitude` is the older name, and there 0 means fully."""
    if arguments.get("moveMagnitude") is not None:
        return number_or(arguments, "moveMagnitude", 1.0) or 1.0
    return number_or(arguments, "openness", 1.0)


def _open_further(
    world: ThorWorld, obj: ObjectState, openness: float, arguments: Arguments
) -> ThorResult:
    """Change how far an open object is open."""
    if openness == openness_of(world, obj) and arguments.get("openness") is None:
        return failed_result(f"{obj.objectId} is already open")
    world.openness_by_object[obj.objectId] = openness
    return SUCCESS


def _open(world: ThorWorld, obj: ObjectState, *, is_forced: bool) -> str | None:
    """Open a closed object; return why it cannot be opened, or None.

    Forced, it opens even where the agent is in its way.
    """
    point = visible_point_on(world, obj)
    refusal = open_target(world.state, obj, point)
    if refusal is not None and is_forced and "is in its way" in refusal:
        apply_opening(world.state, obj, world.state.opened_copy(obj, point))
        return None
    return refusal


def _close(world: ThorWorld, obj: ObjectState) -> ThorResult:
    refusal = close_target(world.state, obj, visible_point_on(world, obj))
    return SUCCESS if refusal is None else failed_result(refusal)


_OPEN_PARAMETERS = {
    "returnToStart": ParameterType.BOOL,
    "ignoreAgentInTransition": ParameterType.BOOL,
    "stopAtNonStaticCol": ParameterType.BOOL,
    "physicsInterval": ParameterType.FLOAT,
    "fixedDeltaTime": ParameterType.FLOAT,
    "useGripper": ParameterType.BOOL,
    "simplifyPhysics": ParameterType.BOOL,
}

OPEN_ACTIONS: Mapping[str, ThorAction] = {
    "OpenObject": target_action(
        open_object,
        openness=ParameterType.FLOAT,
        moveMagnitude=ParameterType.FLOAT,
        **_OPEN_PARAMETERS,
    ),
    "CloseObject": target_action(close_object, **_OPEN_PARAMETERS),
}
