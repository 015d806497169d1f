"""TEACh's own part of an interaction, for every backend (spec 2.3 and 2.6-2.8).

Preconditions, the reach of a click, the messages, the bookkeeping of a success, and effects.  The
rules for water, coffee, heat and slices read the objects and return effects, which the backend
must carry out: `isDirty` and `isFilledWithLiquid` (with water) are AI2-THOR's own state (forced
actions there), all others TEACh's properties.  Which properties exist matters as much as their
values, so nothing here sets one that TEACh would not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import dist

from tatc.home import refusals
from tatc.home.actions import Action, ActionResult, Role, Verb
from tatc.home.metadata import SIMBOT_FIELDS
from tatc.home.state import ABSENT, ObjectState, Snapshot
from tatc.home.type_facts import BURNER_TYPE, KNIFE_TYPES, SINK_TYPES, WHOLE_TYPE_BY_PIECE
from tatc.tdl.properties import parent_receptacles_of


@dataclass(frozen=True, slots=True)
class SetProperty:
    """A property of an object takes a value; a simbot property is removed with `ABSENT`.

    Of other properties, effects set only `isDirty` to False, `isFilledWithLiquid` to True (water),
    and, where a world has them, ALFRED's marks of history to True.
    """

    object_id: str
    name: str
    value: object


def run_effect_rules(
    read_state: Callable[[], Snapshot],
    apply: Callable[[Sequence[SetProperty]], None],
    before: Snapshot | None,
) -> None:
    """Run rules 2.7 and 2.8 in TEACh's order, each on the state that the last one left.

    `read_state` returns the present state and `apply` carries effects out; `before` is
    the state before the action, None at a state capture.
    """
    apply(running_water_effects(read_state()))
    apply(coffee_effects(read_state(), before))
    apply(cooking_effects(read_state()))
    if before is not None:
        apply(boiling_effects(read_state(), before))


def running_water_effects(now: Snapshot) -> list[SetProperty]:
    """Return what water does in each basin whose nearest faucet is on (spec 2.7)."""
    faucets = now.of_type("Faucet")
    if not any(faucet.isToggled for faucet in faucets):
        return []
    running = {
        basin.objectId
        for basin in now.of_type(*SINK_TYPES)
        if min(faucets, key=lambda f: dist(f.position, basin.position)).isToggled
    }
    effects: list[SetProperty] = []
    for obj in _objects_inside(now, now.objects, running):
        if obj.isDirty:
            effects.append(SetProperty(obj.objectId, "isDirty", False))
        if obj.affordances.canFillWithLiquid:
            effects.append(SetProperty(obj.objectId, "isFilledWithLiquid", True))
            effects.append(SetProperty(obj.objectId, "simbotIsFilledWithWater", 1))
    return effects


def coffee_effects(now: Snapshot, before: Snapshot | None) -> list[SetProperty]:
    """Return what a coffee machine has just filled (spec 2.8), all in it without a `before`."""
    running = {machine.objectId for machine in now.of_type("CoffeeMachine") if machine.isToggled}
    effects: list[SetProperty] = []
    changed = _changed_objects(now, before) if running else ()
    for obj in _objects_inside(now, changed, running):
        if not (obj.affordances.canFillWithLiquid and obj.isFilledWithLiquid):
            continue
        earlier = before.get(obj.objectId) if before is not None else None
        if earlier is None or not earlier.isFilledWithLiquid:
            effects.append(SetProperty(obj.objectId, "simbotIsFilledWithCoffee", True))
    return effects


def cooking_effects(now: Snapshot) -> list[SetProperty]:
    """Return marks for objects that TEACh considers cooked and has not marked (spec 2.8)."""
    hot = {oven.objectId for oven in now.of_type("Microwave") if oven.isToggled}
    hot |= {each.objectId for each in now.of_type(BURNER_TYPE) if each.ObjectTemperature == "Hot"}
    marked = [obj for obj in now.objects if obj.isCooked]
    if hot:
        raw = [obj for obj in now.objects if obj.affordances.cookable and not obj.isCooked]
        marked += _objects_inside(now, raw, hot)
    return [
        SetProperty(obj.objectId, "simbotIsCooked", True)
        for obj in marked
        if obj.simbotIsCooked is not True
    ]


def boiling_effects(now: Snapshot, before: Snapshot) -> list[SetProperty]:
    """Return marks for objects that cooked just now in a receptacle with liquid (spec 2.8).

    Only AI2-THOR's own isCooked counts.  A receptacle that was ever filled in a running
    sink counts, because TEACh never clears that mark.
    """
    effects: list[SetProperty] = []
    for obj in _changed_objects(now, before):
        if not obj.isCooked or obj.simbotIsBoiled is True:
            continue
        earlier = before.get(obj.objectId)
        if earlier is not None and earlier.isCooked:
            continue
        parents = (now.get(parent) for parent in parent_receptacles_of(obj, now))
        if any(p and (p.isFilledWithLiquid or p.simbotIsFilledWithWater) for p in parents):
            effects.append(SetProperty(obj.objectId, "simbotIsBoiled", True))
    return effects


def slice_inheritance_effects(now: Snapshot) -> list[SetProperty]:
    """Return what slices inherit from the whole object (spec 2.6).

    Every object whose id contains "Sliced" or "Cracked" copies the properties of its base while
    that has any; then the bases lose their properties and are removed from all lists.
    """
    effects: list[SetProperty] = []
    bases: dict[str, None] = {}
    contents_lists: dict[str, tuple[str, ...]] = {}
    for piece, base in _pieces_with_base(now):
        bases[base.objectId] = None
        effects.extend(SetProperty(piece.objectId, n, getattr(base, n)) for n in SIMBOT_FIELDS)
        last = base.simbotLastParentReceptacle
        above = now.get(last) if isinstance(last, str) else None
        if above is not None:
            known = contents_lists.get(above.objectId, _listed_contents(above))
            if piece.objectId not in known:
                contents_lists[above.objectId] = (*known, piece.objectId)
    for last, names in contents_lists.items():
        kept = tuple(name for name in names if name not in bases)
        effects.append(SetProperty(last, "simbotIsReceptacleOf", kept))
    others = (obj for obj in now.objects if obj.objectId not in contents_lists)
    effects.extend(_remove_from_lists(others, bases))
    for obj in now.objects:
        if obj.simbotLastParentReceptacle in bases:
            effects.append(SetProperty(obj.objectId, "simbotLastParentReceptacle", None))
    for base_id in bases:
        effects.extend(SetProperty(base_id, name, ABSENT) for name in SIMBOT_FIELDS)
    return effects


def _pieces_with_base(now: Snapshot) -> Iterator[tuple[ObjectState, ObjectState]]:
    """Yield slices and cracked eggs with a base that still has properties."""
    for piece in now.objects:
        if piece.objectType in WHOLE_TYPE_BY_PIECE:
            base = now.get(piece.objectId.rsplit("|", 1)[0])
            if base and any(getattr(base, name) is not ABSENT for name in SIMBOT_FIELDS):
                yield piece, base


def _listed_contents(obj: ObjectState) -> tuple[str, ...]:
    names = obj.simbotIsReceptacleOf
    return names if isinstance(names, tuple) else ()


def _remove_from_lists(
    objects: Iterable[ObjectState], removed: Iterable[str]
) -> Iterator[SetProperty]:
    names = set(removed)
    for obj in objects:
        listed = obj.simbotIsReceptacleOf
        if isinstance(listed, tuple) and not names.isdisjoint(listed):
            kept = tuple(name for name in listed if name not in names)
            yield SetProperty(obj.objectId, "simbotIsReceptacleOf", kept)


def _changed_objects(now: Snapshot, before: Snapshot | None) -> Sequence[ObjectState]:
    """Return the objects that are not the very ones that they were before; all if not known."""
    if before is None:
        return now.objects
    count = len(before.objects)
    pairs = zip(now.objects, before.objects, strict=False)
    return [*(obj for obj, was in pairs if obj is not was), *now.objects[count:]]


def _objects_inside(
    now: Snapshot, objects: Iterable[ObjectState], receptacles: set[str]
) -> Iterator[ObjectState]:
    if receptacles:
        for obj in objects:
            parents = obj.parentReceptacles
            if parents is None and isinstance(obj.simbotLastParentReceptacle, str):
                parents = parent_receptacles_of(obj, now)
            if parents and not receptacles.isdisjoint(parents):
                yield obj


def history_effects(now: Snapshot, before: Snapshot) -> list[SetProperty]:
    """Return ALFRED's marks that an action brought to objects: heated, cooled, cleaned.

    `before` is the state before the action.  The marks are history, not temperature: a hot potato
    that is put into a fridge stays heated.  ALFRED's `env/thor_env.py` sets them for what is in a
    microwave when it is switched on, in a fridge when it is closed, and in the sink basin nearest
    to a faucet when that is switched on.  TEACh's files do not have them.
    """
    return [
        SetProperty(obj.objectId, mark, True)
        for mark, receptacle in _acting_receptacles(now, before)
        for obj in now.objects
        if not getattr(obj, mark) and receptacle in parent_receptacles_of(obj, now)
    ]


def _acting_receptacles(now: Snapshot, before: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield pairs of a mark and the id of a receptacle whose contents just got it."""
    for oven in now.of_type("Microwave"):
        if oven.isToggled and not _before(oven, before).isToggled:
            yield "wasHeated", oven.objectId
    for fridge in now.of_type("Fridge"):
        if not fridge.isOpen and _before(fridge, before).isOpen:
            yield "wasCooled", fridge.objectId
    for faucet in now.of_type("Faucet"):
        if faucet.isToggled and not _before(faucet, before).isToggled:
            basins = now.of_type("SinkBasin")
            if basins:
                nearest = min(basins, key=lambda basin: dist(basin.position, faucet.position))
                yield "wasCleaned", nearest.objectId


