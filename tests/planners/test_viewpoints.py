"""Views that are promised are there: the click means the object and is within reach."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import dist
from pathlib import Path

import pytest

from tatc.home.actions import GRID_SIZE_METRES, Verb
from tatc.home.body import ALFRED
from tatc.home.camera.clicks import affords, eye_at, eye_of, resolve_click
from tatc.home.camera.geometry import Geometry
from tatc.home.state import Affordances, AgentState, ObjectState, Pose
from tatc.planners.grid import NavigationGrid
from tatc.planners.viewpoints import PointScorer, Viewpoint, find_viewpoints
from tatc.session.records import read_game
from tests.object_factory import PORTABLE, make_object
from tests.recorded_clicks import HELD_OUT_FLOOR_PLANS

BODY_HEIGHT_METRES = 0.9
AGENT = AgentState((0.0, BODY_HEIGHT_METRES, -1.5), 0.0, 30.0)
HORIZONS = (-30.0, 0.0, 30.0, 60.0)
CELLS = [(x, z) for x in range(-6, 7) for z in range(-6, 3)]
START = Pose(0.0, -1.5, 0.0, 30.0)


def _room_objects() -> list[ObjectState]:
    """Return a table with a bowl, a tomato in it and a cup, and a cabinet."""
    table = make_object(
        "DiningTable", (0, 0.5, 1), (2, 1, 0.8), affordances=Affordances(receptacle=True)
    )
    able = Affordances(openable=True, receptacle=True)
    return [
        make_object("Floor", (0, 0, 0), (8, 0.2, 8)),
        table,
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
    body = (view.pose.x, BODY_HEIGHT_METRES, view.pose.z)
    eye = eye_of(AgentState(body, view.pose.yaw, view.pose.horizon))
    hit = Geometry(objects).hit_at_click(eye, view.click)
    assert hit is not None
    assert dist(hit.point, body) <= 1.5
    return hit.point


@pytest.mark.parametrize(("target", "verb"), [(1, Verb.PLACE), (2, Verb.PICKUP), (3, Verb.OPEN)])
def test_each_viewpoint_shows_object_at_click(target: int, verb: Verb) -> None:
    objects = _room_objects()
    views = _find_viewpoints(objects, target, verb)
    assert len(views) > 10
    assert [v.cost for v in views] == sorted(v.cost for v in views)
    for view in views:
        assert view.click.x == round(view.click.x, 2)
        assert view.click.y == round(view.click.y, 2)
        eye = eye_of(
            AgentState(
                (view.pose.x, BODY_HEIGHT_METRES, view.pose.z), view.pose.yaw, view.pose.horizon
            )
        )
        geometry = Geometry(objects)
        hit = geometry.hit_at_click(eye, view.click)
        assert hit is not None
        assert hit.index == target
        assert resolve_click(geometry, eye, view.click, lambda i: True) == target
        _hit_point(objects, view)


def test_nearest_viewpoint_is_within_reach() -> None:
    nearest = _find_viewpoints(_room_objects(), 2, Verb.PICKUP)[0]
    assert nearest.pose.yaw == 0.0
    assert nearest.cost <= 6
    assert dist((nearest.pose.x, nearest.pose.z), (0.3, 0.9)) < 1.5


def test_object_in_closed_box_has_no_viewpoint() -> None:
    objects = _room_objects()
    assert _find_viewpoints(objects, 4, Verb.PICKUP) == []
    objects[3] = replace(objects[3], isOpen=True)
    assert _find_viewpoints(objects, 4, Verb.PICKUP) != []


def test_object_verb_cannot_act_on_has_no_viewpoint() -> None:
    objects = _room_objects()
    assert _find_viewpoints(objects, 2, Verb.OPEN) == []
    assert (
        _find_viewpoints([*objects[:2], replace(objects[2], isPickedUp=True)], 2, Verb.PLACE) == []
    )


def test_distant_object_has_no_viewpoint() -> None:
    objects = _room_objects()
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
    assert left
    assert all(_hit_point(objects, view)[0] <= 0 for view in left)


def test_viewpoints_exist_in_recorded_rooms(sample_games: list[Path]) -> None:
    found = wanted = 0
    for path in sample_games[:6]:
        game = read_game(path)
        if int(game.scene.place.removeprefix("FloorPlan")) in HELD_OUT_FLOOR_PLANS:
            continue
        start = game.scene.start
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
