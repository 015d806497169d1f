"""The free stretches of counters."""

import pytest

from tatc.home.camera.solids import Rect
from tatc.home.state import Box, ObjectState
from tatc.sim.floorplan.counter_areas import counter_areas
from tests.sim.box_kitchen import BODY_POSITION, make_object

COUNTER = make_object("CounterTop", (0, 0.86, 1), (2.4, 0.04, 0.6))


def areas(*objects: ObjectState) -> tuple[Rect, ...]:
    return counter_areas([COUNTER, *objects], BODY_POSITION)[COUNTER.objectId]


def test_an_empty_counter_is_one_stretch():
    (whole,) = areas()
    assert whole == pytest.approx(Rect(-1.2, 0.7, 1.2, 1.3))


@pytest.mark.parametrize("depth", [0.0, 0.0005, 0.01, 0.04])
def test_a_counter_hardly_deeper_than_nothing_is_one_stretch_or_none(depth: float):
    thin = make_object("CounterTop", (0, 0.86, 1), (2.4, 0.04, depth))
    found = counter_areas([thin], BODY_POSITION)[thin.objectId]
    half = depth / 2
    assert found in ((), pytest.approx((Rect(-1.2, 1 - half, 1.2, 1 + half),)))
    assert found or depth < 0.005


def test_a_sink_parts_a_counter_and_leaves_strips():
    left, right, *strips = areas(make_object("Sink", (0, 0.8, 1), (0.8, 0.1, 0.4)))
    assert (left.x0, left.x1) == pytest.approx((-1.2, -0.4))
    assert (right.x0, right.x1) == pytest.approx((0.4, 1.2))
    assert sorted((strip.z0, strip.z1) for strip in strips) == [
        pytest.approx((0.7, 0.8)),
        pytest.approx((1.2, 1.3)),
    ]


def test_burners_are_one_stove():
    burners = [
        make_object("StoveBurner", (x, 0.89, z), (0.2, 0.02, 0.2))
        for x in (-0.2, 0.2)
        for z in (0.8, 1.2)
    ]
    left, right, *_ = areas(*burners)
    assert left.x1 == pytest.approx(-0.3) and right.x0 == pytest.approx(0.3)


@pytest.mark.parametrize("low", [1.4, 0.1])
def test_what_hangs_above_or_stands_below_parts_nothing(low: float):
    assert len(areas(make_object("Microwave", (0, low, 1), (0.6, 0.3, 0.5)))) == 1


MICROWAVE = make_object("Microwave", (0.6, 0.8, 1), (0.5, 0.3, 0.4))


def test_a_microwave_stands_on_the_board_of_a_narrow_counter():
    (whole,) = areas(MICROWAVE)
    assert whole == pytest.approx(Rect(-1.2, 0.7, 1.2, 1.3))


def test_a_microwave_parts_a_counter_with_a_sink():
    found = areas(MICROWAVE, make_object("Sink", (-0.6, 0.8, 1), (0.6, 0.1, 0.4)))
    assert len(found) == 5
    assert not any(rect.x0 < 0.85 and rect.x1 > 0.35 for rect in found)


def test_a_microwave_that_stands_along_a_leg_parts_all_of_its_depth():
    leg = make_object("CounterTop", (0, 0.86, 1), (0.6, 0.04, 2.4))
    sink, oven = (
        ("Sink", (0, 0.8, 0.4), (0.4, 0.1, 0.6)),
        ("Microwave", (0, 0.8, 1.6), (0.4, 0.3, 0.5)),
    )
    around = [leg, make_object(*sink), make_object(*oven)]
    found = counter_areas(around, BODY_POSITION)[leg.objectId]
    assert not any(rect.z0 < 1.85 and rect.z1 > 1.35 for rect in found)
    furnished = counter_areas(around, BODY_POSITION, beside_microwaves=True)[leg.objectId]
    assert any(rect.z0 < 1.6 < rect.z1 for rect in furnished)


def test_a_microwave_parts_a_broad_counter():
    broad = make_object("CounterTop", (0, 0.86, 1), (2.4, 0.04, 1.0))
    found = counter_areas([broad, MICROWAVE], BODY_POSITION)[broad.objectId]
    assert not any(rect.x0 < 0.6 < rect.x1 and rect.z0 < 1.0 < rect.z1 for rect in found)