def _before(obj: ObjectState, before: Snapshot) -> ObjectState:
    return before.get(obj.objectId) or obj


def unmet_precondition(verb: Verb, held: ObjectState | None) -> str | None:
    """Return why an interaction cannot be tried at all, or None (spec 2.3.2)."""
    if verb is Verb.PLACE and held is None:
        return "Place: ObjectInteraction only supported when holding an object"
    if verb is Verb.SLICE and (held is None or held.objectType not in KNIFE_TYPES):
        return "Slice: ObjectInteraction only supported for held object Knife"
    if verb is Verb.POUR and (held is None or not held.isFilledWithLiquid):
        return "Pour: ObjectInteraction needs a held object filled with liquid"
    return None


def no_target_message(action: Action) -> str:
    """Return the message for a click that resolves to no object."""
    click = action.click
    if click is None:
        return f"{action.verb} needs a click: Could not find a target object"
    return f"Could not find a target object for {action.verb} at ({click.x:.2f}, {click.y:.2f})"


def too_far_message(verb: Verb) -> str:
    """Return the message for a click on an object out of reach."""
    return f"Agent {Role.FOLLOWER} is too far away to {verb}"


def bookkeeping_effects(
    verb: Verb, target: ObjectState, held: ObjectState | None, now: Snapshot
) -> list[SetProperty]:
    """Return the bookkeeping of a success (spec 2.2); `held` is from before it, `now` after."""
    if verb is Verb.PICKUP:
        return [
            SetProperty(target.objectId, "simbotPickedUp", 1),
            SetProperty(target.objectId, "simbotLastParentReceptacle", None),
            *_remove_from_lists(now.objects, {target.objectId}),
        ]
    if verb is Verb.PLACE and held is not None:
        effects = [SetProperty(held.objectId, "simbotLastParentReceptacle", target.objectId)]
        obj = now.get(target.objectId)
        if obj is not None and held.objectId not in _listed_contents(obj):
            names = (*_listed_contents(obj), held.objectId)
            effects.append(SetProperty(obj.objectId, "simbotIsReceptacleOf", names))
        return effects
    if verb is Verb.POUR and held is not None:
        return [SetProperty(held.objectId, "simbotIsFilledWithCoffee", False)]
    return []


def success_result(action: Action, target: ObjectState) -> ActionResult:
    """Return the result of an interaction that succeeded."""
    if action.verb is Verb.PICKUP:
        message = f"picked up {target.objectType}"
    elif action.verb is Verb.PLACE:
        message = f"placed in {target.objectId}"
    else:
        assert action.click is not None
        message = f"{action.verb} @ ({action.click.x:.2f}, {action.click.y:.2f})"
    return ActionResult(True, message, None, target.objectId)


def refusal_result(message: str) -> ActionResult:
    """Return the result of a refused action, with its hint."""
    return ActionResult(False, message, HINT_BY_CODE.get(refusals.refusal_code_of(message)))


HINT_BY_CODE: dict[refusals.RefusalCode, str] = {
    refusals.RefusalCode(code): hint for code, hint in refusals.TABLE["hints"].items()
}
"""What people are told to do about a refused action (spec 2.15); TEACh has no other hints."""
