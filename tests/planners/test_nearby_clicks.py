"""Clicks beside a thing mean it, by TEACh's own search around a click."""

from collections.abc import Iterator
from math import dist

from tatc.home.actions import Verb
from tatc.home.camera.clicks import affords, eye_of, resolve_click
from tatc.home.camera.geometry import Geometry
from tatc.home.state import Affordances, AgentState, ObjectState, Pose
from tatc.planners.viewpoints import (
    PLANNED_REACH_METRES,
    Viewpoint,
    find_nearby_clicks,
    find_viewpoints,
)
from tests.object_factory import PORTABLE, make_object

BODY_HEIGHT_METRES = 0.9
AGENT = AgentState((0.0, BODY_HEIGHT_METRES, 0.0), 0.0, 30.0)
PENCIL, CUP, CABINET = 2, 3, 4


def _room_objects(pencil: ObjectState) -> list[ObjectState]:
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


def _poses() -> Iterator[tuple[Pose, int]]:
    yield Pose(0.0, 0.25, 0.0, 30.0), 1
    yield Pose(0.0, 0.0, 0.0, 30.0), 2
    yield Pose(0.0, 0.0, 180.0, 30.0), 3


def _nearby_viewpoints(objects: list[ObjectState], target: int = PENCIL) -> list[Viewpoint]:
    geometry = Geometry(objects)

    def accepts(i: int) -> bool:
        return affords(Verb.PICKUP, objects[i])

    return list(find_nearby_clicks(geometry, objects, target, accepts, _poses(), AGENT))


def test_object_between_lattice_lines_is_clicked_nearby() -> None:
    objects = _room_objects(_pencil())
    geometry = Geometry(objects)
    on_it = find_viewpoints(geometry, objects, PENCIL, lambda i: True, _poses(), AGENT)
    assert not list(on_it)
    views = _nearby_viewpoints(objects)
    assert [view.pose for view in views] == [pose for pose, _ in _poses()][:2]
    for view in views:
        body = (view.pose.x, BODY_HEIGHT_METRES, view.pose.z)
        eye = eye_of(AgentState(body, view.pose.yaw, view.pose.horizon))
        hit = geometry.hit_at_click(eye, view.click)
        assert hit is not None and hit.index != PENCIL
        assert dist(hit.point, body) <= PLANNED_REACH_METRES

        def loose(i: int) -> bool:
            return affords(Verb.PICKUP, objects[i])

        assert resolve_click(geometry, eye, view.click, loose) == PENCIL


def test_hidden_object_is_not_clicked_nearby() -> None:
    assert not _nearby_viewpoints(_room_objects(_pencil(y=0.8)))


def test_object_verb_cannot_act_on_is_not_clicked_nearby() -> None:
    assert not _nearby_viewpoints(_room_objects(_pencil()), CABINET)
