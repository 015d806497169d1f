"""Views that are promised are there: the click means the object and is within reach."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import dist
from pathlib import Path

import pytest

from tatc.actions import GRID, Verb
from tatc.affordances import affords
from tatc.camera.clicks import eye_of, resolve
from tatc.camera.geometry import Geometry
from tatc.planners.grid import Grid
from tatc.planners.viewpoints import Prefer, Viewpoint, find
from tatc.records import read_game
from tatc.state import Affordances, AgentState, ObjectState, Pose
from tests.boxes import LOOSE, thing
from tests.clicks import SET_ASIDE

BODY = 0.9
HORIZONS = (-30.0, 0.0, 30.0, 60.0)
CELLS = [(x, z) for x in range(-6, 7) for z in range(-6, 3)]
START = Pose(0.0, -1.5, 0.0, 30.0)


def _room() -> list[ObjectState]:
    """Return a table with a bowl, a tomato in it and a cup, and a cabinet."""
    table = thing(
        "DiningTable",
        (0, 0.5, 1),
        (2, 1, 0.8),
        affordances=Affordances(receptacle=True),
    )
    able = Affordances(openable=True, receptacle=True)
    return [
        thing("Floor", (0, 0, 0), (8, 0.2, 8)),
        table,
        thing("Tomato", (0.3, 0.93, 0.9), affordances=LOOSE),
        thing("Cabinet", (-1.5, 0.5, 1), (0.6, 0.8, 0.6), affordances=able),
        thing("Potato", (-1.5, 0.2, 1), affordances=LOOSE),
    ]


def _poses() -> Iterator[tuple[Pose, int]]:
    return Grid(CELLS).search(START).poses_by_cost(HORIZONS)


def _find(
    objects: list[ObjectState], target: int, verb: Verb, prefer: Prefer | None = None
) -> list[Viewpoint]:
    found = find(
        Geometry(objects),
        objects,
        target,
        lambda i: affords(verb, objects[i]),
        _poses(),
        BODY,
        prefer=prefer,
    )
    return list(found)


def _may_pick(objects: Sequence[ObjectState], index: int) -> bool:
    return affords(Verb.PICKUP, objects[index])


def _hit(objects: list[ObjectState], view: Viewpoint) -> tuple[float, float, float]:
    body = (view.pose.x, BODY, view.pose.z)
    eye = eye_of(AgentState(body, view.pose.yaw, view.pose.horizon))
    hit = Geometry(objects).first(eye, view.click)
    assert hit is not None
    assert dist(hit.point, body) <= 1.5
    return hit.point


@pytest.mark.parametrize(
    ("target", "verb"), [(1, Verb.PLACE), (2, Verb.PICKUP), (3, Verb.OPEN)]
)
def test_each_view_shows_the_object_at_the_very_click(target: int, verb: Verb) -> None:
    objects = _room()
    views = _find(objects, target, verb)
    assert len(views) > 10
    assert [v.cost for v in views] == sorted(v.cost for v in views)
    for view in views:
        assert view.click.x == round(view.click.x, 2)
        assert view.click.y == round(view.click.y, 2)
        eye = eye_of(
            AgentState(
                (view.pose.x, BODY, view.pose.z), view.pose.yaw, view.pose.horizon
            )
        )
        geometry = Geometry(objects)
        hit = geometry.first(eye, view.click)
        assert hit is not None
        assert hit.index == target
        assert resolve(geometry, eye, view.click, lambda i: True) == target
        _hit(objects, view)


def test_the_nearest_view_is_one_from_which_it_can_be_reached() -> None:
    nearest = _find(_room(), 2, Verb.PICKUP)[0]
    assert nearest.pose.yaw == 0.0
    assert nearest.cost <= 6
    assert dist((nearest.pose.x, nearest.pose.z), (0.3, 0.9)) < 1.5


def test_what_a_shut_box_holds_is_seen_from_nowhere() -> None:
    objects = _room()
    assert _find(objects, 4, Verb.PICKUP) == []
    objects[3] = replace(objects[3], isOpen=True)
    assert _find(objects, 4, Verb.PICKUP) != []


def test_what_the_verb_may_not_resolve_to_has_no_view() -> None:
    objects = _room()
    assert _find(objects, 2, Verb.OPEN) == []
    assert (
        _find([*objects[:2], replace(objects[2], isPickedUp=True)], 2, Verb.PLACE) == []
    )


def test_what_is_far_from_all_cells_has_no_view() -> None:
    objects = _room()
    objects[2] = thing("Tomato", (0.3, 0.93, 3.5), affordances=LOOSE)
    assert _find(objects, 2, Verb.PICKUP) == []


def test_a_preferred_point_is_clicked_if_any_will_do() -> None:
    objects = _room()
    views = _find(objects, 1, Verb.PLACE, prefer=lambda point: -abs(point[0] + 0.6) + 9)
    plain = _find(objects, 1, Verb.PLACE)
    assert {v.pose for v in views} == {v.pose for v in plain}
    off = [abs(_hit(objects, view)[0] + 0.6) for view in views]
    off_plain = [abs(_hit(objects, view)[0] + 0.6) for view in plain]
    assert sum(off) < sum(off_plain)
    assert _find(objects, 1, Verb.PLACE, prefer=lambda _: -1.0) == []
    left = _find(objects, 1, Verb.PLACE, prefer=lambda point: -point[0])
    assert left
    assert all(_hit(objects, view)[0] <= 0 for view in left)


def test_in_recorded_rooms_views_are_found_for_what_is_not_shut_away(
    sample_games: list[Path],
) -> None:
    found = wanted = 0
    for path in sample_games[:6]:
        game = read_game(path)
        if int(game.scene.place.removeprefix("FloorPlan")) in SET_ASIDE:
            continue
        start = game.scene.start
        objects, geometry = start.objects, Geometry(start.objects)
        body_y = start.follower.position[1]
        cells = {
            (round(-a.pose[1] / GRID), round(a.pose[0] / GRID))
            for a in game.interactions
            if a.pose is not None and a.pose[2] != 0.0
        }
        taken = {a.object_id for a in game.interactions if a.verb is Verb.PICKUP}
        for i, each in enumerate(objects):
            if each.objectId not in taken or geometry.enclosed(i):
                continue
            accepts = partial(_may_pick, objects)
            x, z = next(iter(sorted(cells)))
            paths = Grid(cells).search(Pose(x * GRID, z * GRID, 0.0, 30.0))
            poses = paths.poses_by_cost(HORIZONS)
            view = next(find(geometry, objects, i, accepts, poses, body_y), None)
            wanted += 1
            if view is not None:
                pose = view.pose
                eye = eye_of(
                    AgentState((pose.x, body_y, pose.z), pose.yaw, pose.horizon)
                )
                assert resolve(geometry, eye, view.click, accepts) == i
                found += 1
    assert wanted > 10
    assert found / wanted > 0.9
