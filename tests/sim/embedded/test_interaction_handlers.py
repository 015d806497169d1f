"""What deeds do to the things around, and what runs by itself: water that falls into basins."""

from dataclasses import replace

import pytest

from tatc.home.actions import Verb
from tatc.home.state import Box, ObjectState, Vec3, rotate_yaw, subtract
from tatc.sim.embedded.appliances import run_appliances
from tatc.sim.embedded.interaction_handlers import INTERACTION_HANDLERS, place_held
from tatc.sim.embedded.world_state import WorldState
from tests.sim.box_kitchen import kitchen, make_object, with_parents, world_with


def held_plate_with_spoon(yaw: float) -> tuple[ObjectState, ObjectState]:
    """Return a plate in the hand, turned by yaw, and a spoon that lies on it."""
    plate = make_object("Plate", (0, 1.4, 0.4), (0.26, 0.02, 0.26))
    plate = replace(plate, isPickedUp=True, rotation=(0.0, yaw, 0.0))
    plate = replace(plate, box=replace(plate.box, yaw=yaw))
    x, y, z = plate.position
    dx, dy, dz = rotate_yaw((0.05, 0.02, 0.03), yaw)
    spoon = with_parents(make_object("Spoon", (x + dx, y + dy, z + dz), (0.12, 0.01, 0.02)), plate)
    box = Box(spoon.box.center, spoon.box.size, yaw)
    return plate, replace(spoon, box=box, rotation=(0.0, yaw, 0.0))


@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0, 270.0])
def test_what_lies_in_a_dish_turns_with_it(yaw: float):
    """However the plate was held, the spoon lies on it as it did."""
    counter = make_object("CounterTop", (0, 0.0, 1), (1.6, 0.9, 0.6))
    plate, spoon = held_plate_with_spoon(yaw)
    world = world_with(counter, plate, spoon)
    assert place_held(world, counter, (0.1, 0.9, 1.0)) is None
    plate, spoon = world.objects[1:]
    turn = plate.rotation[1]
    offset = rotate_yaw(subtract(spoon.position, plate.position), -turn % 360.0)
    assert (offset[0], offset[2]) == pytest.approx((0.05, 0.03))
    middle = rotate_yaw(subtract(spoon.box.center, plate.position), -turn % 360.0)
    assert middle[0] == pytest.approx(0.05) and middle[2] == pytest.approx(0.03)
    assert (spoon.rotation[1] - turn) % 360.0 == pytest.approx(0.0)
    assert (spoon.box.yaw - turn) % 180.0 == pytest.approx(0.0)
    assert set(spoon.parentReceptacles or ()) == {plate.objectId, counter.objectId}


@pytest.mark.parametrize(
    ("verb", "kind", "state"),
    [
        (Verb.OPEN, "Fridge", {"isOpen": True}),
        (Verb.CLOSE, "Fridge", {"isOpen": False}),
        (Verb.TOGGLE_ON, "Faucet", {"isToggled": True}),
        (Verb.TOGGLE_OFF, "Faucet", {"isToggled": False}),
        (Verb.SLICE, "Bread", {"isSliced": True}),
        (Verb.DIRTY, "Plate", {"isDirty": True}),
        (Verb.CLEAN, "Plate", {"isDirty": False}),
        (Verb.FILL, "Mug", {"isFilledWithLiquid": True}),
        (Verb.EMPTY, "Mug", {"isFilledWithLiquid": False}),
    ],
)
def test_what_is_so_already_is_refused_and_stays(verb: Verb, kind: str, state: dict[str, bool]):
    """Callers that name their objects do not ask what a click may mean."""
    start = kitchen(**{kind: state}).initial
    world, [target] = WorldState(start), start.of_type(kind)
    assert isinstance(INTERACTION_HANDLERS[verb](world, target, target.box.center), str)
    assert world.snapshot().objects == start.objects


def washed_objects(*taps: ObjectState) -> tuple[bool, bool]:
    """Return which dirty plate these taps clean: one in a basin, one in a fridge."""
    basin = make_object("SinkBasin", (0, 0.85, 1), (0.8, 0.2, 0.4))
    fridge = make_object("Fridge", (1.0, 0.0, 1), (0.6, 1.8, 0.6))
    plates = (
        with_parents(make_object("Plate", low, (0.2, 0.02, 0.2), isDirty=True), parent)
        for low, parent in (((0.3, 0.9, 1), basin), ((1.0, 0.9, 1), fridge))
    )
    world = world_with(*plates, basin, fridge, *taps)
    run_appliances(world)
    wet, dry = world.objects[:2]
    return not wet.isDirty, not dry.isDirty


@pytest.mark.parametrize("kind", ["Faucet", "ShowerHead"])
def test_running_water_washes_what_lies_in_the_basin_below(kind: str):
    """However far in the basin it lies, though another tap is nearer to the basin."""
    tap = make_object(kind, (-0.3, 1.1, 1.2), (0.05, 0.2, 0.2))
    nearer = make_object("Faucet", (0.0, 1.1, 1.1), (0.05, 0.2, 0.2))
    assert washed_objects(replace(tap, isToggled=True), nearer) == (True, False)
    assert washed_objects(tap, nearer) == (False, False)


@pytest.mark.parametrize("place", [(0.6, 1.1, 1.0), (0.0, 1.1, 1.4), (0.0, 0.4, 1.0)])
def test_water_beside_a_basin_or_under_it_washes_nothing(place: Vec3):
    running = make_object("ShowerHead", place, (0.05, 0.2, 0.2), isToggled=True)
    assert washed_objects(running) == (False, False)
