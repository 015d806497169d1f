"""What the Follower's own actions should have changed in its map, until a view corrects it."""

from collections.abc import Iterable
from dataclasses import replace
from math import dist, inf

from tatc.commander.knowledge import ActionKey
from tatc.follower import PastAction
from tatc.follower.listener.exploration import Explorer
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home import type_facts
from tatc.home.actions import Verb
from tatc.home.camera.door_geometry import open_object
from tatc.home.percepts import View
from tatc.home.refusals import RefusalCode
from tatc.home.state import ObjectState, Vec3
from tatc.planners.snapshot_view import faucet_of
from tatc.tdl import Progress

NO_PLACE_CODES = (
    RefusalCode.NO_FREE_POSITION,
    RefusalCode.NO_FITTING_TARGET,
    RefusalCode.NOT_A_RECEPTACLE,
    RefusalCode.RECEPTACLE_CLOSED,
)
"""Refusals of a Place that tell of the receptacle: it is full, or none at all."""
SAME_LEVEL_METRES = 0.2  # how far from a basin's bottom that of what is in it is guessed, metres
HAND_METRES = 0.3  # how far from what it aims at a hand may take something else, metres
_HOT, _WARM = "Hot", "RoomTemp"
_MARKS = {
    (Verb.CLOSE, "Fridge"): ("wasCooled", "Cold"),
    (Verb.TOGGLE_ON, "Microwave"): ("wasHeated", _HOT),
}
"""ALFRED's marks on what is in a closed appliance, and its temperature: no view shows them."""


def expect_effects(belief: SemanticMap, verb: Verb, object_id: str, point: Vec3 | None) -> None:
    """Change the map as a successful interaction, clicked at `point`, should change the home."""
    obj, held = belief.get(object_id), belief.held_object()
    if obj is None:
        return
    _mark_contents(belief, verb, obj)
    match verb:
        case Verb.PICKUP:
            belief.hold(object_id)
        case Verb.PLACE if held is not None:
            belief.put(held.objectId, object_id, point or obj.box.center)
        case Verb.POUR if held is not None:
            belief.change(held.objectId, isFilledWithLiquid=False)
            if obj.affordances.canFillWithLiquid:
                belief.change(object_id, isFilledWithLiquid=True)
        case Verb.OPEN:
            _open(belief, obj, point)
        case Verb.CLOSE:
            closed = belief.closed_states().get(object_id, obj)
            belief.change(object_id, isOpen=False, box=closed.box, position=closed.position)
        case Verb.TOGGLE_ON | Verb.TOGGLE_OFF:
            belief.ran_at_start.discard(object_id)
            _switch(belief, obj, on=verb is Verb.TOGGLE_ON)
        case Verb.SLICE:
            belief.cut(object_id)
        case _:
            pass


def _mark_contents(belief: SemanticMap, verb: Verb, holder: ObjectState) -> None:
    mark, heat = _MARKS.get((verb, holder.objectType), ("", ""))
    if mark:
        for inside in belief.contents_of(holder.objectId):
            belief.change(inside.objectId, ObjectTemperature=heat, **{mark: True})


def learn_from_refusal(belief: SemanticMap, verb: Verb, object_id: str, code: RefusalCode) -> None:
    """Change the map as a refusal tells: what cannot be switched on or opened is so already.

    This is for a click on the object itself, whose state nobody has seen.  What must be off to
    be opened is on.  Where a basin has no room, the sink around it may, as some take things; a
    click on the sink that meets nothing that takes them, or a cupboard, tells that it does not.
    Where water has run since the start, it hides what is in view in a basin.
    """
    if code is RefusalCode.NOT_VISIBLE and (hidden := belief.get(object_id)) is not None:
        _expect_standing_water(belief, hidden)
    if code in NO_PLACE_CODES and verb is Verb.PLACE:
        _try_whole_sink(belief, object_id, is_full=code is RefusalCode.NO_FREE_POSITION)
    if code is RefusalCode.MUST_BE_OFF:
        belief.change(object_id, isToggled=True)
    if code is not RefusalCode.NO_FITTING_TARGET:
        return
    if verb in (Verb.TOGGLE_ON, Verb.TOGGLE_OFF):
        belief.change(object_id, isToggled=verb is Verb.TOGGLE_ON)
        if verb is Verb.TOGGLE_ON:
            belief.ran_at_start.add(object_id)
    elif verb in (Verb.OPEN, Verb.CLOSE):
        belief.change(object_id, isOpen=verb is Verb.OPEN)
    elif verb is Verb.SLICE:
        belief.cut(object_id)
    elif verb is Verb.POUR:
        belief.change(object_id, isFilledWithLiquid=True)


