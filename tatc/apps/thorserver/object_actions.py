"""Actions on objects: AI2-THOR's interactions and its direct changes of state.

Without `forceAction` the object must be visible.  The interactions and their refusals are those of
the embedded world.  There, doors and drawers are open or closed: one that is open in part stands
fully open, and only its metadata says how far.  ALFRED's client restores scenes by the actions that
set a state of many objects at once; there, what is in the wanted state already stays so.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import dist

from tatc.apps.thorserver import views
from tatc.apps.thorserver.thor_action import ActionFailure, ActionFunction, Arguments
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base.json_fields import FieldError, as_mapping, get_flag, get_text, read_list
from tatc.home import actions, type_facts
from tatc.home.camera import clicks, geometry
from tatc.home.state import ObjectState, Vec3
from tatc.session.alfred.named_actions import NamedActions
from tatc.sim.embedded import interaction_handlers as handlers, interactions, slicing, world_state
from tatc.sim.embedded.simulator import EmbeddedSimulator


def _act_on_named(
    interaction: handlers.InteractionHandler, world: ThorWorld, arguments: Arguments
) -> None:
    obj = views.target_object(world, arguments)
    refusal = interaction(world.state, obj, _point_for(interaction, world, obj))
    if refusal is not None:
        raise ActionFailure(refusal)


def _point_for(handler: handlers.InteractionHandler, world: ThorWorld, obj: ObjectState) -> Vec3:
    """Return the point at which an object is acted on, looked for only where it matters."""
    return views.visible_point_on(world, obj) if handler in _POINTED else obj.box.center


_POINTED = (handlers.place_held, handlers.place_from_afar, handlers.open_target)


def _pick_up_object(world: ThorWorld, arguments: Arguments) -> str | None:
    _act_on_named(handlers.pick_up, world, arguments)
    held = world.state.held_object
    return None if held is None else held.objectId


def put_object(world: ThorWorld, arguments: Arguments) -> None:
    """Put the held object into `objectId` (before 2.5 `receptacleObjectId`), or at x, y.

    Clients before 2.5 have it put where the agent sees it, forced or not, as AI2-THOR 2.1.0 did:
    only if that fails, forced ones have it put out of reach.
    """
    if world.state.held_object is None:
        raise ActionFailure("Can't place an object if Agent isn't holding anything!")
    place = handlers.place_from_afar if arguments.flag("forceAction") else handlers.place_held
    if arguments.get("receptacleObjectId"):
        arguments = arguments.but(objectId=arguments.text("receptacleObjectId"))
    if arguments.get("objectId") and not world.client.is_strict:
        target = views.target_object(world, arguments.but(forceAction=True))
        acting = NamedActions(EmbeddedSimulator.acting_in(world.state))
        done = acting.act(actions.Verb.PLACE, target.objectId)
        if done.success:
            return
        if not arguments.flag("forceAction"):
            raise ActionFailure(done.message)
    if arguments.get("objectId"):
        _act_on_named(place, world, arguments)
        return
    click = views.frame_click(world, arguments)
    eye = world.agent_camera().eye
    hit = world.state.geometry.hit_at_click(eye, click) or _receptacle_near(world, click)
    if hit is None:
        raise ActionFailure(views.NO_HIT_ERROR)
    refusal = interactions.place_by_ray(world.state, click, hit, eye)
    if refusal is not None:
        raise ActionFailure(refusal)


def _receptacle_near(world: ThorWorld, click: actions.Click) -> geometry.RayHit | None:
    """Return the receptacle beside a click: AI2-THOR's ray ends at furniture without a box here."""
    objects, eye = world.state.objects, world.agent_camera().eye
    holds = [obj.affordances.receptacle for obj in objects]
    i = clicks.resolve_click(world.state.geometry, eye, click, holds.__getitem__)
    if i is None:
        return None
    centre = objects[i].box.center
    return geometry.RayHit(i, dist(centre, eye.position), centre)


def _fill_object(world: ThorWorld, arguments: Arguments) -> None:
    liquid = arguments.get("fillLiquid") or "water"
    if liquid not in ("water", "coffee", "wine"):
        raise ActionFailure(f"{liquid} is not a valid Liquid Type")
    _act_on_named(handlers.fill_with_liquid, world, arguments)
    obj = views.target_object(world, arguments.but(forceAction=True))
    world.liquid_by_object[obj.objectId] = liquid


