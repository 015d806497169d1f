"""TEACh's rules of water, coffee, heat and slices, for every backend (spec 2.6-2.8).

A rule reads the objects and returns effects: what a backend must then do.  `Clean` and
`FillWater` change AI2-THOR's own state (forced actions there), `Mark` sets one of
TEACh's properties on an object, or removes it with `ABSENT`.  Which properties exist
matters as much as their values, so nothing here sets one that TEACh would not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import dist

from tatc.metadata import SIMBOT
from tatc.state import ABSENT, ObjectState, Snapshot
from tatc.tdl.properties import parents_of


@dataclass(frozen=True, slots=True)
class Clean:
    """Dirt goes off an object."""

    object_id: str


@dataclass(frozen=True, slots=True)
class FillWater:
    """An object is filled with water, whatever it held."""

    object_id: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A simbot property of an object takes a value, or goes with `ABSENT`."""

    object_id: str
    name: str
    value: object


Effect = Clean | FillWater | Mark


def run_rules(
    look: Callable[[], Snapshot],
    apply: Callable[[Sequence[Effect]], None],
    before: Snapshot | None,
) -> None:
    """Run rules 2.7 and 2.8 in TEACh's order, each on what the one before it left.

    `look` reads the present state, `apply` carries effects out; `before` is the state
    ahead of the action, None at a state capture.
    """
    apply(running_water(look()))
    apply(coffee(look(), before))
    apply(cooked(look()))
    if before is not None:
        apply(boiled(look(), before))


def running_water(now: Snapshot) -> list[Effect]:
    """Return what running water does to all that lies in a sink or tub (spec 2.7).

    A basin runs where the faucet nearest to it is on.
    """
    faucets = now.of_type("Faucet")
    if not any(faucet.isToggled for faucet in faucets):
        return []
    running = {
        basin.objectId
        for basin in _of_types(now, "Sink", "Bathtub")
        if min(faucets, key=lambda f: dist(f.position, basin.position)).isToggled
    }
    effects: list[Effect] = []
    for thing in _inside(now, running):
        if thing.isDirty:
            effects.append(Clean(thing.objectId))
        if thing.affordances.canFillWithLiquid:
            effects.append(FillWater(thing.objectId))
            effects.append(Mark(thing.objectId, "simbotIsFilledWithWater", 1))
    return effects


def coffee(now: Snapshot, before: Snapshot | None) -> list[Effect]:
    """Return the vessels that a running coffee machine has just filled (spec 2.8).

    Without a state ahead of the action any filled vessel in it counts.
    """
    running = {
        machine.objectId
        for machine in _of_types(now, "CoffeeMachine")
        if machine.isToggled
    }
    effects: list[Effect] = []
    for thing in _inside(now, running):
        if not (thing.affordances.canFillWithLiquid and thing.isFilledWithLiquid):
            continue
        earlier = before.get(thing.objectId) if before is not None else None
        if earlier is None or not earlier.isFilledWithLiquid:
            effects.append(Mark(thing.objectId, "simbotIsFilledWithCoffee", True))
    return effects


def cooked(now: Snapshot) -> list[Effect]:
    """Return what TEACh holds to be cooked and has not marked so yet (spec 2.8)."""
    hot = {o.objectId for o in _of_types(now, "Microwave") if o.isToggled}
    for burner in _of_types(now, "StoveBurner"):
        if "Hot" in burner.ObjectTemperature:
            hot.add(burner.objectId)
    effects: list[Effect] = []
    for thing in now.objects:
        if thing.simbotIsCooked is True:
            continue
        able = thing.affordances.cookable and bool(hot)
        if thing.isCooked or (able and not hot.isdisjoint(_parents(thing, now))):
            effects.append(Mark(thing.objectId, "simbotIsCooked", True))
    return effects


def boiled(now: Snapshot, before: Snapshot) -> list[Effect]:
    """Return what cooked just now with liquid in a receptacle of its (spec 2.8).

    Only AI2-THOR's own isCooked counts; a receptacle once filled in a running sink
    counts for ever, for TEACh never clears its mark.
    """
    effects: list[Effect] = []
    for thing in now.objects:
        if not thing.isCooked or thing.simbotIsBoiled is True:
            continue
        earlier = before.get(thing.objectId)
        if earlier is not None and earlier.isCooked:
            continue
        parents = (now.get(parent) for parent in _parents(thing, now))
        if any(p is not None and _wet(p) for p in parents):
            effects.append(Mark(thing.objectId, "simbotIsBoiled", True))
    return effects