def _expect_standing_water(belief: SemanticMap, hidden: ObjectState) -> None:
    """Take the faucet of a basin that is hidden, or has what is, for one that ran at the start."""
    now, (x, _, z), under = belief.snapshot(), hidden.box.center, hidden.box.bottom
    for basin in now.of_type(type_facts.BASIN_TYPE_BY_SINK["Sink"]):
        faucet, height = faucet_of(now, basin), under - basin.box.bottom
        is_in = basin.box.horizontal_distance(x, z) == 0.0 and abs(height) < SAME_LEVEL_METRES
        if faucet is not None and is_in:
            belief.change(faucet.objectId, isToggled=True)
            belief.ran_at_start.add(faucet.objectId)


def _try_whole_sink(belief: SemanticMap, refused_id: str, *, is_full: bool) -> None:
    """Take the sink around a basin that seems empty, and was refused before, for a place too."""
    basin = belief.get(refused_id)
    if basin is None:
        return
    if basin.objectType in type_facts.BASIN_TYPE_BY_SINK:
        belief.change(refused_id, affordances=replace(basin.affordances, receptacle=False))
    is_full = is_full and refused_id in belief.refused_places and not belief.contents_of(refused_id)
    belief.refused_places.add(refused_id)
    basins = type_facts.BASIN_TYPE_BY_SINK.items() if is_full else ()
    whole_types = [whole for whole, basin_type in basins if basin_type == basin.objectType]
    for whole in belief.snapshot().of_type(*whole_types):
        away = whole.box.horizontal_distance(basin.box.center[0], basin.box.center[2])
        if away == 0.0 and whole.objectId not in belief.refused_places:
            able = replace(whole.affordances, receptacle=True)
            belief.change(whole.objectId, affordances=able)


def expect_running(belief: SemanticMap) -> None:
    """Change the map as what runs or is hot should have changed what is in it or on it.

    This comes after the view that follows an action, which shows where a thing has come to stand,
    and whether a burner glows; until then, which burner a knob lights is guessed.  What is in view
    is as it looks, where a view shows states.
    """
    now = belief.snapshot()
    for obj in now.of_type(*type_facts.SINK_TYPES):
        faucet = faucet_of(now, obj)
        standing = belief.ran_at_start  # which washes nothing
        if faucet is not None and faucet.isToggled and faucet.objectId not in standing:
            for inside in _unseen_contents(belief, obj):
                belief.change(inside.objectId, isDirty=False)
                if inside.affordances.canFillWithLiquid:
                    full = {"isFilledWithLiquid": True, "simbotIsFilledWithWater": 1}
                    belief.change(inside.objectId, **full)
    for obj in now.of_type("CoffeeMachine"):
        for inside in _unseen_contents(belief, obj) if obj.isToggled else ():
            if inside.affordances.canFillWithLiquid and not inside.isFilledWithLiquid:
                full = {"isFilledWithLiquid": True, "simbotIsFilledWithCoffee": True}
                belief.change(inside.objectId, **full)
    for obj in now.of_type("Microwave", "Toaster"):
        if obj.isToggled:
            _cook_contents(belief, obj, toasts=obj.objectType == "Toaster")
    _heat_burners(belief)


def _unseen_contents(belief: SemanticMap, holder: ObjectState) -> list[ObjectState]:
    """Return what is in or on an object, but for what the last view shows the state of."""
    inside = belief.contents_of(holder.objectId)
    return [each for each in inside if belief.is_guessed or not belief.is_in_view(each.objectId)]


def notice_miss(belief: SemanticMap, action_key: ActionKey | None) -> bool:
    """Return whether what a Place put down is seen elsewhere, as may be where boxes are guessed."""
    if action_key is None or action_key[0] is not Verb.PLACE or not belief.is_guessed:
        return False
    _, place_id, thing_id, _ = action_key
    thing = belief.get(thing_id)
    if thing is None or not belief.is_in_view(thing_id):
        return False
    if is_missed := place_id not in (thing.parentReceptacles or ()):
        learn_from_refusal(belief, Verb.PLACE, place_id, RefusalCode.NO_FREE_POSITION)
    return is_missed


def take_for_clean(belief: SemanticMap, progress: Progress) -> bool:
    """Take for clean what should be and cannot be washed, where dirt is guessed; False if none."""
    keys = progress.problem_keys() if belief.is_guessed else ()
    dirty = [key.object_id for key in keys if key.property_name == "isDirty" and not key.desired]
    for object_id in dirty:
        belief.change(object_id, isDirty=False)
    return bool(dirty)


def _open(belief: SemanticMap, obj: ObjectState, point: Vec3 | None) -> None:
    if point is not None and not obj.affordances.pickupable:
        obj = open_object(obj, point, belief.body.position)
    belief.change(obj.objectId, isOpen=True, box=obj.box, position=obj.position)


