"""Where things come to stand, and when they do not fit."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatc.sim.embedded.house import House
from tatc.sim.embedded.placing import NO_ROOM, find_spot, overlap, parents_at
from tatc.state import AgentState, Box, ObjectState, Snapshot
from tests.sim.scenes import thing, within

AGENT = AgentState((0, 0.9, 0), 0, 30)
PLATE = thing("Plate", (0, 0.9, 1), (0.26, 0.03, 0.26))
CUP = thing("Cup", (2, 0, 2), (0.08, 0.1, 0.08))


def house(*objects: ObjectState) -> House:
    return House(Snapshot.of(objects, AGENT, AGENT))


def fill(target: ObjectState, piece: ObjectState, limit: int = 30) -> int:
    """Put copies of a thing into a receptacle until no more fits; count them."""
    objects = [target]
    for n in range(limit):
        here = house(*objects)
        new = replace(piece, objectId=f"{piece.objectId}|{n}")
        spot = find_spot(here, new, target, target.box.center)
        if isinstance(spot, str):
            assert spot == NO_ROOM
            return n
        assert not any(overlap(spot, other.box) for other in objects[1:])
        objects.append(within(replace(new, box=spot), target))
    return limit


def test_a_plate_holds_several_slices_but_not_any_number():
    slice_ = thing("BreadSliced", (0, 0, 0), (0.13, 0.12, 0.025))
    assert 4 <= fill(PLATE, slice_) <= 12


def test_a_bowl_holds_slices():
    bowl = thing("Bowl", (0, 0.9, 1), (0.2, 0.08, 0.2))
    assert fill(bowl, thing("PotatoSliced", (0, 0, 0), (0.07, 0.07, 0.012))) >= 5


def test_a_mug_holds_one_thing_and_a_toaster_two():
    spoon = thing("Spoon", (0, 0, 0), (0.02, 0.02, 0.02))
    assert fill(thing("Mug", (0, 0.9, 1), (0.1, 0.1, 0.1)), spoon) == 1
    toast = thing("BreadSliced", (0, 0, 0), (0.13, 0.12, 0.02))
    assert fill(thing("Toaster", (0, 0.9, 1), (0.2, 0.2, 0.3)), toast) == 2


def test_a_burner_takes_a_pot_larger_than_itself_but_only_one():
    burner = thing("StoveBurner", (0, 0.9, 1), (0.18, 0.02, 0.18))
    assert fill(burner, thing("Pot", (0, 0, 0), (0.28, 0.15, 0.24))) == 1


def test_a_counter_fills_up():
    counter = thing("CounterTop", (0, 0.86, 1), (0.5, 0.04, 0.5))
    assert 4 <= fill(counter, thing("Pan", (0, 0, 0), (0.24, 0.06, 0.24))) <= 9


def test_a_bin_is_filled_to_its_rim_and_no_farther():
    bin_ = thing("GarbageCan", (0, 0, 1), (0.3, 0.5, 0.3))
    flat = thing("Pan", (0, 0, 0), (0.2, 0.1, 0.2))
    assert fill(bin_, flat) == 5
    assert fill(replace(bin_, objectType="Chair"), flat) < 5


def test_a_thing_too_large_is_refused_at_once():
    box = thing("Microwave", (0, 0.9, 1), (0.4, 0.3, 0.5), isOpen=True)
    assert fill(box, thing("Pot", (0, 0, 0), (0.3, 0.34, 0.3))) == 0
    assert fill(box, thing("Pan", (0, 0, 0), (0.6, 0.06, 0.6))) == 0


def test_a_long_thing_is_turned_to_fit():
    drawer = thing("Drawer", (0, 0.6, 1), (0.2, 0.15, 0.5), isOpen=True)
    ladle = thing("Ladle", (0, 0, 0), (0.4, 0.05, 0.08))
    spot = find_spot(house(drawer), ladle, drawer, drawer.box.center)
    assert isinstance(spot, Box) and spot.yaw == 90.0


@pytest.mark.parametrize("kind", ["Cabinet", "Drawer", "Fridge", "Microwave", "Box"])
def test_what_is_shut_takes_nothing(kind: str):
    shut = thing(kind, (0, 0.5, 1), (0.8, 0.8, 0.8))
    shut = replace(shut, affordances=replace(shut.affordances, openable=True))
    assert "CLOSED" in str(find_spot(house(shut), CUP, shut, shut.box.center))
    opened = replace(shut, isOpen=True)
    assert isinstance(find_spot(house(opened), CUP, opened, (0, 0.9, 1)), Box)


def test_some_receptacles_take_one_type_only():
    toaster = thing("Toaster", (0, 0.9, 1), (0.2, 0.2, 0.3))
    refused = find_spot(house(toaster), CUP, toaster, toaster.box.center)
    assert "not a valid Object Type to be placed" in str(refused)


def test_a_thing_lands_as_near_to_the_click_as_it_can():
    counter = thing("CounterTop", (0, 0.86, 1), (2.0, 0.04, 0.6))
    other = within(thing("Bowl", (0.3, 0.9, 1), (0.2, 0.1, 0.2)), counter)
    free = find_spot(house(counter, other), CUP, counter, (-0.4, 0.9, 1.1))
    assert isinstance(free, Box)
    assert free.center == pytest.approx((-0.4, 0.95, 1.1))
    taken = find_spot(house(counter, other), CUP, counter, (0.3, 0.9, 1.0))
    assert isinstance(taken, Box) and not overlap(taken, other.box)
    assert abs(taken.center[0] - 0.3) + abs(taken.center[2] - 1.0) < 0.25


def test_parents_run_on_through_dishes_but_not_through_furniture():
    sink = thing("SinkBasin", (0, 0.8, 1), (0.4, 0.2, 0.4))
    plate = within(PLATE, sink)
    floor = thing("Floor", (0, -0.02, 0), (6, 0.02, 6))
    fridge = within(thing("Fridge", (1, 0, 1), (0.8, 1.8, 0.8)), floor)
    here = house(sink, plate, floor, fridge)
    expected = tuple(sorted((plate.objectId, sink.objectId)))
    assert parents_at(here, plate, PLATE.box) == expected
    high = Box((1, 1.2, 1), (0.1, 0.1, 0.1))
    assert parents_at(here, fridge, high) == (fridge.objectId,)
    low = Box((1, 0.2, 1), (0.1, 0.1, 0.1))
    both = tuple(sorted((fridge.objectId, floor.objectId)))
    assert parents_at(here, fridge, low) == both


YAWS = st.sampled_from([0.0, 30.0, 45.0, 90.0, 200.0])
SIZES = st.floats(0.05, 0.6)
BOXES = st.builds(
    lambda x, z, w, d, yaw: Box((x, 0.5, z), (w, 0.2, d), yaw),
    st.floats(-0.5, 0.5),
    st.floats(-0.5, 0.5),
    SIZES,
    SIZES,
    YAWS,
)


@given(a=BOXES, b=BOXES)
def test_overlap_is_symmetric_and_moving_up_ends_it(a: Box, b: Box):
    assert overlap(a, b) == overlap(b, a)
    assert overlap(a, a)
    assert not overlap(a, b.moved(0.0, 0.21, 0.0))


@given(a=BOXES, b=BOXES)
def test_boxes_whose_circles_are_apart_do_not_overlap(a: Box, b: Box):
    reach = sum((s.size[0] ** 2 + s.size[2] ** 2) ** 0.5 / 2 for s in (a, b))
    away = b.moved(reach + 1.5, 0.0, 0.0)
    assert not overlap(a, away)
    inside = Box(a.center, (0.02, 0.1, 0.02), b.yaw)
    assert overlap(a, inside)
