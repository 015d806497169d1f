"""What a task cannot be done without: interactions and places, from its start alone.

A relaxation, so that what is counted is a lower bound whatever the agents do.  It
knows that a thing that must get into other places (a sink to be cleaned, the coffee
machine, something hot, the receptacle that a relation asks for) has to be picked up and
put down for each, unless the places lie in one another; that a thing which stands on
something that can be carried may come along with it; and that water, coffee, heat,
cutting and pouring take an interaction of their own.  It leaves out doors, what stands
in the way, the putting down of knives, switching off, and all that depends on luck.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tatc.actions import KNIVES
from tatc.state import ObjectState, Snapshot
from tatc.tdl.definition import Atomic, Component, Determiner, Nested, TaskDefinition
from tatc.tdl.matching import base_of
from tatc.tdl.program import number_of
from tatc.tdl.properties import (
    AFFORDANCES,
    compile_test,
    is_kind,
    parents_of,
)

Ids = frozenset[str]
"""Object ids of which any one will do."""

_HEATERS = ("Microwave", "Toaster", "StoveBurner", "StoveKnob")


@dataclass(frozen=True, slots=True)
class Need:
    """What one component needs.

    `count` of the `candidates` must be acted on with `cost` interactions in all, and
    `further` ones for one of them; `deeds` are interactions that may serve other
    components too, by name, with what they act on (empty where that moves); `visits`
    are places that have to be gone to.
    """

    candidates: Ids
    cost: int
    further: int
    deeds: Mapping[str, Ids]
    visits: tuple[Ids, ...]


@dataclass(frozen=True, slots=True)
class _Change:
    """What one candidate needs: places to get to, and interactions of its own."""

    thing: ObjectState
    places: tuple[Ids, ...]
    own: int
    deeds: Mapping[str, Ids]
    carried: bool
    stays: bool

    @property
    def first(self) -> int:
        """Interactions that can serve nothing else."""
        return self.own + (2 if self.places and not self.carried else 0)

    @property
    def further(self) -> int:
        """Interactions that may serve what is carried along."""
        return 2 * (len(self.places) - (0 if self.carried else bool(self.places)))

    @property
    def touched(self) -> bool:
        """Whether the Follower must get to where it is."""
        return bool(self.places or self.own or not self.stays)


def needs_of(definition: TaskDefinition, start: Snapshot) -> tuple[Need, ...]:
    """Return what the components of an expanded definition need, each on its own."""
    look = _Look(start)
    return tuple(look.needs(definition, 1, ()))


class _Look:
    """A start state, and what stands for the means that tasks need."""

    def __init__(self, start: Snapshot) -> None:
        self._start = start
        self._sinks = self._ids(
            t for t in start.objects if "Sink" in t.objectType or "Bath" in t.objectType
        )
        self._machines = self._typed("CoffeeMachine")
        self._heaters = self._typed(*_HEATERS)
        self._faucets = self._typed("Faucet")
        self._filled = any(
            t.isFilledWithLiquid or t.simbotIsFilledWithWater for t in start.objects
        )

    def needs(
        self, definition: TaskDefinition, times: int, anchored: tuple[Ids, ...]
    ) -> Iterator[Need]:
        """Yield the needs of a definition's components.

        `anchored` are places in which the component that stands for the task must be.
        """
        for key, component in definition.components:
            count = number_of(component.determiner, definition)
            if not count:
                continue
            places = self._tails(definition, key, component.determiner)
            if key == definition.anchor:
                places += anchored
            if isinstance(component, Nested):
                yield from self.needs(component.task, times * count, places)
            else:
                shared = component.shareable
                need = self._need(component, 1 if shared else times * count, places)
                if need is not None:
                    yield need

    def _tails(
        self, definition: TaskDefinition, key: str, determiner: Determiner
    ) -> tuple[Ids, ...]:
        """Return the places in which all of a component's objects must be."""
        found: list[Ids] = []
        for relation in definition.relations:
            heads = dict(relation.heads)
            tail = definition.component(relation.tail)
            if key in heads and heads[key] == determiner and tail is not None:
                found.append(self._candidates(_atomic(tail)))
        return tuple(found)

    def _need(self, atomic: Atomic, count: int, places: tuple[Ids, ...]) -> Need | None:
        things = self._candidates(atomic)
        changes = [self._change(self._get(i), atomic, places) for i in sorted(things)]
        if base_of(atomic.wanted) is not None:
            count = 1  # one whole food may give all the pieces
        elif atomic.determiner == "all":
            count = len(changes)
        if not changes:
            return None
        every = count >= len(changes)
        least = sorted(change.first for change in changes)
        further = [change.further for change in changes]
        return Need(
            things,
            sum(least[:count]),
            max(further) if every else min(further),
            _shared(changes, every=every),
            tuple(_visits(changes, every=every)),
        )

    def _change(
        self, thing: ObjectState, atomic: Atomic, places: tuple[Ids, ...]
    ) -> _Change:
        wanted = [place for place in places if not self._inside(thing, place)]
        own, deeds, stays = 0, dict[str, Ids](), True
        for name, want in atomic.conditions:
            if compile_test(name, want)(thing, self._start):
                continue
            match name:
                case "objectType":  # a whole food to be cut
                    stays = False
                    deeds |= self._cut(thing)
                case "isDirty" if not want:
                    self._put_into(thing, self._sinks, wanted)
                    deeds |= self._switched("water", self._faucets)
                case "simbotIsFilledWithCoffee":
                    self._put_into(thing, self._machines, wanted)
                    deeds |= self._switched("coffee", self._machines)
                case "isCooked" | "simbotIsCooked" | "simbotIsBoiled":
                    self._put_into(thing, self._heaters, wanted)
                    deeds |= self._switched("heat", self._heaters)
                    if name == "simbotIsBoiled" and not self._filled:
                        deeds["fill"] = self._sinks | self._faucets
                case "isFilledWithLiquid" if want and not thing.affordances.pickupable:
                    stays = False
                    deeds |= {"pour": frozenset[str]()} | self._fetched_water()
                case "isToggled" | "isOpen" if _switches(thing, name):
                    own += 1
                case _:
                    pass
        carried = any(
            parent is not None and parent.affordances.pickupable
            for parent in map(self._start.get, parents_of(thing, self._start))
        )
        return _Change(thing, self._merged(wanted), own, deeds, carried, stays)

    def _put_into(self, thing: ObjectState, place: Ids, wanted: list[Ids]) -> None:
        if not self._inside(thing, place):
            wanted.append(place)

    def _switched(self, name: str, switches: Ids) -> dict[str, Ids]:
        """Return the switching on that is needed, none where something is on."""
        running = any(
            thing.isToggled or thing.ObjectTemperature == "Hot"
            for thing in map(self._get, switches)
        )
        return {} if running or not switches else {name: switches}

    def _cut(self, thing: ObjectState) -> dict[str, Ids]:
        deeds: dict[str, Ids] = {f"cut {thing.objectType}": frozenset()}
        knives = self._typed(*KNIVES)
        if thing.objectType != "Egg" and knives:
            deeds["knife"] = knives
        return deeds

    def _fetched_water(self) -> dict[str, Ids]:
        """Return what it takes to hold something full of water."""
        vessels = self._ids(
            thing
            for thing in self._start.objects
            if thing.affordances.canFillWithLiquid and thing.affordances.pickupable
        )
        deeds = {} if self._filled else {"fill": self._sinks | self._faucets}
        return deeds | {"vessel": vessels}

    def _merged(self, places: Iterable[Ids]) -> tuple[Ids, ...]:
        """Join places that a thing can be in at the same time."""
        apart: list[Ids] = []
        for place in places:
            joined = [other for other in apart if self._meet(place, other)]
            apart = [other for other in apart if other not in joined]
            apart.append(place.union(*joined))
        return tuple(apart)

    def _meet(self, one: Ids, other: Ids) -> bool:
        return bool(one & other) or any(
            self._inside(self._get(i), b)
            for a, b in ((one, other), (other, one))
            for i in a
        )

    def _inside(self, thing: ObjectState, place: Ids) -> bool:
        return not place.isdisjoint(parents_of(thing, self._start))

    def _candidates(self, atomic: Atomic) -> Ids:
        """Return what can become as a component asks."""
        base = base_of(atomic.wanted)
        tests = [
            compile_test(name, want)
            for name, want in atomic.conditions
            if name in AFFORDANCES or name in ("objectType", "simbotObjectClass")
        ]
        return self._ids(
            thing
            for thing in self._start.objects
            if all(test(thing, self._start) for test in tests)
            or (base is not None and is_kind(thing, base))
        )

    def _get(self, object_id: str) -> ObjectState:
        return self._start.objects[self._start.roster.index[object_id]]

    def _typed(self, *types: str) -> Ids:
        return self._ids(self._start.of_type(*types))

    @staticmethod
    def _ids(things: Iterable[ObjectState]) -> Ids:
        return frozenset(thing.objectId for thing in things)


def _atomic(component: Component) -> Atomic:
    """Return a component, or that which stands for a task within it."""
    while isinstance(component, Nested):
        task = component.task
        inner = task.component(task.anchor) if task.anchor else None
        component = inner or task.components[0][1]
    return component


def _switches(thing: ObjectState, name: str) -> bool:
    able = thing.affordances
    return able.toggleable if name == "isToggled" else able.openable


def _shared(changes: list[_Change], *, every: bool) -> dict[str, Ids]:
    """Return the deeds that all of these need, or (where one will do) each of them."""
    deeds = {name: ids for change in changes for name, ids in change.deeds.items()}
    return {
        name: deeds[name]
        for name in sorted(deeds)
        if every or all(name in change.deeds for change in changes)
    }


def _visits(changes: list[_Change], *, every: bool) -> Iterator[Ids]:
    if every:
        yield from (frozenset((c.thing.objectId,)) for c in changes if c.touched)
    elif all(change.touched for change in changes):
        yield frozenset(change.thing.objectId for change in changes)
    places = dict.fromkeys(place for change in changes for place in change.places)
    for place in places:
        if every or all(place in change.places for change in changes):
            yield place
    yield from (ids for ids in _shared(changes, every=every).values() if ids)
