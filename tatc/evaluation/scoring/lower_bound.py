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
from collections.abc import Iterable, Sequence

from tatc.evaluation.scoring.interaction_needs import InteractionNeed, interaction_needs_of
from tatc.home.actions import GRID_SIZE_METRES, INTERACTION_REACH_METRES, Cell, cell_of
from tatc.home.state import Pose, Snapshot, Vec3
from tatc.home.type_facts import KNIFE_TYPES, MUST_BE_OPEN_TYPES
from tatc.planners.properties import AlternativeIds
from tatc.tdl import Task
from tatc.tdl.properties import (
    parent_receptacles_of,
)

_DOOR_EXTRA_REACH_METRES = 0.8
"""How much nearer an object may come that opens, or that lies in one that opens."""
_MAX_STOPS = 7


def lower_bound(task: Task, start: Snapshot, reachable: Iterable[Pose]) -> int:
    """Return a lower bound on the primitives that the Follower needs for a task.

    `reachable` are the cells where the Follower can stand and that it can reach at the start.
    """
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
    needs: Sequence[InteractionNeed], start: Snapshot, floor: frozenset[Cell]
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
    ids: AlternativeIds, start: Snapshot, floor: frozenset[Cell]
) -> frozenset[Cell]:
    """Return the cells whose middle is within reach of a box, seen from above."""
    areas: list[tuple[Vec3, Vec3, float]] = []
    for obj in (obj for i in sorted(ids) if (obj := start.get(i)) is not None):
        around = (obj, *map(start.get, parent_receptacles_of(obj, start)))
        opens = any(each is not None and each.affordances.openable for each in around)
        reach = INTERACTION_REACH_METRES + (_DOOR_EXTRA_REACH_METRES if opens else 0.0)
        areas.append((*obj.box.bounds(), reach))

    def is_in_reach(cell: Cell, low: Vec3, high: Vec3, reach: float) -> bool:
        x, z = cell[0] * GRID_SIZE_METRES, cell[1] * GRID_SIZE_METRES
        dx = max(low[0] - x, 0.0, x - high[0])
        dz = max(low[2] - z, 0.0, z - high[2])
        return dx * dx + dz * dz <= reach * reach

    return frozenset(cell for cell in floor if any(is_in_reach(cell, *area) for area in areas))


def _shortest_tour_steps(
    here: Cell, stops: Sequence[frozenset[Cell]], floor: frozenset[Cell]
) -> int:
    """Return the steps of a shortest walk from a cell past all stops."""
    if not stops:
        return 0
    first = _walk_distances(frozenset((here,)), stops, floor)
    between = [_walk_distances(stop, stops, floor) for stop in stops]
    everything = (1 << len(stops)) - 1
    best: dict[tuple[int, int], int] = {(1 << i, i): steps for i, steps in enumerate(first)}
    for visited in range(1, everything):
        for last in range(len(stops)):
            steps = best.get((visited, last))
            if steps is None:
                continue
            for i, further in enumerate(between[last]):
                state = (visited | 1 << i, i)
                if not visited >> i & 1 and steps + further < best.get(state, 1 << 30):
                    best[state] = steps + further
    return min(best[everything, i] for i in range(len(stops)))


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


def needs_opening(task: Task, start: Snapshot) -> bool:
    """Return whether an object that the task needs is closed in, or has to go where it is closed.

    In other sessions, Commanders that open nothing (`tatc.commander.negative_controls`) may well
    succeed, with another mug than the one in the cabinet.  A closed knife or microwave does not
    count.
    """
    closed = frozenset(
        obj.objectId
        for obj in start.of_type(*MUST_BE_OPEN_TYPES)
        if obj.affordances.openable and not obj.isOpen
    )
    away = closed.union(
        obj.objectId
        for obj in start.objects
        if not closed.isdisjoint(parent_receptacles_of(obj, start))
    )
    knives = {obj.objectId for obj in start.of_type(*KNIFE_TYPES)}
    if knives - away:
        away -= knives  # any one cuts, though tasks ask for a Knife
    left = [obj for obj in start.objects if obj.objectId not in away]
    open_only = Snapshot.from_objects(left, start.commander, start.follower)
    return not task.preconditions_hold(open_only) or any(
        key.determiner == "all" and key.object_id in away
        for key in task.check(start).problem_keys()
    )
