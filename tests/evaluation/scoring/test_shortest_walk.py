"""The walk within the lower bound, against one found by trying all orders."""

from collections.abc import Iterable
from itertools import pairwise, permutations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatc.evaluation.scoring.lower_bound import (
    interaction_needs_of,
    lower_bound,
    min_interaction_count,
)
from tatc.home.actions import GRID_SIZE_METRES, INTERACTION_REACH_METRES, Cell
from tatc.home.state import Affordances, Box, ObjectState, Pose, Snapshot
from tatc.tdl import Task, shipped_library
from tests.tdl.checker_rooms import make_object, make_snapshot

MUG = Affordances(pickupable=True, receptacle=True, dirtyable=True)
DOOR = Affordances(openable=True, receptacle=True)
SIDE = 8
"""The cells of a block, so that what lies in the next one is out of reach."""
HERE = (0, 0)
REACH_OF_DOORS = INTERACTION_REACH_METRES + 0.8

blocks = st.sets(st.tuples(st.integers(-1, 1), st.integers(-1, 2)), min_size=1)
places = st.tuples(st.integers(-SIDE, 3 * SIDE), st.integers(-SIDE, 3 * SIDE))
sizes = st.tuples(st.sampled_from([0.0, 0.5]), st.just(0.1), st.sampled_from([0.0, 1.0]))


def floor_of(found: Iterable[Cell]) -> set[Cell]:
    return {
        (x * SIDE + i, z * SIDE + j) for x, z in found for i in range(SIDE) for j in range(SIDE)
    }


def object_at(kind: str, number: int, cell: Cell, size: tuple[float, ...], **known) -> ObjectState:
    x, z = (each * GRID_SIZE_METRES for each in cell)
    # Heights do not matter.
    return make_object(kind, number, at=(x, 5.0, z), box=Box((x, 5.0, z), size), **known)


def all_clean(mugs: Iterable[ObjectState], *rest: ObjectState) -> tuple[Task, Snapshot]:
    return shipped_library().compile("Clean All X", ("Mug",)), make_snapshot(*mugs, *rest)


def walk_of(task: Task, start: Snapshot, floor: Iterable[Cell]) -> int:
    """Return what the bound has beside the interactions."""
    poses = [Pose(x * GRID_SIZE_METRES, z * GRID_SIZE_METRES, 0, 0) for x, z in floor]
    bound = lower_bound(task, start, poses)
    return bound - min_interaction_count(interaction_needs_of(task.definition, start))


def shortest_walk(task: Task, start: Snapshot, floor: set[Cell]) -> int:
    """Say again, apart from the bound, how far it is at least past all that must be reached."""
    cells = floor | {HERE}
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    sides = [((x, z), beside) for x, z in cells for beside in ((x + 1, z), (x, z + 1))]
    graph.add_edges_from((cell, beside) for cell, beside in sides if beside in cells)
    needs = interaction_needs_of(task.definition, start)
    visits = {ids for need in needs for ids in need.places_to_visit}
    stops = {frozenset(c for c in floor if within_reach(c, ids, start)) for ids in visits}
    stops = {stop for stop in stops if stop and HERE not in stop}
    stops = {stop for stop in stops if not any(other < stop for other in stops)}

    def distance(one: frozenset[Cell], other: frozenset[Cell]) -> int:
        steps = nx.multi_source_dijkstra_path_length(graph, set(one))
        return min((steps[cell] for cell in other if cell in steps), default=0)

    apart = {(a, b): distance(a, b) for a in {*stops, frozenset({HERE})} for b in stops if a != b}
    orders = permutations(sorted(stops, key=sorted))
    return min(sum(apart[leg] for leg in pairwise((frozenset({HERE}), *order))) for order in orders)


