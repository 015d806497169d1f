"""Actions that set states of many objects at once, by their types.

ALFRED's client restores scenes by them.  What is in the wanted state already stays so.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tatc.apps.thorserver.action_results import SUCCESS, Arguments, ThorResult, failed_result
from tatc.apps.thorserver.object_actions import SET_COOKED, SET_USED_UP, break_object
from tatc.apps.thorserver.thor_action import ParameterType, ThorAction
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.apps.thorserver.visibility import visible_point_on
from tatc.base.json_fields import FieldError, as_list, as_mapping, get_flag, get_text
from tatc.home.state import ObjectState
from tatc.sim.embedded import interaction_handlers
from tatc.sim.embedded.interaction_handlers import InteractionHandler


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
