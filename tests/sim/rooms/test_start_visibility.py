"""What a start state has can be seen and clicked from the floor of its room."""

from collections.abc import Iterator

import pytest

from tatc.home.actions import Verb
from tatc.home.camera.clicks import affords
from tatc.home.camera.door_geometry import open_object
from tatc.home.camera.geometry import Geometry
from tatc.home.state import ObjectState, Pose, Scene, Vec3
from tatc.home.type_facts import HINGED_DOOR_TYPES
from tatc.planners.viewpoints import find_viewpoints
from tatc.sim.embedded.interaction_handlers import apply_opening
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.rooms import load_room, start_state
from tatc.sim.rooms.room import facing_direction

DOORED_RECEPTACLES = {*HINGED_DOOR_TYPES, "Drawer"}


def poses_near(scene: Scene, thing: ObjectState) -> Iterator[tuple[Pose, int]]:
    x, _, z = thing.box.center
    for cell in WalkableGrid.from_scene(scene).reachable():
        if (cell.x - x) ** 2 + (cell.z - z) ** 2 < 2.5:
            for yaw in (0.0, 90.0, 180.0, 270.0):
                for horizon in (-30.0, 0.0, 30.0, 60.0):
                    yield Pose(cell.x, cell.z, yaw, horizon), 0


def verb_for(thing: ObjectState) -> Verb | None:
    able = thing.affordances
    if able.pickupable or thing.objectType in ("Floor", "ShowerHead"):
        return None
    if able.openable:
        return Verb.CLOSE if thing.isOpen else Verb.OPEN
    if able.toggleable:
        return Verb.TOGGLE_OFF if thing.isToggled else Verb.TOGGLE_ON
    return Verb.PLACE if able.receptacle else None


@pytest.mark.parametrize("name", ["kitchen-07", "living-room-03", "bedroom-02", "bathroom-04"])
def test_all_that_is_used_can_be_clicked_from_somewhere(name: str):
    scene = start_state(load_room(name), 3)
    objects = scene.initial.objects
    geometry = Geometry(objects)
    hidden = []
    for i, obj in enumerate(objects):
        verb = verb_for(obj)
        if verb is None:
            continue
        views = find_viewpoints(
            geometry,
            objects,
            i,
            lambda j, verb=verb: affords(verb, objects[j]),
            poses_near(scene, obj),
            scene.initial.follower,
        )
        if next(views, None) is None:
            hidden.append(obj.objectId)
    assert hidden == []


def front_of(thing: ObjectState) -> Vec3:
    fx, fz = facing_direction(thing.rotation[1])
    (x, y, z), (width, _, depth) = thing.box.center, thing.box.size
    return x + fx * width / 2, y, z + fz * depth / 2


@pytest.mark.parametrize("name", ["kitchen-02", "bathroom-04"])
def test_what_is_shut_in_can_be_picked_up_once_it_is_open(name: str):
    scene = start_state(load_room(name), 5)
    hidden, seen = [], 0
    for case in scene.initial.objects:
        world = WorldState(scene.initial)
        inside = world.contents(case.objectId)
        if case.objectType not in DOORED_RECEPTACLES or not inside:
            continue
        apply_opening(world, case, open_object(case, front_of(case)))
        for obj in inside:
            views = find_viewpoints(
                world.geometry,
                world.objects,
                world.index_of(obj.objectId),
                lambda j, now=world.objects: affords(Verb.PICKUP, now[j]),
                poses_near(scene, case),
                scene.initial.follower,
            )
            seen += 1
            if next(views, None) is None:
                hidden.append((obj.objectId, case.objectId))
    assert hidden == []
    assert seen > 0
