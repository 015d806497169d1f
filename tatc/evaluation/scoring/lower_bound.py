"""A lower bound on the Follower's primitives in a session, from its start alone.

The bound is the number of interactions that the task needs at least (`tatc.planners.properties`),
plus the steps, without turns and looks, of a shortest walk to within reach of one object of each
kind to be acted on.

The needed interactions are a relaxation, so that the bound holds whatever the agents do.  An object
is picked up and put down for each place that it must get into, unless the places lie in one
another; one on something portable may come along with it.  Left out are doors, obstacles, putting
down knives, switching off, and all that depends on luck.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

from tatc.home import state, type_facts
from tatc.home.actions import GRID_SIZE_METRES, INTERACTION_REACH_METRES, Cell, cell_of
from tatc.planners.properties import AlternativeIds, StartMeans, facts_of, object_ids
from tatc.tdl import Task, check_tree, properties
from tatc.tdl.definition import AtomicComponent, Component, Determiner, NestedTask, TaskDefinition


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
    definition: TaskDefinition, start: state.Snapshot
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
    def __init__(self, start: state.Snapshot) -> None:
        self._start = start
        self._means = StartMeans(start)

    def find_needs(
        self, definition: TaskDefinition, times: int, anchor_places: tuple[AlternativeIds, ...]
    ) -> Iterator[InteractionNeed]:
        """Yield the needs of components; the anchor's object must be in `anchor_places`."""
        for key, component in definition.components:
            count = check_tree.determiner_count(component.determiner, definition)
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
        if check_tree.whole_food_of(atomic.primary_value) is not None:
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
        self, obj: state.ObjectState, atomic: AtomicComponent, places: tuple[AlternativeIds, ...]
    ) -> _CandidateNeed:
        wanted = [place for place in places if not self._is_inside(obj, place)]
        own, interactions, stays = 0, dict[str, AlternativeIds](), True
        for name, desired in atomic.conditions:
            if properties.compile_property_test(name, desired)(obj, self._start):
                continue
            need = facts_of(name).need_of(self._means, obj, desired)
            own += need.own_interactions
            interactions |= need.shared_interactions
            stays = stays and need.stays_in_place
            if need.place is not None and not self._is_inside(obj, need.place):
                wanted.append(need.place)
        carried = any(
            parent is not None and parent.affordances.pickupable
            for parent in map(self._start.get, properties.parent_receptacles_of(obj, self._start))
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

    def _is_inside(self, obj: state.ObjectState, place: AlternativeIds) -> bool:
        return not place.isdisjoint(properties.parent_receptacles_of(obj, self._start))

    def _candidates(self, atomic: AtomicComponent) -> AlternativeIds:
        """Return what can become as a component asks."""
        base = check_tree.whole_food_of(atomic.primary_value)
        tests = [
            properties.compile_property_test(name, want)
            for name, want in atomic.conditions
            if name in properties.IMMUTABLE_PROPERTIES
        ]
        return object_ids(
            obj
            for obj in self._start.objects
            if all(test(obj, self._start) for test in tests)
            or (base is not None and properties.is_of_type_or_class(obj, base))
        )

    def _object(self, object_id: str) -> state.ObjectState:
        return self._start.objects[self._start.object_index.by_id[object_id]]


def _anchor_component(component: Component) -> AtomicComponent:
    """Return a component, or that which stands for a task within it."""
    while isinstance(component, NestedTask):
        task = component.task
        inner = task.find_component(task.anchor) if task.anchor else None
        component = inner or task.components[0][1]
    return component


def _common_interactions(needs: list[_CandidateNeed], *, every: bool) -> dict[str, AlternativeIds]:
    """Return the interactions that these need: any of them, or (where one will do) each."""
    interactions = {k: ids for each in needs for k, ids in each.shared_interactions.items()}
    return {
        name: interactions[name]
        for name in sorted(interactions)
        if every or all(name in need.shared_interactions for need in needs)
    }


def _iter_places_to_visit(needs: list[_CandidateNeed], *, every: bool) -> Iterator[AlternativeIds]:
    if every:
        yield from (frozenset((c.object_id,)) for c in needs if c.must_be_reached)
    elif all(need.must_be_reached for need in needs):
        yield frozenset(need.object_id for need in needs)
    for place in dict.fromkeys(place for need in needs for place in need.places):
        if every or all(place in need.places for need in needs):
            yield place
    yield from (ids for ids in _common_interactions(needs, every=every).values() if ids)


_DOOR_EXTRA_REACH_METRES = 0.8
"""How much nearer an object may come that opens, or that lies in one that opens."""
_MAX_STOPS = 7


def lower_bound(task: Task, start: state.Snapshot, reachable: Iterable[state.Pose]) -> int:
    """Return a lower bound on the Follower's primitives for a task; it can walk to these poses."""
    if task.check(start).success:
        return 0
    needs = interaction_needs_of(task.definition, start)
    floor = frozenset(cell_of(pose.x, pose.z) for pose in reachable)
    stops = _required_stops(needs, start, floor)
    body = start.follower.pose
    walk = _shortest_tour_steps(cell_of(body.x, body.z), stops, floor)
    return max(1, min_interaction_count(needs) + walk)


def min_interaction_count(needs: Sequence[InteractionNeed]) -> int:
    """Return a lower bound on the interactions.

    Of components that may share an object the neediest counts; a shared interaction counts once.
    """
    taken: set[str] = set()
    total = 0
    for need in sorted(needs, key=lambda need: -need.own_interactions):
        if need.own_interactions and taken.isdisjoint(need.candidates):
            taken |= need.candidates
            total += need.own_interactions
    interactions = {name: ids for need in needs for name, ids in need.shared_interactions.items()}
    total += sum(taken.isdisjoint(ids) for ids in interactions.values())
    return total + max((need.carrying_interactions for need in needs), default=0)


def _required_stops(
    needs: Sequence[InteractionNeed], start: state.Snapshot, floor: frozenset[Cell]
) -> list[frozenset[Cell]]:
    """Return, for each visit, the cells from which it can be made; the farthest apart."""
    visits = dict.fromkeys(ids for need in needs for ids in need.places_to_visit)
    here = cell_of(start.follower.pose.x, start.follower.pose.z)
    stops = dict.fromkeys(_cells_in_reach(ids, start, floor) for ids in visits)
    found = [stop for stop in stops if stop and here not in stop]
    # One stop that holds all of another's cells is passed with it.
    found = [a for a in found if not any(b < a for b in found)]
    return sorted(found, key=lambda stop: (len(stop), sorted(stop)))[:_MAX_STOPS]


def _cells_in_reach(
    ids: AlternativeIds, start: state.Snapshot, floor: frozenset[Cell]
) -> frozenset[Cell]:
    """Return the cells whose middle is within reach of a box, seen from above."""
    areas: list[tuple[state.Vec3, state.Vec3, float]] = []
    for obj in (obj for i in sorted(ids) if (obj := start.get(i)) is not None):
        around = (obj, *map(start.get, properties.parent_receptacles_of(obj, start)))
        opens = any(each is not None and each.affordances.openable for each in around)
        reach = INTERACTION_REACH_METRES + (_DOOR_EXTRA_REACH_METRES if opens else 0.0)
        areas.append((*obj.box.bounds(), reach))

    def is_in_reach(cell: Cell, low: state.Vec3, high: state.Vec3, reach: float) -> bool:
        x, z = cell[0] * GRID_SIZE_METRES, cell[1] * GRID_SIZE_METRES
        dx = max(low[0] - x, 0.0, x - high[0])
        dz = max(low[2] - z, 0.0, z - high[2])
        return dx * dx + dz * dz <= reach * reach

    return frozenset(cell for cell in floor if any(is_in_reach(cell, *area) for area in areas))


def _shortest_tour_steps(
    here: Cell, stops: Sequence[frozenset[Cell]], floor: frozenset[Cell]
) -> int:
    if not stops:
        return 0
    first = _walk_distances(frozenset((here,)), stops, floor)
    between = [_walk_distances(stop, stops, floor) for stop in stops]
    return min(
        first[order[0]] + sum(between[here][there] for here, there in pairwise(order))
        for order in permutations(range(len(stops)))
    )


def _walk_distances(
    source: frozenset[Cell], stops: Sequence[frozenset[Cell]], floor: frozenset[Cell]
) -> list[int]:
    """Return the steps from a source to the nearest cell of each stop, 0 if there is no way."""
    steps = dict.fromkeys(source, 0)
    queue = deque(sorted(source))
    while queue:
        x, z = queue.popleft()
        for cell in ((x + 1, z), (x - 1, z), (x, z + 1), (x, z - 1)):
            if cell in floor and cell not in steps:
                steps[cell] = steps[x, z] + 1
                queue.append(cell)
    return [min((steps[cell] for cell in stop if cell in steps), default=0) for stop in stops]


def needs_opening(task: Task, start: state.Snapshot) -> bool:
    """Return whether an object that the task needs is closed in, or has to go where it is closed.

    In other sessions, Commanders that open nothing (`tatc.commander.negative_controls`) may well
    succeed, with another mug than the one in the cabinet.  A closed knife or microwave does not
    count.
    """
    closed = frozenset(
        obj.objectId
        for obj in start.of_type(*type_facts.MUST_BE_OPEN_TYPES)
        if obj.affordances.openable and not obj.isOpen
    )
    away = closed.union(
        obj.objectId
        for obj in start.objects
        if not closed.isdisjoint(properties.parent_receptacles_of(obj, start))
    )
    knives = {obj.objectId for obj in start.of_type(*type_facts.KNIFE_TYPES)}
    if knives - away:
        away -= knives  # any one cuts, though tasks ask for a Knife
    left = [obj for obj in start.objects if obj.objectId not in away]
    open_only = state.Snapshot.from_objects(left, start.commander, start.follower)
    return not task.preconditions_hold(open_only) or any(
        key.determiner == "all" and key.object_id in away
        for key in task.check(start).problem_keys()
    )
