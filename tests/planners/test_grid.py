"""Paths are as short as any, lead where they say, and come nearest first."""

from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatc.actions import LOOKS, TRANSLATIONS, Verb
from tatc.planners.grid import FORWARD_AND_TURNS, WALK, Grid
from tatc.state import Pose

YAWS = (0.0, 90.0, 180.0, 270.0)
AHEAD = {0.0: (0, 1), 90.0: (1, 0), 180.0: (0, -1), 270.0: (-1, 0)}
TO_THE_RIGHT = dict(zip(TRANSLATIONS, (0, 180, 270, 90), strict=True))
Cells = set[tuple[int, int]]

floors = st.integers(1, 7).flatmap(
    lambda side: st.sets(
        st.tuples(st.integers(-side, side), st.integers(-side, side)), min_size=1
    )
)


def after(pose: Pose, verb: Verb) -> Pose:
    """Say again, apart from the planner, what a motion does."""
    if verb in LOOKS:
        return Pose(
            pose.x, pose.z, pose.yaw, pose.horizon + (-30, 30)[verb == LOOKS[1]]
        )
    if verb in TRANSLATIONS:
        dx, dz = AHEAD[(pose.yaw + TO_THE_RIGHT[verb]) % 360]
        return Pose(pose.x + dx / 4, pose.z + dz / 4, pose.yaw, pose.horizon)
    turn = -90 if verb is Verb.TURN_LEFT else 90
    return Pose(pose.x, pose.z, (pose.yaw + turn) % 360, pose.horizon)


def pose_at(cell: tuple[int, int], yaw: float, horizon: float = 0.0) -> Pose:
    return Pose(cell[0] / 4, cell[1] / 4, yaw, horizon)


def reference(cells: Cells, verbs: tuple[Verb, ...]) -> "nx.DiGraph[Pose]":
    poses = {pose_at(cell, yaw) for cell, yaw in product(cells, YAWS)}
    graph: nx.DiGraph[Pose] = nx.DiGraph()
    graph.add_nodes_from(poses)
    edges = ((pose, after(pose, verb)) for pose in poses for verb in verbs)
    graph.add_edges_from(edge for edge in edges if edge[1] in poses)
    return graph


@pytest.mark.parametrize("verbs", [WALK, FORWARD_AND_TURNS])
@settings(deadline=None, max_examples=40)
@given(cells=floors, data=st.data())
def test_as_short_as_breadth_first_and_stays_on_the_floor(
    verbs: tuple[Verb, ...], cells: Cells, data: st.DataObject
) -> None:
    start = pose_at(
        data.draw(st.sampled_from(sorted(cells))), data.draw(st.sampled_from(YAWS))
    )
    paths = Grid(cells, verbs).search(start)
    lengths = nx.single_source_shortest_path_length(reference(cells, verbs), start)
    for cell, yaw in product(cells, YAWS):
        goal = pose_at(cell, yaw)
        assert paths.cost(goal) == lengths.get(goal)
        if goal not in lengths:
            continue
        pose = start
        for verb in paths.to(goal):
            assert verb in verbs
            pose = after(pose, verb)
            assert (round(pose.x * 4), round(pose.z * 4)) in cells
        assert pose == goal
        assert len(paths.to(goal)) == lengths[goal]


@pytest.mark.parametrize("start", [-30.0, 0.0, 30.000024795, 60.0])
@pytest.mark.parametrize("end", [-30.0, 0.0, 30.0, 60.0])
def test_looks_follow_the_walk_and_cost_one_each(start: float, end: float) -> None:
    paths = Grid({(0, 0), (0, 1)}).search(pose_at((0, 0), 0, start))
    verbs = paths.to(pose_at((0, 1), 0, end))
    steps = round((end - start) / 30)
    look = Verb.LOOK_DOWN if steps > 0 else Verb.LOOK_UP
    assert verbs == (Verb.FORWARD, *[look] * abs(steps))
    assert paths.cost(pose_at((0, 1), 0, end)) == len(verbs)


@settings(deadline=None, max_examples=40)
@given(cells=floors, data=st.data())
def test_all_poses_come_once_nearest_first(cells: Cells, data: st.DataObject) -> None:
    start = pose_at(data.draw(st.sampled_from(sorted(cells))), 90, 30)
    horizons = data.draw(st.sampled_from([(0.0,), (-30.0, 0.0, 30.0, 60.0), ()]))
    paths = Grid(cells).search(start)
    found = list(paths.poses_by_cost(horizons))
    costs = [cost for _, cost in found]
    assert costs == sorted(costs)
    assert all(paths.cost(pose) == cost for pose, cost in found)
    everything = {
        pose
        for cell, yaw, horizon in product(cells, YAWS, horizons)
        if paths.cost(pose := pose_at(cell, yaw, horizon)) is not None
    }
    assert len(found) == len(everything)
    assert {pose for pose, _ in found} == everything


def test_straight_ahead_is_walked_forward() -> None:
    paths = Grid({(0, z) for z in range(4)}).search(pose_at((0, 0), 0))
    assert paths.to(pose_at((0, 3), 0)) == (Verb.FORWARD,) * 3


def test_where_no_way_leads() -> None:
    grid = Grid({(0, 0), (2, 0)})
    paths = grid.search(pose_at((0, 0), 0))
    for nowhere in (pose_at((2, 0), 0), pose_at((9, 9), 0)):
        assert paths.cost(nowhere) is None
        with pytest.raises(ValueError, match="no way leads"):
            paths.to(nowhere)
    outside = grid.search(pose_at((9, 9), 0))
    assert outside.cost(pose_at((0, 0), 0)) is None
    assert list(outside.poses_by_cost()) == []


def test_grid_of_poses() -> None:
    poses = [Pose(-0.25, 0.5, 0, 0), Pose(0.0, 0.5, 0, 0), Pose(0.0, 0.5, 90, 30)]
    assert Grid.of_poses(poses).cells == ((-1, 2), (0, 2))
