"""Views that are promised are there: the click means the object and is within reach."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import dist
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tatc.home.actions import GRID_SIZE_METRES, Verb
from tatc.home.body import ALFRED
from tatc.home.camera.clicks import affords, eye_at, eye_of, resolve_click
from tatc.home.camera.geometry import Geometry
from tatc.home.state import Affordances, AgentState, ObjectState, Pose
from tatc.planners.grid import NavigationGrid
from tatc.planners.viewpoints import (
    PLANNED_REACH_METRES,
    PointScorer,
    Viewpoint,
    find_nearby_clicks,
    find_occluders,
    find_viewpoints,
    viewpoints_facing,
)
from tatc.session.records import read_game
from tests.object_factory import PORTABLE, make_object
from tests.recorded_clicks import HELD_OUT_FLOOR_PLANS

BODY_HEIGHT_METRES = 0.9
AGENT = AgentState((0.0, BODY_HEIGHT_METRES, -1.5), 0.0, 30.0)
AT_ORIGIN = AgentState((0.0, BODY_HEIGHT_METRES, 0.0), 0.0, 0.0)
LOOKING_DOWN = AgentState((0.0, BODY_HEIGHT_METRES, 0.0), 0.0, 30.0)
HORIZONS = (-30.0, 0.0, 30.0, 60.0)
CELLS = [(x, z) for x in range(-6, 7) for z in range(-6, 3)]
NEAR_CELLS = [(x, z) for x in range(-3, 4) for z in range(-3, 2)]
START = Pose(0.0, -1.5, 0.0, 30.0)
POINT = (1.0, 1.1, 1.0)
PENCIL, CABINET = 2, 4


def _any(index: int) -> bool:
    return True


def _poses_nearby():
    start = Pose(0.0, 0.0, 0.0, 0.0)
    return NavigationGrid(NEAR_CELLS).shortest_paths_from(start).poses_by_cost((0.0, 30.0))


def _occluder_types(*others: ObjectState) -> list[str]:
    mug = make_object("Mug", (0, 0.9, 1), (0.1, 0.1, 0.1), affordances=PORTABLE)
    objects = [mug, *others]
    found = find_occluders(Geometry(objects), 0, _poses_nearby(), AT_ORIGIN)
    return [objects[i].objectType for i in found]


def test_only_the_object_in_front_is_an_occluder_of_what_is_in_reach():
    box = make_object("Box", (0, 0.9, 0.8), (0.6, 0.6, 0.1), affordances=PORTABLE)
    beside = make_object("Vase", (0.9, 0.9, 1.0), (0.1, 0.3, 0.1), affordances=PORTABLE)
    assert _occluder_types(beside, box)[0] == "Box"
    low = make_object("Table", (0, 0.2, 1), (1.0, 0.2, 1.0))
    far = make_object("Vase", (3.0, 0.9, 1.0), (0.1, 0.3, 0.1), affordances=PORTABLE)
    assert "Vase" not in _occluder_types(low, far)
    mug = make_object("Mug", (0, 0.9, 9), (0.1, 0.1, 0.1), affordances=PORTABLE)
    box = make_object("Box", (0, 0.9, 8), (0.6, 0.6, 0.1), affordances=PORTABLE)
    assert find_occluders(Geometry([mug, box]), 0, _poses_nearby(), AT_ORIGIN) == ()


def _room_with_pencil(pencil: ObjectState) -> list[ObjectState]:
    able = Affordances(receptacle=True)
    return [
        make_object("Floor", (0, 0, 0), (8, 0.2, 8)),
        make_object("DiningTable", (0, 0.5, 1), (2, 1, 0.8), affordances=able),
        pencil,
        make_object("Cup", (0.5, 1.05, 1), (0.1, 0.1, 0.1), affordances=PORTABLE),
        make_object("Cabinet", (-1.5, 0.5, 1), (0.6, 0.8, 0.6), affordances=able),
    ]


def _pencil(y: float = 1.005) -> ObjectState:
    return make_object("Pencil", (0.012, y, 1), (0.005, 0.008, 0.15), affordances=PORTABLE)


def _poses_before_table() -> Iterator[tuple[Pose, int]]:
    yield Pose(0.0, 0.25, 0.0, 30.0), 1
    yield Pose(0.0, 0.0, 0.0, 30.0), 2
    yield Pose(0.0, 0.0, 180.0, 30.0), 3


def _nearby_viewpoints(objects: list[ObjectState], target: int = PENCIL) -> list[Viewpoint]:
    accepts, poses = partial(_can_pick_up, objects), _poses_before_table()
    found = find_nearby_clicks(Geometry(objects), objects, target, accepts, poses, LOOKING_DOWN)
    return list(found)


def test_object_between_lattice_lines_is_clicked_nearby() -> None:
    objects = _room_with_pencil(_pencil())
    geometry = Geometry(objects)
    on_it = find_viewpoints(
        geometry, objects, PENCIL, lambda i: True, _poses_before_table(), LOOKING_DOWN
    )
    assert not list(on_it)
    views = _nearby_viewpoints(objects)
    assert [view.pose for view in views] == [pose for pose, _ in _poses_before_table()][:2]
    for view in views:
        body = (view.pose.x, BODY_HEIGHT_METRES, view.pose.z)
        eye = eye_of(AgentState(body, view.pose.yaw, view.pose.horizon))
        hit = geometry.hit_at_click(eye, view.click)
        assert hit is not None and hit.index != PENCIL
        assert dist(hit.point, body) <= PLANNED_REACH_METRES
        assert resolve_click(geometry, eye, view.click, partial(_can_pick_up, objects)) == PENCIL


def test_what_is_hidden_or_cannot_be_acted_on_is_not_clicked_nearby() -> None:
    assert not _nearby_viewpoints(_room_with_pencil(_pencil(y=0.8)))
    assert not _nearby_viewpoints(_room_with_pencil(_pencil()), CABINET)


def _room_objects() -> list[ObjectState]:
    """Return a table with a tomato on it, and a cabinet with a potato in it."""
    able, board = Affordances(openable=True, receptacle=True), Affordances(receptacle=True)
    return [
        make_object("Floor", (0, 0, 0), (8, 0.2, 8)),
        make_object("DiningTable", (0, 0.5, 1), (2, 1, 0.8), affordances=board),
        make_object("Tomato", (0.3, 0.93, 0.9), affordances=PORTABLE),
        make_object("Cabinet", (-1.5, 0.5, 1), (0.6, 0.8, 0.6), affordances=able),
        make_object("Potato", (-1.5, 0.2, 1), affordances=PORTABLE),
    ]


def _poses() -> Iterator[tuple[Pose, int]]:
    return NavigationGrid(CELLS).shortest_paths_from(START).poses_by_cost(HORIZONS)


def _find_viewpoints(
    objects: list[ObjectState],
    target: int,
    verb: Verb,
    prefer: PointScorer | None = None,
    agent: AgentState = AGENT,
) -> list[Viewpoint]:
    found = find_viewpoints(
        Geometry(objects),
        objects,
        target,
        lambda i: affords(verb, objects[i]),
        _poses(),
        agent,
        scorer=prefer,
    )
    return list(found)


def test_narrower_view_has_fewer_viewpoints_and_each_shows_the_object():
    objects = _room_objects()
    narrow = replace(AGENT, body=ALFRED)
    views = _find_viewpoints(objects, 2, Verb.PICKUP, agent=narrow)
    assert 0 < len(views) < len(_find_viewpoints(objects, 2, Verb.PICKUP))
    for view in views:
        hit = Geometry(objects).hit_at_click(eye_at(view.pose, narrow), view.click)
        assert hit is not None and hit.index == 2


def _can_pick_up(objects: Sequence[ObjectState], index: int) -> bool:
    return affords(Verb.PICKUP, objects[index])


def _hit_point(objects: list[ObjectState], view: Viewpoint) -> tuple[float, float, float]:
    hit = Geometry(objects).hit_at_click(eye_at(view.pose, AGENT), view.click)
    assert hit is not None
    return hit.point


@pytest.mark.parametrize(("target", "verb"), [(1, Verb.PLACE), (2, Verb.PICKUP), (3, Verb.OPEN)])
def test_each_viewpoint_shows_object_at_click(target: int, verb: Verb) -> None:
    objects = _room_objects()
    views = _find_viewpoints(objects, target, verb)
    assert len(views) > 10
    assert [v.cost for v in views] == sorted(v.cost for v in views)
    geometry = Geometry(objects)
    for view in views:
        assert view.click.x == round(view.click.x, 2)
        assert view.click.y == round(view.click.y, 2)
        eye = eye_at(view.pose, AGENT)
        hit = geometry.hit_at_click(eye, view.click)
        assert hit is not None and hit.index == target
        assert dist(hit.point, (view.pose.x, BODY_HEIGHT_METRES, view.pose.z)) <= 1.5
        assert resolve_click(geometry, eye, view.click, lambda i: True) == target
    if target == 2:
        assert views[0].pose.yaw == 0.0 and views[0].cost <= 6
        assert dist((views[0].pose.x, views[0].pose.z), (0.3, 0.9)) < 1.5


def test_what_is_shut_in_or_far_or_cannot_be_acted_on_has_no_viewpoint() -> None:
    objects = _room_objects()
    assert _find_viewpoints(objects, 4, Verb.PICKUP) == []
    objects[3] = replace(objects[3], isOpen=True)
    assert _find_viewpoints(objects, 4, Verb.PICKUP) != []
    assert _find_viewpoints(objects, 2, Verb.OPEN) == []
    held = [*objects[:2], replace(objects[2], isPickedUp=True)]
    assert _find_viewpoints(held, 2, Verb.PLACE) == []
    objects[2] = make_object("Tomato", (0.3, 0.93, 3.5), affordances=PORTABLE)
    assert _find_viewpoints(objects, 2, Verb.PICKUP) == []


def test_best_scored_point_is_clicked() -> None:
    objects = _room_objects()
    views = _find_viewpoints(
        objects, 1, Verb.PLACE, prefer=lambda point, _: -abs(point[0] + 0.6) + 9
    )
    plain = _find_viewpoints(objects, 1, Verb.PLACE)
    assert {v.pose for v in views} == {v.pose for v in plain}
    off = [abs(_hit_point(objects, view)[0] + 0.6) for view in views]
    off_plain = [abs(_hit_point(objects, view)[0] + 0.6) for view in plain]
    assert sum(off) < sum(off_plain)
    assert _find_viewpoints(objects, 1, Verb.PLACE, prefer=lambda *_: -1.0) == []
    left = _find_viewpoints(objects, 1, Verb.PLACE, prefer=lambda point, _: -point[0])
    assert left and all(_hit_point(objects, view)[0] <= 0 for view in left)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([2, 3, 5]), st.integers(0, 4)), min_size=1, max_size=6))
def test_views_that_are_kept_are_those_of_a_new_geometry(moves: list[tuple[int, int]]) -> None:
    box = make_object("Box", (0.0, 1.2, 0.7), (0.5, 0.4, 0.1), affordances=PORTABLE)
    objects = [*_room_with_pencil(_pencil(1.02)), box]
    geometry = Geometry(objects)
    for moved, steps in moves:
        before = objects[moved]
        objects[moved] = replace(before, box=before.box.translate(0.15 * (steps - 2), 0.0, 0.0))
        geometry.update(moved, objects[moved])
        for target in (PENCIL, 3, 5):
            kept, new = (
                list(
                    find_viewpoints(
                        each, objects, target, lambda _: True, _poses_nearby(), AT_ORIGIN
                    )
                )
                for each in (geometry, Geometry(objects))
            )
            assert kept == new
        objects[moved] = before
        geometry.update(moved, before)


def test_viewpoints_exist_in_recorded_rooms(sample_games: list[Path]) -> None:
    found = wanted = 0
    for path in sample_games[:6]:
        game = read_game(path)
        if int(game.scene.place.removeprefix("FloorPlan")) in HELD_OUT_FLOOR_PLANS:
            continue
        start = game.scene.initial
        objects, geometry = start.objects, Geometry(start.objects)
        agent = start.follower
        cells = {
            (round(-a.pose[1] / GRID_SIZE_METRES), round(a.pose[0] / GRID_SIZE_METRES))
            for a in game.interactions
            if a.pose is not None and a.pose[2] != 0.0
        }
        taken = {a.object_id for a in game.interactions if a.verb is Verb.PICKUP}
        for i, each in enumerate(objects):
            if each.objectId not in taken or geometry.is_enclosed(i):
                continue
            accepts = partial(_can_pick_up, objects)
            x, z = next(iter(sorted(cells)))
            paths = NavigationGrid(cells).shortest_paths_from(
                Pose(x * GRID_SIZE_METRES, z * GRID_SIZE_METRES, 0.0, 30.0)
            )
            poses = paths.poses_by_cost(HORIZONS)
            view = next(find_viewpoints(geometry, objects, i, accepts, poses, agent), None)
            wanted += 1
            if view is not None:
                pose = view.pose
                eye = eye_at(pose, agent)
                assert resolve_click(geometry, eye, view.click, accepts) == i
                found += 1
    assert wanted > 10
    assert found / wanted > 0.9


def test_each_pose_looks_at_the_point_from_within_reach_and_clicks_there() -> None:
    poses = [
        (Pose(x, z, yaw, 30.0), i)
        for i, (x, z) in enumerate([(1.0, 0.0), (0.5, 0.0), (0.0, 0.0), (1.0, -1.0), (1.0, 2.0)])
        for yaw in (0.0, 90.0, 180.0, 270.0)
    ]
    found = list(viewpoints_facing(POINT, poses, AT_ORIGIN))
    assert [(view.pose.x, view.pose.z, view.pose.yaw) for view in found] == [
        (1.0, 0.0, 0.0),
        (0.5, 0.0, 0.0),
        (1.0, 2.0, 180.0),
    ]
    for view in found:
        assert dist((view.pose.x, 0.9, view.pose.z), POINT) <= PLANNED_REACH_METRES
        eye = eye_at(view.pose, AT_ORIGIN)
        forward, right, up = (np.array(axis) for axis in eye.axes)
        offset = np.array(POINT) - np.array(eye.position)
        ahead = offset @ forward
        assert abs(0.5 + offset @ right / ahead / 2 - view.click.x) < 0.01
        assert abs(0.5 - offset @ up / ahead / 2 - view.click.y) < 0.01