def picked_up(held: str, objects: Iterable[ObjectState]) -> list[Effect]:
    """Return the bookkeeping of a successful Pickup (spec 2.2)."""
    effects: list[Effect] = [
        Mark(held, "simbotPickedUp", 1),
        Mark(held, "simbotLastParentReceptacle", None),
    ]
    return effects + list(_unlisted(objects, {held}))


def placed(held: str, receptacle: str | None, now: Snapshot) -> list[Effect]:
    """Return the bookkeeping of a successful Place (spec 2.2).

    `receptacle` is what the click resolved to, which need not be where it landed.
    """
    effects: list[Effect] = [Mark(held, "simbotLastParentReceptacle", receptacle)]
    thing = now.get(receptacle) if receptacle is not None else None
    if thing is not None and held not in _listed(thing):
        names = (*_listed(thing), held)
        effects.append(Mark(thing.objectId, "simbotIsReceptacleOf", names))
    return effects


def inherited(now: Snapshot) -> list[Effect]:
    """Return what slices take over from the whole object (spec 2.6).

    Every object whose id holds "Sliced" or "Cracked" gets a copy of the properties of
    its base, as long as the base has any; then the bases lose theirs, and lists that
    name them drop them.
    """
    effects: list[Effect] = []
    bases: dict[str, None] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for piece, base in _pieces(now):
        bases[base.objectId] = None
        effects.extend(Mark(piece.objectId, n, getattr(base, n)) for n in SIMBOT)
        last = base.simbotLastParentReceptacle
        above = now.get(last) if isinstance(last, str) else None
        if above is not None:
            known = lists.get(above.objectId, _listed(above))
            if piece.objectId not in known:
                lists[above.objectId] = (*known, piece.objectId)
    for last, names in lists.items():
        kept = tuple(name for name in names if name not in bases)
        effects.append(Mark(last, "simbotIsReceptacleOf", kept))
    others = (thing for thing in now.objects if thing.objectId not in lists)
    effects.extend(_unlisted(others, bases))
    for thing in now.objects:
        if thing.simbotLastParentReceptacle in bases:
            effects.append(Mark(thing.objectId, "simbotLastParentReceptacle", None))
    for base_id in bases:
        effects.extend(Mark(base_id, name, ABSENT) for name in SIMBOT)
    return effects


def _pieces(now: Snapshot) -> Iterator[tuple[ObjectState, ObjectState]]:
    """Yield slices and cracked eggs with a base that still has properties."""
    for piece in now.objects:
        if "Sliced" in piece.objectId or "Cracked" in piece.objectId:
            base = now.get(piece.objectId.rsplit("|", 1)[0])
            if base is not None and _owns(base):
                yield piece, base


def _owns(thing: ObjectState) -> bool:
    return any(getattr(thing, name) is not ABSENT for name in SIMBOT)


def _listed(thing: ObjectState) -> tuple[str, ...]:
    names = thing.simbotIsReceptacleOf
    return names if isinstance(names, tuple) else ()


def _unlisted(objects: Iterable[ObjectState], gone: Iterable[str]) -> Iterator[Effect]:
    names = set(gone)
    for thing in objects:
        listed = _listed(thing)
        if not names.isdisjoint(listed):
            kept = tuple(name for name in listed if name not in names)
            yield Mark(thing.objectId, "simbotIsReceptacleOf", kept)


def _of_types(now: Snapshot, *parts: str) -> tuple[ObjectState, ...]:
    types = (t for t in now.roster.types if any(part in t for part in parts))
    return now.of_type(*types)


def _parents(thing: ObjectState, now: Snapshot) -> tuple[str, ...]:
    known = thing.parentReceptacles
    return parents_of(thing, now) if known is None else known


def _inside(now: Snapshot, receptacles: set[str]) -> Iterator[ObjectState]:
    if receptacles:
        for thing in now.objects:
            if not receptacles.isdisjoint(_parents(thing, now)):
                yield thing


def _wet(thing: ObjectState) -> bool:
    filled = thing.simbotIsFilledWithWater
    return thing.isFilledWithLiquid or (filled is not ABSENT and bool(filled))