def _break_object(world: ThorWorld, arguments: Arguments) -> None:
    obj = views.target_object(world, arguments)
    if not obj.affordances.breakable:
        raise ActionFailure(f"{obj.objectId} does not have the Breakable property!")
    if obj.isBroken or obj.isSliced:
        raise ActionFailure(f"{obj.objectId} is already broken")
    if obj.objectType in world.unbreakable_types:
        raise ActionFailure(f"{obj.objectId} is unbreakable")
    if obj.objectType in type_facts.CRACKED_TYPE_BY_WHOLE:
        world.drop_from_hand(obj.objectId)
        slicing.cut_into_pieces(world.state, world.object_of_id(obj.objectId))
    world.state.update_object(obj.objectId, isBroken=True, isToggled=False)


def _set_flag(
    affordance: str, flag: str, state: world_state.WorldState, obj: ObjectState, point: Vec3
) -> str | None:
    if not getattr(obj.affordances, affordance):
        return f"{obj.objectId} is not {affordance}!"
    if getattr(obj, flag):
        return f"{obj.objectId} already: {flag}"
    state.update_object(obj.objectId, **{flag: True})
    return None


SET_COOKED = partial(_set_flag, "cookable", "isCooked")
SET_USED_UP = partial(_set_flag, "canBeUsedUp", "isUsedUp")


def _set_unbreakable(world: ThorWorld, arguments: Arguments) -> None:
    world.unbreakable_types.add(arguments.text("objectType"))


def _set_all_unbreakable(world: ThorWorld, arguments: Arguments) -> None:
    world.unbreakable_types.update(obj.objectType for obj in world.state.objects)


def open_object(world: ThorWorld, arguments: Arguments) -> None:
    """Open an object as far as the arguments say, by default fully; openness 0 closes it."""
    obj = views.target_object(world, arguments)
    openness = _requested_openness(arguments)
    if not 0.0 <= openness <= 1.0:
        raise ActionFailure("openness must be in [0:1]")
    if openness == 0.0:
        if obj.isOpen:
            _act_on_named(handlers.close_target, world, arguments)
        return
    if obj.isOpen:
        if openness == openness_of(world, obj) and arguments.get("openness") is None:
            raise ActionFailure(f"{obj.objectId} is already open")
    else:
        refusal = _open(world, obj, is_forced=arguments.flag("forceAction"))
        if refusal is not None:
            raise ActionFailure(refusal)
    world.openness_by_object[obj.objectId] = openness


def openness_of(world: ThorWorld, obj: ObjectState) -> float:
    """Return how far an object is open, from 0 to 1."""
    return world.openness_by_object.get(obj.objectId, 1.0) if obj.isOpen else 0.0


def _requested_openness(arguments: Arguments) -> float:
    """Return how far to open; `moveMagnitude` is the older name, and there 0 means fully."""
    if arguments.get("moveMagnitude") is not None:
        return arguments.number("moveMagnitude", 1.0) or 1.0
    return arguments.number("openness", 1.0)


def _open(world: ThorWorld, obj: ObjectState, *, is_forced: bool) -> str | None:
    """Open a closed object, if forced even in the agent's way; return why not, or None."""
    point = views.visible_point_on(world, obj)
    refusal = handlers.open_target(world.state, obj, point)
    if refusal is not None and is_forced and "is in its way" in refusal:
        handlers.apply_opening(world.state, obj, world.state.opened_copy(obj, point))
        return None
    return refusal


@dataclass(frozen=True, slots=True)
class _SettableState:
    """A state: its affordance and flag, and what sets and what clears it, None for nothing."""

    affordance: str
    flag: str
    set_it: handlers.InteractionHandler | None
    clear_it: handlers.InteractionHandler | None = None


