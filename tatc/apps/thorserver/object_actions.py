"""Actions on objects: AI2-THOR's interactions and its direct changes of state.

Without `forceAction` the object must be visible.  The interactions and their refusals are
those of the embedded world.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import dist
from typing import Any

from tatc.apps.thorserver.thor_action import (
    SUCCESS,
    ActionFunction,
    Arguments,
    ParameterType,
    ThorAction,
    ThorResult,
    failed_result,
    number_or,
    target_action,
)
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.apps.thorserver.visibility import (
    frame_click,
    hit_at_point,
    target_object,
    visible_point_on,
)
from tatc.base.json_fields import FieldError, as_list, as_mapping, get_flag, get_text
from tatc.home.actions import Click
from tatc.home.camera.clicks import resolve_click
from tatc.home.camera.geometry import RayHit
from tatc.home.state import ObjectState, Vec3
from tatc.home.type_facts import CRACKED_TYPE_BY_WHOLE
from tatc.sim.embedded import interaction_handlers
from tatc.sim.embedded.interaction_handlers import (
    InteractionHandler,
    apply_opening,
    close_target,
    fill_with_liquid,
    open_target,
    pick_up,
    place_held,
)
from tatc.sim.embedded.interactions import place_by_ray
from tatc.sim.embedded.slicing import cut_into_pieces
from tatc.sim.embedded.world_state import WorldState

EMPTY_HAND_ERROR = "Can't place an object if Agent isn't holding anything!"
LIQUID_TYPES = ("water", "coffee", "wine")


def object_action(interaction: InteractionHandler) -> ActionFunction:
    """Return the action that applies an interaction to the object that its arguments name."""

    def run(world: ThorWorld, arguments: Arguments) -> ThorResult:
        obj = target_object(world, arguments)
        if isinstance(obj, ThorResult):
            return obj
        refusal = interaction(world.state, obj, visible_point_on(world, obj))
        return SUCCESS if refusal is None else failed_result(refusal)

    return run


def pick_up_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Take an object into the hand; return its id."""
    result = object_action(pick_up)(world, arguments)
    held = world.state.held_object
    if result.success and held is not None:
        return ThorResult(return_value=held.objectId)
    return result


def put_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Put the held object into the receptacle with the id, or at x, y of the frame.

    For clients before 2.5 `objectId` is the held object, and `receptacleObjectId` the
    receptacle.
    """
    if world.state.held_object is None:
        return failed_result(EMPTY_HAND_ERROR)
    if arguments.get("receptacleObjectId"):
        receptacle = get_text(arguments, "receptacleObjectId")
        return object_action(place_held)(world, {**arguments, "objectId": receptacle})
    if arguments.get("objectId"):
        return object_action(place_held)(world, arguments)
    click = frame_click(world, arguments)
    if isinstance(click, ThorResult):
        return click
    hit = hit_at_point(world, arguments)
    if isinstance(hit, ThorResult):
        near = receptacle_near(world, click)
        if near is None:
            return hit
        hit = near
    refusal = place_by_ray(world.state, click, hit, world.agent_camera().eye)
    return SUCCESS if refusal is None else failed_result(refusal)


def fill_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Fill an object with a liquid, water by default."""
    liquid = arguments.get("fillLiquid") or "water"
    if liquid not in LIQUID_TYPES:
        return failed_result(f"{liquid} is not a valid Liquid Type")
    result = object_action(fill_with_liquid)(world, arguments)
    obj = target_object(world, {**arguments, "forceAction": True})
    if result.success and isinstance(obj, ObjectState):
        world.liquid_by_object[obj.objectId] = liquid
    return result