def within_reach(cell: Cell, ids: Iterable[str], start: Snapshot) -> bool:
    x, z = (each * GRID_SIZE_METRES for each in cell)
    for obj in map(start.get, ids):
        assert obj is not None
        reach = REACH_OF_DOORS if obj.affordances.openable else INTERACTION_REACH_METRES
        box = Box((obj.box.center[0], 0, obj.box.center[2]), obj.box.size)
        if box.horizontal_distance(x, z) <= reach:
            return True
    return False


@settings(max_examples=25)
@given(
    found=blocks,
    mugs=st.lists(st.tuples(places, sizes, st.booleans()), min_size=1, max_size=3),
    sinks=st.lists(places, min_size=1, max_size=2),
    faucet=places,
)
def test_no_order_of_the_stops_is_shorter(found, mugs, sinks, faucet) -> None:
    floor = floor_of({(0, 0), *found})
    dirty = [
        object_at("Mug", i, at, size, isDirty=True, affordances=DOOR if opens else MUG)
        for i, (at, size, opens) in enumerate(mugs, 1)
    ]
    basins = [object_at("SinkBasin", i, at, (0.4, 0.1, 0.4)) for i, at in enumerate(sinks, 1)]
    tap = object_at("Faucet", 1, faucet, (0.0, 0.1, 0.0))
    task, start = all_clean(dirty, *basins, tap)
    assert walk_of(task, start, floor) == shortest_walk(task, start, floor)


CORRIDOR = {(x, 0) for x in range(60)}


@pytest.mark.parametrize(
    ("affordances", "inside", "steps"),
    [(MUG, None, 30 - 6), (DOOR, None, 30 - 9), (MUG, "Cabinet", 30 - 9)],
)
def test_a_door_may_bring_things_nearer(affordances, inside, steps) -> None:
    """1.5 m are 6 cells, and 2.3 m are 9."""
    cabinet = make_object("Cabinet", affordances=DOOR)
    mug = object_at("Mug", 1, (30, 0), (0, 0, 0), isDirty=True, affordances=affordances)
    if inside:
        mug = object_at("Mug", 1, (30, 0), (0, 0, 0), isDirty=True, inside=cabinet.objectId)
    task, start = all_clean([mug], cabinet)
    assert walk_of(task, start, CORRIDOR) == steps


@pytest.mark.parametrize("direction", [(1, 0), (-1, 0), (0, 1), (0, -1)])
@pytest.mark.parametrize(
    ("along", "across", "steps"), [(0.0, 0.0, 24), (1.0, 0.0, 22), (0.0, 2.0, 24), (2.0, 4.0, 20)]
)
def test_a_reach_ends_at_the_nearest_side_of_a_box(
    direction: Cell, along: float, across: float, steps: int
) -> None:
    dx, dz = direction
    corridor = {(dx * i, dz * i) for i in range(60)}
    size = (along, 9.0, across) if dx else (across, 9.0, along)
    mug = object_at("Mug", 1, (30 * dx, 30 * dz), size, isDirty=True)
    assert walk_of(*all_clean([mug]), corridor) == steps


def test_what_cannot_be_reached_adds_nothing() -> None:
    mug = object_at("Mug", 1, (30, 0), (0, 0, 0), isDirty=True)
    assert walk_of(*all_clean([mug]), {(x, 0) for x in (*range(20), *range(22, 60))}) == 0
    assert walk_of(*all_clean([mug]), {(x, 0) for x in range(20)}) == 0


@pytest.mark.parametrize(("count", "steps"), [(1, 9), (2, 12), (6, 24), (7, 27), (8, 27), (9, 27)])
def test_a_walk_goes_past_seven_stops_at_most(count: int, steps: int) -> None:
    """Stops of 13 cells lie 15 cells apart: from one's end to the next one's are 3 steps."""
    mugs = [object_at("Mug", n, (15 * n, 0), (0, 0, 0), isDirty=True) for n in range(1, count + 1)]
    assert walk_of(*all_clean(mugs), {(x, 0) for x in range(150)}) == steps