def _cook_contents(belief: SemanticMap, holder: ObjectState, *, toasts: bool) -> None:
    for obj in _unseen_contents(belief, holder):
        if not obj.affordances.cookable or toasts != (obj.objectType in type_facts.TOASTED_TYPES):
            continue
        around = [belief.get(each) for each in obj.parentReceptacles or ()]
        wet = any(p and (p.isFilledWithLiquid or p.simbotIsFilledWithWater) for p in around)
        if wet and not obj.isCooked:
            belief.change(obj.objectId, simbotIsBoiled=True)
        belief.change(obj.objectId, isCooked=True, simbotIsCooked=True)


def _heat_burners(belief: SemanticMap) -> None:
    now = belief.snapshot()
    knob = None if belief.lit_knob is None else now.get(belief.lit_knob)
    belief.lit_knob = None
    for burner in (knob.controlledObjects or ()) if knob is not None else ():
        if belief.is_guessed or not belief.is_in_view(burner):
            belief.change(burner, ObjectTemperature=_HOT)
    for burner in belief.snapshot().of_type(type_facts.BURNER_TYPE):
        if burner.ObjectTemperature == _HOT:
            _cook_contents(belief, burner, toasts=False)


def _switch(belief: SemanticMap, obj: ObjectState, *, on: bool) -> None:
    belief.change(obj.objectId, isToggled=on)
    if obj.objectType == type_facts.KNOB_TYPE and on:
        belief.lit_knob = obj.objectId
    elif obj.objectType == type_facts.KNOB_TYPE:
        linked = belief.snapshot().get(obj.objectId)
        for burner in (linked.controlledObjects or ()) if linked else ():
            belief.change(burner, ObjectTemperature=_WARM)


def id_of_number(belief: SemanticMap, number: int | None) -> str | None:
    """Return the id of the object with a number in views, None where there is none."""
    end = f"|{number}"
    return next((obj.objectId for obj in belief.objects if obj.objectId.endswith(end)), None)


def id_of_taken(belief: SemanticMap, number: int | None, aimed_at: str) -> str:
    """Return the id of what the hand took, by its number in views.

    What has not been seen yet, because something hid it, is taken to be like what hid it: like
    the nearest other thing, or where a slice was aimed at, another slice.
    """
    known = id_of_number(belief, number)
    like = belief.get(aimed_at)
    if known is not None or number is None or like is None:
        return known or aimed_at
    if like.objectType not in type_facts.WHOLE_TYPE_BY_PIECE:
        like = _nearest_to(like, belief.objects) or like
    return _add_like(belief, like, number)


def _add_like(belief: SemanticMap, like: ObjectState, number: int) -> str:
    name = f"{like.objectType}|{number}"
    belief.add(replace(like, objectId=name, name=name))
    return name


def id_of_unseen(belief: SemanticMap, kind: str, number: int | None) -> str | None:
    """Return the id of what the hand took though no view had shown it; None if it is unknown.

    It is taken to be like the nearest object of its type, and without a number to be that.
    """
    body = belief.body.position
    alike = [obj for obj in belief.objects if obj.objectType == kind and not obj.isSliced]
    like = min(alike, key=lambda obj: dist(obj.box.center, body), default=None)
    if like is None or number is None:
        return None if like is None else like.objectId
    return _add_like(belief, like, number)


def expect_effects_met(
    belief: SemanticMap, verb: Verb, number: int | None, aimed_at: str, point: Vec3 | None
) -> bool:
    """Do `expect_effects` for the object that an action met, by its `number` in views.

    That is None if unknown.  Return whether it met an object of the type that was aimed at.
    """
    is_taken = verb is Verb.PICKUP
    met = id_of_taken(belief, number, aimed_at) if is_taken else id_of_number(belief, number)
    met = met or aimed_at
    expect_effects(belief, verb, met, point)
    return met.partition("|")[0] == aimed_at.partition("|")[0]


def _nearest_to(obj: ObjectState, others: Iterable[ObjectState]) -> ObjectState | None:
    loose = (t for t in others if t.affordances.pickupable and not (t.isPickedUp or t.isSliced))
    near = ((dist(t.box.center, obj.box.center), t.objectId, t) for t in loose if t is not obj)
    away, _, nearest = min(near, default=(inf, "", None))
    return nearest if away <= HAND_METRES else None


def see_past(
    belief: SemanticMap, explorer: Explorer, past: Iterable[PastAction], views: Iterable[View]
) -> None:
    """Take in what was in view before each past action, and what each should have changed."""
    for done, view in zip(past, views, strict=False):
        belief.see(view)
        expect_running(belief)
        explorer.note_view()
        object_id = id_of_number(belief, done.number)
        if object_id is None and done.verb is Verb.PICKUP and done.object_type is not None:
            object_id = id_of_unseen(belief, done.object_type, done.number)
        if object_id is not None:
            expect_effects(belief, done.verb, object_id, None)
