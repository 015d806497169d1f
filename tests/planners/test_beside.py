"""Clicks beside a thing mean it, by TEACh's own search around a click."""

from collections.abc import Iterator
from math import dist

from tatc.actions import Verb
from tatc.affordances import affords
from tatc.camera.clicks import eye_of, resolve
from tatc.camera.geometry import Geometry
from tatc.planners.beside import find_beside
from tatc.planners.viewpoints import REACH, Viewpoint, find
from tatc.state import Affordances, AgentState, ObjectState, Pose
from tests.boxes import LOOSE, thing

BODY = 0.9
PENCIL, CUP, CABINET = 2, 3, 4


def _room(pencil: ObjectState) -> list[ObjectState]:
    able = Affordances(receptacle=True)
    return [
        thing("Floor", (0, 0, 0), (8, 0.2, 8)),
        thing("DiningTable", (0, 0.5, 1), (2, 1, 0.8), affordances=able),
        pencil,
        thing("Cup", (0.5, 1.05, 1), (0.1, 0.1, 0.1), affordances=LOOSE),
        thing("Cabinet", (-1.5, 0.5, 1), (0.6, 0.8, 0.6), affordances=able),
    ]


def _pencil(y: float = 1.005) -> ObjectState:
    return thing("Pencil", (0.012, y, 1), (0.005, 0.008, 0.15), affordances=LOOSE)


def _poses() -> Iterator[tuple[Pose, int]]:
    yield Pose(0.0, 0.25, 0.0, 30.0), 1
    yield Pose(0.0, 0.0, 0.0, 30.0), 2
    yield Pose(0.0, 0.0, 180.0, 30.0), 3


def _beside(objects: list[ObjectState], target: int = PENCIL) -> list[Viewpoint]:
    geometry = Geometry(objects)

    def accepts(i: int) -> bool:
        return affords(Verb.PICKUP, objects[i])

    return list(find_beside(geometry, objects, target, accepts, _poses(), BODY))


def test_a_thing_between_the_lines_of_the_lattice_is_clicked_beside() -> None:
    objects = _room(_pencil())
    geometry = Geometry(objects)
    on_it = find(geometry, objects, PENCIL, lambda i: True, _poses(), BODY)
    assert not list(on_it)
    views = _beside(objects)
    assert [view.pose for view in views] == [pose for pose, _ in _poses()][:2]
    for view in views:
        body = (view.pose.x, BODY, view.pose.z)
        eye = eye_of(AgentState(body, view.pose.yaw, view.pose.horizon))
        hit = geometry.first(eye, view.click)
        assert hit is not None and hit.index != PENCIL
        assert dist(hit.point, body) <= REACH

        def loose(i: int) -> bool:
            return affords(Verb.PICKUP, objects[i])

        assert resolve(geometry, eye, view.click, loose) == PENCIL


def test_what_does_not_show_is_not_clicked_beside() -> None:
    assert not _beside(_room(_pencil(y=0.8)))


def test_what_the_verb_does_not_take_is_not_clicked_beside() -> None:
    assert not _beside(_room(_pencil()), CABINET)
