"""What a task cannot be done without: interactions and places, from its start alone.

This is a relaxation, so that the count is a lower bound whatever the agents do.  What a
single property needs stands with its facts in `tatc.planners.properties`.  An object that
must get into other places (a sink, the coffee machine, a heater, the receptacle that a
relation asks for) has to be picked up and put down for each, unless the places lie in one
another; an object on something portable may come along with it.  Left out are doors,
obstacles, putting down knives, switching off, and all that depends on luck.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tatc.home.state import ObjectState, Snapshot
from tatc.planners.properties import AlternativeIds, StartMeans, facts_of, object_ids
from tatc.tdl.check_tree import determiner_count, whole_food_of
from tatc.tdl.definition import AtomicComponent, Component, Determiner, NestedTask, TaskDefinition
from tatc.tdl.properties import (
    IMMUTABLE_PROPERTIES,
    compile_property_test,
    is_of_type_or_class,
    parent_receptacles_of,
)


@dataclass(frozen=True, slots=True)
class InteractionNeed:
    """What one component needs.

    Some of the `candidates` must be acted on, with `own_interactions` interactions in all and
    `carrying_interactions` for one of them.  `shared_interactions` may serve other components
    too: by name, with what they act on (empty where that moves).  The Follower has to go to
    each of `places_to_visit`.
    """

    candidates: AlternativeIds
    own_interactions: int
    carrying_interactions: int
    shared_interactions: Mapping[str, AlternativeIds]
    places_to_visit: tuple[AlternativeIds, ...]


def interaction_needs_of(
    definition: TaskDefinition, start: Snapshot
) -> tuple[InteractionNeed, ...]:
    """Return what the components of an expanded definition need, each on its own."""
    return tuple(_NeedFinder(start).find_needs(definition, 1, ()))


@dataclass(frozen=True, slots=True)
class _CandidateNeed:
    """What one candidate needs: places to get to, and interactions.

    `own_interactions` can serve nothing else; `carrying_interactions` may serve what is carried
    along.  `must_be_reached` says whether the Follower must get to where it is.
    """

    object_id: str
    places: tuple[AlternativeIds, ...]
    own_interactions: int
    carrying_interactions: int
    shared_interactions: Mapping[str, AlternativeIds]
    must_be_reached: bool


class _NeedFinder:
    """Finds what the components of a definition need in one start state."""

    def __init__(self, start: Snapshot) -> None:
        self._start = start
        self._means = StartMeans(start)

    def find_needs(
        self, definition: TaskDefinition, times: int, anchor_places: tuple[AlternativeIds, ...]
    ) -> Iterator[InteractionNeed]:
        """Yield the needs of components; the anchor's object must be in `anchor_places`."""
        for key, component in definition.components:
            count = determiner_count(component.determiner, definition)
            if not count:
                continue
            places = self._required_places(definition, key, component.determiner)
            if key == definition.anchor:
                places += anchor_places
            if isinstance(component, NestedTask):
                yield from self.find_needs(component.task, times * count, places)
            else:
                shared = component.is_shareable
                need = self._component_need(component, 1 if shared else times * count, places)
                if need is not None:
                    yield need

    def _required_places(
        self, definition: TaskDefinition, key: str, determiner: Determiner
    ) -> tuple[AlternativeIds, ...]:
        """Return the places in which all of a component's objects must be."""
        found: list[AlternativeIds] = []
        for relation in definition.relations:
            heads = dict(relation.heads)
            tail = definition.find_component(relation.tail)
            if key in heads and heads[key] == determiner and tail is not None:
                found.append(self._candidates(_anchor_component(tail)))
        return tuple(found)

    def _component_need(
        self, atomic: AtomicComponent, count: int, places: tuple[AlternativeIds, ...]
    ) -> InteractionNeed | None:
        objects = self._candidates(atomic)
        changes = [self._candidate_need(self._object(i), atomic, places) for i in sorted(objects)]
        if whole_food_of(atomic.primary_value) is not None:
            count = 1  # one whole food may give all the pieces
        elif atomic.determiner == "all":
            count = len(changes)
        if not changes:
            return None
        every = count >= len(changes)
        least = sorted(change.own_interactions for change in changes)
        further = [change.carrying_interactions for change in changes]
        return InteractionNeed(
            objects,
            sum(least[:count]),
            max(further) if every else min(further),
            _common_interactions(changes, every=every),
            tuple(_iter_places_to_visit(changes, every=every)),
        )

    def _candidate_need(
        self, obj: ObjectState, atomic: AtomicComponent, places: tuple[AlternativeIds, ...]
    ) -> _CandidateNeed:
        wanted = [place for place in places if not self._is_inside(obj, place)]
        own, interactions, stays = 0, dict[str, AlternativeIds](), True
        for name, desired in atomic.conditions:
            if compile_property_test(name, desired)(obj, self._start):
                continue
            need = facts_of(name).need_of(self._means, obj, desired)
            own += need.own_interactions
            interactions |= need.shared_interactions
            stays = stays and need.stays_in_place
            if need.place is not None and not self._is_inside(obj, need.place):
                wanted.append(need.place)
        carried = any(
            parent is not None and parent.affordances.pickupable
            for parent in map(self._start.get, parent_receptacles_of(obj, self._start))
        )
        merged = self._merge_places(wanted)
        is_moved = bool(merged or own or not stays)
        fetches = bool(merged) and not carried  # picked up and put down for itself alone
        own += 2 if fetches else 0
        carrying = 2 * (len(merged) - fetches)
        return _CandidateNeed(obj.objectId, merged, own, carrying, interactions, is_moved)

    def _merge_places(self, places: Iterable[AlternativeIds]) -> tuple[AlternativeIds, ...]:
        """Join places that an object can be in at the same time."""

        def coincide(one: AlternativeIds, other: AlternativeIds) -> bool:
            pairs = ((one, other), (other, one))
            is_within = any(self._is_inside(self._object(i), b) for a, b in pairs for i in a)
            return bool(one & other) or is_within

        apart: list[AlternativeIds] = []
        for place in places:
            joined = [other for other in apart if coincide(place, other)]
            apart = [other for other in apart if other not in joined]
            apart.append(place.union(*joined))
        return tuple(apart)

    def _is_inside(self, obj: ObjectState, place: AlternativeIds) -> bool:
        return not place.isdisjoint(parent_receptacles_of(obj, self._start))

    def _candidates(self, atomic: AtomicComponent) -> AlternativeIds:
        """Return what can become as a component asks."""
        base = whole_food_of(atomic.primary_value)
        tests = [
            compile_property_test(name, want)
            for name, want in atomic.conditions
            if name in IMMUTABLE_PROPERTIES
        ]
        return object_ids(
            obj
            for obj in self._start.objects
            if all(test(obj, self._start) for test in tests)
            or (base is not None and is_of_type_or_class(obj, base))
        )

    def _object(self, object_id: str) -> ObjectState:
        return self._start.objects[self._start.object_index.by_id[object_id]]


def _anchor_component(component: Component) -> AtomicComponent:
    """Return a component, or that which stands for a task within it."""
    while isinstance(component, NestedTask):
        task = component.task
        inner = task.find_component(task.anchor) if task.anchor else None
        component = inner or task.components[0][1]
    return component


def _common_interactions(
    changes: list[_CandidateNeed], *, every: bool
) -> dict[str, AlternativeIds]:
    """Return the interactions that these need: any of them, or (where one will do) each."""
    interactions = {
        name: ids for change in changes for name, ids in change.shared_interactions.items()
    }
    return {
        name: interactions[name]
        for name in sorted(interactions)
        if every or all(name in change.shared_interactions for change in changes)
    }


def _iter_places_to_visit(
    changes: list[_CandidateNeed], *, every: bool
) -> Iterator[AlternativeIds]:
    if every:
        yield from (frozenset((c.object_id,)) for c in changes if c.must_be_reached)
    elif all(change.must_be_reached for change in changes):
        yield frozenset(change.object_id for change in changes)
    places = dict.fromkeys(place for change in changes for place in change.places)
    for place in places:
        if every or all(place in change.places for change in changes):
            yield place
    yield from (ids for ids in _common_interactions(changes, every=every).values() if ids)
