"""What is in a closed container is seen from nowhere, even where its box sticks out."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tatc.home.actions import Click
from tatc.home.camera.clicks import eye_of
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import Eye
from tatc.home.camera.scene_solids import ShutInObjects
from tatc.home.state import Affordances, AgentState, ObjectState
from tatc.home.type_facts import MUST_BE_OPEN_TYPES
from tatc.sim.embedded.interaction_handlers import (
    apply_opening,
    close_target,
    pick_up,
    place_held,
)
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.rooms import load_room, start_state
from tests.object_factory import make_object

EYE = Eye((0.0, 1.0, 0.0), 0.0, 0.0)
MIDDLE = Click(0.5, 0.5)  # meets whatever reaches a height of 1 m, 2 m ahead
CUPBOARD = replace(
    make_object("Cabinet", (0, 0.45, 2), (1, 0.9, 0.5)),
    objectId="Cabinet|1",
    affordances=Affordances(openable=True, receptacle=True),
)
PORTABLE = Affordances(pickupable=True, receptacle=True)


def tall(name: str, *parents: str) -> ObjectState:
    """Return a portable object that sticks out of the cupboard, and is in these."""
    made = make_object("Vase", (0, 0.6, 2), (0.2, 1.2, 0.2))
    return replace(made, objectId=name, affordances=PORTABLE, parentReceptacles=parents)


def seen(geometry: Geometry) -> int | None:
    hit = geometry.hit_at_click(EYE, MIDDLE)
    return None if hit is None else hit.index


def test_it_is_seen_while_the_container_is_open() -> None:
    geometry = Geometry([CUPBOARD, tall("Vase|1", "Cabinet|1")])
    assert seen(geometry) is None and geometry.is_enclosed(1)
    geometry.update(0, replace(CUPBOARD, isOpen=True))
    assert seen(geometry) == 1 and not geometry.is_enclosed(1)
    geometry.update(0, CUPBOARD)
    assert seen(geometry) is None


def test_so_is_what_is_in_something_that_is_shut_in() -> None:
    dish = replace(tall("Bowl|1", "Cabinet|1"), box=CUPBOARD.box)
    geometry = Geometry([tall("Vase|1", "Bowl|1"), dish, CUPBOARD])
    assert seen(geometry) is None
    geometry.update(2, replace(CUPBOARD, isOpen=True))
    assert seen(geometry) == 0
    geometry.update(2, CUPBOARD)
    geometry.update(1, replace(dish, parentReceptacles=()))
    assert seen(geometry) == 0


def test_it_comes_into_view_when_it_is_taken_out() -> None:
    geometry = Geometry([CUPBOARD])
    geometry.append(tall("Vase|1", "Cabinet|1"))
    assert seen(geometry) is None
    geometry.update(1, tall("Vase|1"))
    assert seen(geometry) == 1


def test_what_is_hidden_stays_hidden_when_its_container_opens() -> None:
    geometry = Geometry([CUPBOARD, tall("Vase|1", "Cabinet|1")])
    geometry.hide(1)
    geometry.update(0, replace(CUPBOARD, isOpen=True))
    assert seen(geometry) is None
    geometry.update(1, tall("Vase|1", "Cabinet|1"))
    assert seen(geometry) == 1


def test_furniture_is_never_shut_in_and_parents_in_a_ring_are_no_fault() -> None:
    """AI2-THOR lists a plate as a parent of the cabinet that it is in."""
    around = replace(CUPBOARD, parentReceptacles=("Plate|1",))
    geometry = Geometry([around, tall("Plate|1", "Cabinet|1")])
    eye = Eye((0.0, 0.5, 0.0), 0.0, 0.0)
    hit = geometry.hit_at_click(eye, MIDDLE)
    assert hit is not None and hit.index == 0
    ring = [tall("Vase|1", "Vase|2"), tall("Vase|2", "Vase|1")]
    assert seen(Geometry(ring)) == 0


def shut_in(world: WorldState) -> set[int]:
    closed = {
        obj.objectId
        for obj in world.objects
        if obj.objectType in MUST_BE_OPEN_TYPES and not obj.isOpen
    }
    return {
        i
        for i, obj in enumerate(world.objects)
        if obj.affordances.pickupable and closed.intersection(obj.parentReceptacles or ())
    }


@pytest.mark.parametrize("room", ["kitchen-06", "living-room-08", "bedroom-11"])
def test_whatever_was_put_away_is_out_of_sight(room: str) -> None:
    """Objects are put into every container, as many as fit, and it is closed."""
    scene, rng = start_state(load_room(room), 1), Random(room)
    world = WorldState(scene.initial)
    portable = [obj.objectId for obj in scene.initial.objects if obj.affordances.pickupable]
    for container in scene.initial.objects:
        if container.objectType in MUST_BE_OPEN_TYPES and not container.affordances.pickupable:
            middle = container.box.center
            apply_opening(world, container, world.opened_copy(container, middle))
            for name in rng.sample(portable, 8):
                _put_into(world, container.objectId, name)
            opened = world.find(container.objectId)
            assert opened is not None and close_target(world, opened, middle) is None
    hidden = shut_in(world)
    assert len(hidden) > 5
    for pose in rng.sample(sorted(WalkableGrid.from_scene(scene).reachable(), key=repr), 12):
        for yaw in (0.0, 90.0, 180.0, 270.0):
            body = AgentState((pose.x, world.follower.position[1], pose.z), yaw, 30.0)
            ids, _ = world.geometry.trace_objects(eye_of(body), 300)
            assert hidden.isdisjoint(np.unique(ids).tolist())
    world.restore(scene.initial)
    ids, _ = world.geometry.trace_objects(eye_of(scene.initial.follower))
    fresh, _ = WorldState(scene.initial).geometry.trace_objects(eye_of(scene.initial.follower))
    assert np.array_equal(ids, fresh)


def _put_into(world: WorldState, container: str, name: str) -> None:
    """Put an object into a container, or leave it where it is if it does not fit."""
    obj, target, before = world.find(name), world.find(container), world.snapshot()
    assert obj is not None and target is not None
    pick_up(world, obj, obj.box.center)
    if place_held(world, target, target.box.center) is not None:
        world.restore(before)


def test_what_is_in_what_is_known_at_once_as_one_by_one() -> None:
    objects = start_state(load_room("kitchen-02"), 4).initial.objects
    one_by_one = ShutInObjects(())
    for i, obj in enumerate(objects):
        one_by_one.update(i, obj)
    assert vars(ShutInObjects(objects)) == vars(one_by_one)


def test_a_geometry_takes_any_number_of_objects_in_one_go_or_later() -> None:
    boxes = [make_object("Box", (i / 4, 0.5, 2.0), (0.1, 0.2, 0.3)) for i in range(600)]
    grown, whole = Geometry((), has_walls=False), Geometry(boxes, has_walls=False)
    for box in boxes:
        grown.append(box)
    assert [each.tolist() for each in grown.bounds] == [each.tolist() for each in whole.bounds]
    assert list(grown.prepared_solids) == list(whole.prepared_solids)
    assert [*map(grown.object_bounds, range(600))] == [*map(whole.object_bounds, range(600))]
