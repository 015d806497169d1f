"""Paths are as short as any, lead where they say, and come nearest first."""

from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings, strategies as st

from tatc.home.actions import LOOK_VERBS, TRANSLATION_VERBS, Verb, cell_after
from tatc.home.body import ALFRED, TEACH, Body
from tatc.home.state import Pose
from tatc.planners.grid import NavigationGrid

YAWS = (0.0, 90.0, 180.0, 270.0)
CELL_AHEAD_BY_YAW = {0.0: (0, 1), 90.0: (1, 0), 180.0: (0, -1), 270.0: (-1, 0)}
DEGREES_RIGHT_BY_VERB = dict(zip(TRANSLATION_VERBS, (0, 180, 270, 90), strict=True))
Cells = set[tuple[int, int]]

floors = st.integers(1, 7).flatmap(
    lambda side: st.sets(st.tuples(st.integers(-side, side), st.integers(-side, side)), min_size=1)
)


def pose_after(pose: Pose, verb: Verb) -> Pose:
    """Say again, apart from the planner, what a motion does."""
    if verb in LOOK_VERBS:
        return Pose(pose.x, pose.z, pose.yaw, pose.horizon + (-30, 30)[verb == LOOK_VERBS[1]])
    if verb in TRANSLATION_VERBS:
        dx, dz = CELL_AHEAD_BY_YAW[(pose.yaw + DEGREES_RIGHT_BY_VERB[verb]) % 360]
        return Pose(pose.x + dx / 4, pose.z + dz / 4, pose.yaw, pose.horizon)
    turn = -90 if verb is Verb.TURN_LEFT else 90
    return Pose(pose.x, pose.z, (pose.yaw + turn) % 360, pose.horizon)


def pose_at(cell: tuple[int, int], yaw: float, horizon: float = 0.0) -> Pose:
    return Pose(cell[0] / 4, cell[1] / 4, yaw, horizon)


def reference_graph(cells: Cells, verbs: tuple[Verb, ...]) -> "nx.DiGraph[Pose]":
    poses = {pose_at(cell, yaw) for cell, yaw in product(cells, YAWS)}
    graph: nx.DiGraph[Pose] = nx.DiGraph()
    graph.add_nodes_from(poses)
    edges = ((pose, pose_after(pose, verb)) for pose in poses for verb in verbs)
    graph.add_edges_from(edge for edge in edges if edge[1] in poses)
    return graph


@pytest.mark.parametrize("body", [TEACH, ALFRED])
@settings(deadline=None, max_examples=40)
@given(cells=floors, data=st.data())
def test_as_short_as_breadth_first_and_stays_on_the_floor(
    body: Body, cells: Cells, data: st.DataObject
) -> None:
    start = pose_at(data.draw(st.sampled_from(sorted(cells))), data.draw(st.sampled_from(YAWS)))
    verbs = body.walk_verbs
    paths = NavigationGrid(cells, body).shortest_paths_from(start)
    lengths = nx.single_source_shortest_path_length(reference_graph(cells, verbs), start)
    for cell, yaw in product(cells, YAWS):
        goal = pose_at(cell, yaw)
        assert paths.cost_to(goal) == lengths.get(goal)
        if goal not in lengths:
            continue
        pose = start
        for verb in paths.verbs_to(goal):
            assert verb in verbs
            pose = pose_after(pose, verb)
            assert (round(pose.x * 4), round(pose.z * 4)) in cells
        assert pose == goal
        assert len(paths.verbs_to(goal)) == lengths[goal]


@pytest.mark.parametrize("start", [-30.0, 0.0, 30.000024795, 60.0])
@pytest.mark.parametrize("end", [-30.0, 0.0, 30.0, 60.0])
def test_looks_follow_the_walk_straight_ahead_and_cost_one_each(start: float, end: float) -> None:
    paths = NavigationGrid({(0, 0), (0, 1), (0, 2)}).shortest_paths_from(pose_at((0, 0), 0, start))
    verbs = paths.verbs_to(pose_at((0, 2), 0, end))
    steps = round((end - start) / 30)
    look = Verb.LOOK_DOWN if steps > 0 else Verb.LOOK_UP
    assert verbs == (Verb.FORWARD, Verb.FORWARD, *[look] * abs(steps))
    assert paths.cost_to(pose_at((0, 2), 0, end)) == len(verbs)


