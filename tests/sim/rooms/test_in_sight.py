"""What a start state has can be seen and clicked from the floor of its room."""

from collections.abc import Iterator

import pytest

from tatc.actions import Verb
from tatc.affordances import affords
from tatc.camera.doors import opened
from tatc.camera.geometry import Geometry
from tatc.planners.viewpoints import find
from tatc.sim.embedded.deeds import swing
from tatc.sim.embedded.house import House
from tatc.sim.embedded.motion import Floor
from tatc.sim.rooms import load_room, start_state
from tatc.sim.rooms.stowing import DOORED
from tatc.sim.rooms.things import heading
from tatc.state import ObjectState, Pose, Scene, Vec3

CASES = {*DOORED, "Drawer"}
ROOMS = ("kitchen-02", "kitchen-07", "living-room-03", "bedroom-02", "bathroom-04")


def poses_near(scene: Scene, thing: ObjectState) -> Iterator[tuple[Pose, int]]:
    x, _, z = thing.box.center
    for cell in Floor.of(scene).reachable():
        if (cell.x - x) ** 2 + (cell.z - z) ** 2 < 2.5:
            for yaw in (0.0, 90.0, 180.0, 270.0):
                for horizon in (-30.0, 0.0, 30.0, 60.0):
                    yield Pose(cell.x, cell.z, yaw, horizon), 0


def use_of(thing: ObjectState) -> Verb | None:
    able = thing.affordances
    if able.pickupable or thing.objectType in ("Floor", "ShowerHead"):
        return None
    if able.openable:
        return Verb.CLOSE if thing.isOpen else Verb.OPEN
    if able.toggleable:
        return Verb.TOGGLE_OFF if thing.isToggled else Verb.TOGGLE_ON
    return Verb.PLACE if able.receptacle else None


@pytest.mark.parametrize("name", ROOMS)
def test_all_that_is_used_can_be_clicked_from_somewhere(name: str):
    scene = start_state(load_room(name), 3)
    things = scene.start.objects
    geometry = Geometry(things)
    hidden = []
    for i, thing in enumerate(things):
        verb = use_of(thing)
        if verb is None:
            continue
        views = find(
            geometry,
            things,
            i,
            lambda j, verb=verb: affords(verb, things[j]),
            poses_near(scene, thing),
            0.9,
        )
        if next(views, None) is None:
            hidden.append(thing.objectId)
    assert hidden == []


def front_of(thing: ObjectState) -> Vec3:
    fx, fz = heading(thing.rotation[1])
    (x, y, z), (width, _, depth) = thing.box.center, thing.box.size
    return x + fx * width / 2, y, z + fz * depth / 2


@pytest.mark.parametrize("name", ["kitchen-02", "kitchen-07", "bathroom-04"])
def test_what_is_shut_in_can_be_picked_up_once_it_is_open(name: str):
    scene = start_state(load_room(name), 5)
    hidden, seen = [], 0
    for case in scene.start.objects:
        house = House(scene.start)
        inside = house.contents(case.objectId)
        if case.objectType not in CASES or not inside:
            continue
        swing(house, case, opened(case, front_of(case)))
        for thing in inside:
            views = find(
                house.geometry,
                house.things,
                house.index(thing.objectId),
                lambda j, now=house.things: affords(Verb.PICKUP, now[j]),
                poses_near(scene, case),
                0.9,
            )
            seen += 1
            if next(views, None) is None:
                hidden.append((thing.objectId, case.objectId))
    assert hidden == []
    assert seen > 0