_TOGGLED = _SettableState("toggleable", "isToggled", handlers.switch_on, handlers.switch_off)
STATE_CHANGES: Mapping[str, _SettableState] = {
    "CanOpen": _SettableState("openable", "isOpen", handlers.open_target, handlers.close_target),
    "CanToggleOnOff": _TOGGLED,
    "CanBeDirty": _SettableState("dirtyable", "isDirty", handlers.make_dirty, handlers.make_clean),
    "CanBeFilled": _SettableState(
        "canFillWithLiquid", "isFilledWithLiquid", handlers.fill_with_liquid, handlers.empty_liquid
    ),
    "CanBeCooked": _SettableState("cookable", "isCooked", SET_COOKED),
    "CanBeUsedUp": _SettableState("canBeUsedUp", "isUsedUp", SET_USED_UP),
    "CanBeSliced": _SettableState("sliceable", "isSliced", handlers.slice_target),
    "CanBreak": _SettableState("breakable", "isBroken", None),
}
"""By the names that AI2-THOR's secondary properties have."""
_CHANGES_BY_AFFORDANCE = {change.affordance: change for change in STATE_CHANGES.values()}


def _set_object_toggles(world: ThorWorld, arguments: Arguments) -> None:
    rows = read_list(arguments, "objectToggles", lambda row: row)
    toggles = [(get_text(row, "objectType"), get_flag(row, "isOn")) for row in rows]
    for object_type, is_on in toggles:
        _change_all(world, world.state.of_type(object_type), _TOGGLED, wanted=is_on)


def _set_state_of_all_objects(world: ThorWorld, arguments: Arguments) -> None:
    name = str(arguments["StateChange"])
    if name not in STATE_CHANGES:
        raise ActionFailure(f"{name} is not a StateChange: {', '.join(STATE_CHANGES)} are")
    wanted = arguments.flag("forceAction")
    _change_all(world, world.state.objects, STATE_CHANGES[name], wanted=wanted)


def _set_object_states(world: ThorWorld, arguments: Arguments) -> None:
    row = as_mapping(arguments["SetObjectStates"], "SetObjectStates")
    change = _CHANGES_BY_AFFORDANCE.get(get_text(row, "stateChange"))
    if change is None:
        raise FieldError("stateChange", f"should be one of {', '.join(_CHANGES_BY_AFFORDANCE)}")
    named = row.get("objectType")
    objects = world.state.of_type(get_text(row, "objectType")) if named else world.state.objects
    _change_all(world, objects, change, wanted=get_flag(row, change.flag))


def _change_all(
    world: ThorWorld, objects: Iterable[ObjectState], change: _SettableState, *, wanted: bool
) -> None:
    for object_id in [obj.objectId for obj in objects]:
        obj = world.object_of_id(object_id)  # what was changed before it may have changed it too
        if not getattr(obj.affordances, change.affordance) or getattr(obj, change.flag) is wanted:
            continue
        if change.flag == "isBroken" and wanted:
            with suppress(ActionFailure):
                _break_object(world, Arguments(objectId=obj.objectId, forceAction=True))
        interaction = change.set_it if wanted else change.clear_it
        if interaction is not None:
            interaction(world.state, obj, _point_for(interaction, world, obj))


OBJECT_ACTIONS: Mapping[str, ActionFunction] = {
    "PickupObject": _pick_up_object,
    "PutObject": put_object,
    "ToggleObjectOn": partial(_act_on_named, handlers.switch_on),
    "ToggleObjectOff": partial(_act_on_named, handlers.switch_off),
    "SliceObject": partial(_act_on_named, handlers.slice_target),
    "BreakObject": _break_object,
    "DirtyObject": partial(_act_on_named, handlers.make_dirty),
    "CleanObject": partial(_act_on_named, handlers.make_clean),
    "FillObjectWithLiquid": _fill_object,
    "EmptyLiquidFromObject": partial(_act_on_named, handlers.empty_liquid),
    "CookObject": partial(_act_on_named, SET_COOKED),
    "UseUpObject": partial(_act_on_named, SET_USED_UP),
    "OpenObject": open_object,
    "CloseObject": partial(_act_on_named, handlers.close_target),
    "SetObjectToggles": _set_object_toggles,
    "SetStateOfAllObjects": _set_state_of_all_objects,
    "SetObjectStates": _set_object_states,
    "MakeObjectsOfTypeUnbreakable": _set_unbreakable,
    "MakeAllObjectsUnbreakable": _set_all_unbreakable,
}