def test_what_stands_on_a_counter_and_can_be_moved_parts_nothing():
    assert len(areas(make_object("Toaster", (0, 0.9, 1), (0.2, 0.2, 0.3)))) == 1


def test_both_legs_of_an_l_reach_into_its_corner():
    ell = make_object("CounterTop", (0, 0.86, 0), (3.0, 0.04, 3.0))
    doors = [
        make_object("Cabinet", (x, 0.1, z), (0.5, 0.7, 0.5))
        for x, z in [(-1.2, z) for z in (-1.2, -0.5, 0.2, 0.9)]
        + [(x, -1.2) for x in (-0.5, 0.2, 0.9)]
    ]
    legs = counter_areas([ell, *doors], (0.8, 0.9, 0.8))[ell.objectId][:2]
    assert all((leg.x0, leg.z0) == pytest.approx((-1.5, -1.5)) for leg in legs)
    assert sorted((leg.x1 > 1.4, leg.z1 > 1.4) for leg in legs) == [(False, True), (True, False)]


def test_a_counter_turned_askew_is_left_to_its_box():
    askew = ObjectState(
        **{name: getattr(COUNTER, name) for name in ObjectState.__slots__ if name != "box"},
        box=Box(COUNTER.box.center, COUNTER.box.size, 45.0),
    )
    assert counter_areas([askew], BODY_POSITION) == {}


ELL = make_object("CounterTop", (0, 0.86, 0), (3.0, 0.04, 3.0))
SOUTH_DOORS = [make_object("Cabinet", (x, 0.1, -1.2), (0.5, 0.7, 0.5)) for x in (-0.2, 0.4, 1.0)]


def west_door(hinge_x: float) -> ObjectState:
    """Return a cabinet under the west leg, which faces the side near which its hinge is."""
    low, size = (-0.775, 0.1, 0.2), (0.35, 0.7, 0.6)
    return make_object("Cabinet", low, size, position=(hinge_x, 0.4, 0.5))


def depths_of_west_leg(*objects: ObjectState) -> list[float]:
    """Return how deep the areas are that reach the north end of the west leg."""
    floor = make_object("Floor", (0, -0.02, 0), (8, 0.02, 8))
    found = counter_areas([floor, ELL, *SOUTH_DOORS, *objects], (0.8, 0.9, 0.8))[ELL.objectId]
    return [round(area.x1 - area.x0, 3) for area in found if area.z1 == pytest.approx(1.5)]


def test_one_door_shows_how_deep_a_leg_is_along_all_of_its_length():
    assert depths_of_west_leg() == [0.7]
    assert depths_of_west_leg(west_door(-0.63)) == [0.92]


@pytest.mark.parametrize(("hinge", "depth"), [((-1.31, -0.86), 0.5), ((-1.46, -1.45), 0.92)])
def test_the_hinge_of_a_cabinet_in_a_corner_shows_where_the_floor_is(
    hinge: tuple[float, float], depth: float
):
    position = (hinge[0], 0.4, hinge[1])
    corner = make_object("Cabinet", (-1.31, 0.1, -1.15), (0.34, 0.7, 0.6), position=position)
    assert depths_of_west_leg(west_door(-0.63), corner) == [depth]


@pytest.mark.parametrize(("z", "depth"), [(1.3, 0.6), (0.7, 1.2)])
def test_the_board_ends_at_the_doors_unless_a_thing_lies_beyond(z: float, depth: float):
    deep = make_object("CounterTop", (0, 0.86, 1), (2.4, 0.04, 1.2))
    doors = [make_object("Drawer", (x, 0.6, 1.3), (0.9, 0.2, 0.56)) for x in (-0.6, 0.0, 0.6)]
    wall = make_object("Fridge", (0, 0, 1.9), (2.4, 1.8, 0.6))
    mug = make_object("Mug", (0, 0.9, z), (0.1, 0.1, 0.1), parentReceptacles=(deep.objectId,))
    found = counter_areas([deep, *doors, wall, mug], BODY_POSITION)[deep.objectId]
    largest = max(found, key=lambda area: (area.x1 - area.x0) * (area.z1 - area.z0))
    assert largest.z1 - largest.z0 == pytest.approx(depth, abs=0.05)