@settings(deadline=None, max_examples=40)
@given(cells=floors, data=st.data())
def test_all_poses_are_yielded_once_nearest_first(cells: Cells, data: st.DataObject) -> None:
    start = pose_at(data.draw(st.sampled_from(sorted(cells))), 90, 30)
    horizons = data.draw(st.sampled_from([(0.0,), (-30.0, 0.0, 30.0, 60.0), ()]))
    paths = NavigationGrid(cells).shortest_paths_from(start)
    found = list(paths.poses_by_cost(horizons))
    costs = [cost for _, cost in found]
    assert costs == sorted(costs)
    assert all(paths.cost_to(pose) == cost for pose, cost in found)
    everything = {
        pose
        for cell, yaw, horizon in product(cells, YAWS, horizons)
        if paths.cost_to(pose := pose_at(cell, yaw, horizon)) is not None
    }
    assert len(found) == len(everything)
    assert {pose for pose, _ in found} == everything
    for most in (5, 4 * len(found)):
        rows, costs = paths.first_poses(horizons, most)
        assert [(*map(tuple, rows.tolist()),), costs.tolist()] == [
            tuple((pose.x, pose.z, pose.yaw, pose.horizon) for pose, _ in found[:most]),
            [cost for _, cost in found[:most]],
        ]


def test_among_equal_costs_fewer_looks_come_first() -> None:
    """From a horizon of 30, those of 0 and 60 are one look away, and that of -30 two."""
    paths = NavigationGrid({(0, 0), (0, 1), (0, 2)}).shortest_paths_from(pose_at((0, 0), 0, 30))
    found = list(paths.poses_by_cost((-30.0, 0.0, 60.0, 30.0)))
    assert paths.first_poses((-30.0, 0.0, 60.0, 30.0), 99)[0][:, 3].tolist() == [
        pose.horizon for pose, _ in found
    ]
    two_away = [abs(pose.horizon - 30) / 30 for pose, cost in found if cost == 2]
    assert two_away == sorted(two_away) and set(two_away) == {0, 1, 2}
    assert {pose.horizon for pose, _ in paths.poses_by_cost()} == {0.0}, "level if none is named"


@given(cells=floors, corners=st.tuples(*[st.integers(-9, 9)] * 4), data=st.data())
def test_with_an_area_only_the_poses_in_it_are_yielded(
    cells: Cells, corners: tuple[int, int, int, int], data: st.DataObject
) -> None:
    """Its edges lie on the middles of cells, which belong to it, or an eighth of a metre beside."""
    shift = data.draw(st.sampled_from((0.0, 0.125)))
    low_x, high_x, low_z, high_z = (corner / 4 + shift for corner in corners)
    paths = NavigationGrid(cells).shortest_paths_from(pose_at(min(cells), 0))
    inside = [
        (pose, cost)
        for pose, cost in paths.poses_by_cost()
        if low_x <= pose.x <= high_x and low_z <= pose.z <= high_z
    ]
    area = (low_x, low_z), (high_x, high_z)
    assert list(paths.poses_by_cost(within=area)) == inside


@pytest.mark.parametrize(("yaw", "nearest"), [(80, 90), (100, 90), (350, 0), (360, 0), (-90, 270)])
def test_a_heading_is_the_nearest_quarter_turn(yaw: float, nearest: float) -> None:
    paths = NavigationGrid({(0, 0)}).shortest_paths_from(pose_at((0, 0), yaw))
    assert paths.cost_to(pose_at((0, 0), nearest)) == 0
    assert paths.verbs_to(pose_at((0, 0), nearest)) == ()


def test_unreachable_pose_has_no_path() -> None:
    grid = NavigationGrid({(0, 0), (2, 0)})
    paths = grid.shortest_paths_from(pose_at((0, 0), 0))
    for nowhere in (pose_at((2, 0), 0), pose_at((9, 9), 0)):
        assert paths.cost_to(nowhere) is None
        with pytest.raises(ValueError, match="no path leads"):
            paths.verbs_to(nowhere)
    outside = grid.shortest_paths_from(pose_at((9, 9), 0))
    assert outside.cost_to(pose_at((0, 0), 0)) is None
    assert list(outside.poses_by_cost()) == []
    assert [len(each) for each in outside.first_poses((0.0,), 9)] == [0, 0]


def test_grid_of_poses() -> None:
    poses = [Pose(-0.25, 0.5, 0, 0), Pose(0.0, 0.5, 0, 0), Pose(0.0, 0.5, 90, 30)]
    assert NavigationGrid.from_poses(poses).cells == ((-1, 2), (0, 2))


def test_body_tilts_its_camera_in_its_own_steps():
    start, goal = pose_at((0, 0), 0.0, 30.0), pose_at((0, 0), 0.0, -30.0)
    for body, looks in ((TEACH, 2), (ALFRED, 4)):
        paths = NavigationGrid({(0, 0)}, body).shortest_paths_from(start)
        assert paths.verbs_to(goal) == (Verb.LOOK_UP,) * looks
        assert paths.cost_to(goal) == looks


@pytest.mark.parametrize("yaw", YAWS)
@pytest.mark.parametrize("verb", TRANSLATION_VERBS)
def test_a_translation_leads_to_the_neighbouring_cell(verb: Verb, yaw: float) -> None:
    pose = pose_at((3, -2), yaw)
    after = pose_after(pose, verb)
    assert cell_after((3, -2), yaw, verb) == (after.x * 4, after.z * 4)