def break_object(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Break an object; an egg cracks."""
    obj = target_object(world, arguments)
    if isinstance(obj, ThorResult):
        return obj
    if not obj.affordances.breakable:
        return failed_result(f"{obj.objectId} does not have the Breakable property!")
    if obj.isBroken:
        return failed_result(f"{obj.objectId} is already broken")
    if obj.objectType in world.unbreakable_types:
        return failed_result(f"{obj.objectId} is unbreakable")
    if obj.objectType in CRACKED_TYPE_BY_WHOLE:
        cut_into_pieces(world.state, obj)
    world.state.update_object(obj.objectId, isBroken=True)
    return SUCCESS


def flag_setter(affordance: str, flag_name: str) -> InteractionHandler:
    """Return the interaction that sets a flag of an object with this affordance."""

    def interaction(state: WorldState, obj: ObjectState, point: Vec3) -> str | None:
        if not getattr(obj.affordances, affordance):
            return f"{obj.objectId} is not {affordance}!"
        if getattr(obj, flag_name):
            return f"{obj.objectId} already: {flag_name}"
        state.update_object(obj.objectId, **{flag_name: True})
        return None

    return interaction


SET_COOKED = flag_setter("cookable", "isCooked")
SET_USED_UP = flag_setter("canBeUsedUp", "isUsedUp")


OBJECT_ACTIONS: Mapping[str, ThorAction] = {
    "PickupObject": target_action(pick_up_object, manualInteract=ParameterType.BOOL),
    "PutObject": target_action(
        put_object,
        receptacleObjectId=ParameterType.TEXT,
        placeStationary=ParameterType.BOOL,
        putNearXY=ParameterType.BOOL,
        randomSeed=ParameterType.INT,
        maxDistance=ParameterType.FLOAT,
    ),
    "ToggleObjectOn": target_action(object_action(interaction_handlers.switch_on)),
    "ToggleObjectOff": target_action(object_action(interaction_handlers.switch_off)),
    "SliceObject": target_action(object_action(interaction_handlers.slice_target)),
    "BreakObject": target_action(break_object),
    "DirtyObject": target_action(object_action(interaction_handlers.make_dirty)),
    "CleanObject": target_action(object_action(interaction_handlers.make_clean)),
    "FillObjectWithLiquid": target_action(fill_object, fillLiquid=ParameterType.TEXT),
    "EmptyLiquidFromObject": target_action(object_action(interaction_handlers.empty_liquid)),
    "CookObject": target_action(object_action(SET_COOKED)),
    "UseUpObject": target_action(object_action(SET_USED_UP)),
}


# Receptacles beside a click that meets nothing.


def receptacle_near(world: ThorWorld, click: Click) -> RayHit | None:
    """Return the receptacle beside a click, hit at its centre; None if there is none.

    AI2-THOR's ray would end at furniture for which this world has no box.
    """
    state, eye = world.state, world.agent_camera().eye
    objects = state.objects
    i = resolve_click(state.geometry, eye, click, lambda i: objects[i].affordances.receptacle)
    if i is None:
        return None
    centre = objects[i].box.center
    return RayHit(i, dist(centre, eye.position), centre)


# OpenObject and CloseObject, with a degree of openness.
#
# The embedded world knows doors and drawers that are open or closed.  One that is open in
# part stands fully open in it and in its images; only its metadata says how far it is open.


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


# Actions that set states of many objects at once, by their types.
#
# ALFRED's client restores scenes by them.  What is in the wanted state already stays so.


@dataclass(frozen=True, slots=True)
class SettableState:
    """A state: its affordance and flag, and what sets and what clears it, None for nothing."""

    affordance: str
    flag: str
    set_it: InteractionHandler | None
    clear_it: InteractionHandler | None = None


_TOGGLED = SettableState(
    "toggleable", "isToggled", interaction_handlers.switch_on, interaction_handlers.switch_off
)
_OPEN = SettableState(
    "openable", "isOpen", interaction_handlers.open_target, interaction_handlers.close_target
)
_DIRTY = SettableState(
    "dirtyable", "isDirty", interaction_handlers.make_dirty, interaction_handlers.make_clean
)
_FILLED = SettableState(
    "canFillWithLiquid",
    "isFilledWithLiquid",
    interaction_handlers.fill_with_liquid,
    interaction_handlers.empty_liquid,
)
_COOKED = SettableState("cookable", "isCooked", SET_COOKED)
_USED_UP = SettableState("canBeUsedUp", "isUsedUp", SET_USED_UP)
_SLICED = SettableState("sliceable", "isSliced", interaction_handlers.slice_target)
_BROKEN = SettableState("breakable", "isBroken", None)

STATE_CHANGES: Mapping[str, SettableState] = {
    "CanOpen": _OPEN,
    "CanToggleOnOff": _TOGGLED,
    "CanBeDirty": _DIRTY,
    "CanBeFilled": _FILLED,
    "CanBeCooked": _COOKED,
    "CanBeUsedUp": _USED_UP,
    "CanBeSliced": _SLICED,
    "CanBreak": _BROKEN,
}
"""By the names that AI2-THOR's secondary properties have."""
_CHANGES_BY_AFFORDANCE = {change.affordance: change for change in STATE_CHANGES.values()}


def set_object_toggles(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Switch all objects of types on or off."""
    rows = [
        as_mapping(row, f"objectToggles[{i}]")
        for i, row in enumerate(as_list(arguments["objectToggles"], "objectToggles"))
    ]
    for row in rows:
        of_type = world.state.of_type(get_text(row, "objectType"))
        _change_all(world, of_type, _TOGGLED, wanted=get_flag(row, "isOn"))
    return SUCCESS


def set_state_of_all_objects(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Set a state of all objects that can have it, or clear it if `forceAction` is false."""
    name = str(arguments["StateChange"])
    if name not in STATE_CHANGES:
        return failed_result(f"{name} is not a StateChange: {', '.join(STATE_CHANGES)} are")
    wanted = get_flag(arguments, "forceAction")
    _change_all(world, list(world.state.objects), STATE_CHANGES[name], wanted=wanted)
    return SUCCESS


def set_object_states(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Set or clear a state of all objects of a type.

    Raises:
        FieldError: the row names no state.

    """
    row: Mapping[str, Any] = as_mapping(arguments["SetObjectStates"], "SetObjectStates")
    change = _CHANGES_BY_AFFORDANCE.get(get_text(row, "stateChange"))
    if change is None:
        raise FieldError("stateChange", f"should be one of {', '.join(_CHANGES_BY_AFFORDANCE)}")
    of_type: Iterable[ObjectState] = list(world.state.objects)
    if row.get("objectType"):
        of_type = world.state.of_type(get_text(row, "objectType"))
    _change_all(world, of_type, change, wanted=get_flag(row, change.flag))
    return SUCCESS


def _change_all(
    world: ThorWorld, objects: Iterable[ObjectState], change: SettableState, *, wanted: bool
) -> None:
    """Set or clear a state of the objects that can have it, as far as that can be done."""
    for obj in objects:
        if not getattr(obj.affordances, change.affordance) or getattr(obj, change.flag) is wanted:
            continue
        if change is _BROKEN and wanted:
            break_object(world, {"objectId": obj.objectId, "forceAction": True})
        interaction = change.set_it if wanted else change.clear_it
        if interaction is not None:
            interaction(world.state, obj, visible_point_on(world, obj))


OBJECT_STATE_ACTIONS: Mapping[str, ThorAction] = {
    "SetObjectToggles": ThorAction(
        set_object_toggles, {"objectToggles": ParameterType.OBJECTS}, (("objectToggles",),)
    ),
    "SetStateOfAllObjects": ThorAction(
        set_state_of_all_objects,
        {"StateChange": ParameterType.TEXT, "forceAction": ParameterType.BOOL},
        (("StateChange",),),
    ),
    "SetObjectStates": ThorAction(
        set_object_states, required=(("SetObjectStates",),), takes_anything=True
    ),
}
