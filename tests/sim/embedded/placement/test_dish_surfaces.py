"""Where food is put in dishes whose assets are known."""

from dataclasses import replace
from math import hypot, inf

import pytest
from hypothesis import given, strategies as st

from tatc.home.camera.clicks import dish_floor_height, ray_end_in_dish
from tatc.home.state import Box, ObjectState, Vec3
from tatc.sim.embedded.placement.box_overlap import boxes_overlap
from tatc.sim.embedded.placement.dish_surfaces import dish_surfaces, known_dish, surfaces_on_rim
from tatc.sim.embedded.placement.placement_search import (
    NO_VALID_POSITION_MESSAGE,
    Placement,
    find_placement,
)
from tests.sim.box_kitchen import make_object, with_parents, world_with

# Plate_7: a round plate of 0.2 m whose two trigger boxes, 0.146 x 0.19 m, cross each other.
PLATE = make_object("Plate", (0, 0.9, 0.8), (0.1997, 0.0895, 0.1997), mass=0.62)
EYE = (0.0, 1.575, 0.0)


def food_of(size: Vec3) -> ObjectState:
    return make_object("Potato", (3, 0.9, 3), size)


def place(held: ObjectState, point: Vec3, *there: ObjectState, plate: ObjectState = PLATE):
    """Return what becomes of a held object that is put on a plate at a point."""
    world = world_with(plate, *there, held)
    world.set_held_object(held.objectId)
    return find_placement(world, held, plate, point)


def test_the_plate_is_known_and_another_size_is_not():
    assert known_dish(PLATE) is not None
    wider = replace(PLATE, box=replace(PLATE.box, size=(0.26, 0.0895, 0.26)))
    assert known_dish(wider) is None
    assert not any(surface.trigger_box for surface in dish_surfaces(wider))


def test_food_rests_between_the_walls_of_a_deep_bowl_and_above_its_floor():
    """The trigger box of Bowl_30 begins 36 mm above the bowl's floor."""
    bowl = make_object("Bowl", (0, 0.9, 0.8), (0.1995, 0.0887, 0.2079), mass=0.47)
    (surface,) = dish_surfaces(bowl)
    dish = known_dish(bowl)
    assert dish is not None
    assert surface.y - dish_floor_height(bowl, dish) == pytest.approx(0.0361 + 0.005)
    assert surface.radius == inf > max(surface.radius for surface in dish_surfaces(PLATE))


def test_food_leans_on_a_rim_only_where_it_fits_nowhere_inside_of_it():
    """Plate_2 is 0.242 m wide; its rim is in the way from 86 % of that on."""
    plate = make_object("Plate", (0, 0.9, 0.8), (0.246, 0.1678, 0.2419), mass=0.62)
    (inner, _), (outer, _) = dish_surfaces(plate), surfaces_on_rim(plate)
    assert inner.size == outer.size and inner.radius < outer.radius
    for width, fits_inside in ((0.05, True), (0.152, False)):
        placement = place(food_of((width, width, width)), (0.0, 0.95, 0.9), plate=plate)
        assert isinstance(placement, Placement)
        (x, _, z), (wide, _, deep) = placement.box.center, placement.box.size
        corner = hypot(abs(x) + wide / 2, abs(z - 0.8) + deep / 2)
        assert (corner < inner.radius) is fits_inside and corner < outer.radius
    assert not surfaces_on_rim(PLATE)  # Plate_7: nothing is known of its rim


@pytest.mark.parametrize(("z", "is_raised"), [(0.8, False), (0.86, False), (0.91, True)])
def test_food_stands_higher_on_the_rim_of_a_plate_than_on_its_floor(z: float, is_raised: bool):
    """Plate_11 is 0.223 m wide; from 80 mm on, its rim carries food 5.4 mm higher."""
    plate = make_object("Plate", (0, 0.9, 0.8), (0.2227, 0.2014, 0.2228), mass=0.62)
    dish = known_dish(plate)
    assert dish is not None
    floor = dish_floor_height(plate, dish)
    placement = place(food_of((0.16, 0.16, 0.02)), (0.0, floor, z), plate=plate)
    assert isinstance(placement, Placement)
    above_floor = placement.box.bounds()[0][1] - floor
    assert above_floor == pytest.approx(0.0104 if is_raised else 0.005, abs=1e-6)
    assert (placement.position[2] - 0.8 > 0.08) is is_raised


@given(yaw=st.floats(0.0, 359.0))
def test_areas_turn_with_the_plate(yaw: float):
    box = Box(PLATE.box.center, PLATE.box.size, yaw)
    first, second = dish_surfaces(replace(PLATE, rotation=(0.0, yaw, 0.0), box=box))
    assert first.yaw == pytest.approx(yaw) and second.yaw == pytest.approx((yaw + 90.0) % 360.0)
    for surface in (first, second):
        assert (surface.x, surface.z) == pytest.approx((0.0, 0.8))


@pytest.mark.parametrize(
    ("edges", "width", "fits"),
    [((0.1923, 0.2182), 0.15, True), ((0.203, 0.17), 0.165, True), ((0.203, 0.17), 0.169, False)],
)
def test_a_slice_is_as_wide_as_the_plate_between_its_rims(
    edges: tuple[float, float], width: float, fits: bool
):
    """The area of the first plate ends within its rim, that of the second reaches over it."""
    wide, high = edges
    plate = make_object("Plate", (0, 0.9, 0.8), (wide, high, wide), mass=0.62)
    known = known_dish(plate)
    assert known is not None and len(known.areas) == 1
    placed = place(food_of((width, width, 0.016)), plate.position, plate=plate)
    assert placed == NO_VALID_POSITION_MESSAGE if not fits else isinstance(placed, Placement)


def test_food_stands_at_the_lattice_point_nearest_to_the_click():
    low = PLATE.box.bounds()[0][1]
    placement = place(food_of((0.06, 0.06, 0.01)), (0.02, low + 0.01, 0.8))
    assert isinstance(placement, Placement)
    x, y, z = placement.position
    # An eighth of the first area's width is 18.2 mm.
    assert (x, z) == pytest.approx((0.0182, 0.8), abs=5e-4)
    assert y - 0.03 == pytest.approx(low + 0.0077 + 0.005, abs=2e-3)


@pytest.mark.parametrize(("width", "fits"), [(0.14, True), (0.17, False), (0.19, False)])
def test_an_empty_plate_takes_nothing_that_is_wider_than_its_areas(width: float, fits: bool):
    placed = place(food_of((width, 0.06, width)), PLATE.position)
    assert placed == NO_VALID_POSITION_MESSAGE if not fits else isinstance(placed, Placement)


def test_food_is_refused_where_the_plate_is_full():
    there: list[ObjectState] = []
    for i in range(9):
        held = replace(food_of((0.06, 0.06, 0.06)), objectId=f"Potato|{i}")
        placed = place(held, PLATE.position, *there)
        if isinstance(placed, str):
            assert placed == NO_VALID_POSITION_MESSAGE and i > 1
            return
        assert not any(boxes_overlap(placed.box, other.box) for other in there)
        there.append(with_parents(replace(held, box=placed.box, position=placed.position), PLATE))
    raise AssertionError("a plate of 20 cm has no room for nine cubes of 6 cm")


@given(x=st.floats(-0.15, 0.15), z=st.floats(0.65, 0.95))
def test_a_ray_ends_on_the_floor_in_the_middle_and_higher_at_the_rim(x: float, z: float):
    dish, low = known_dish(PLATE), PLATE.box.bounds()[0][1]
    assert dish is not None
    end = ray_end_in_dish(PLATE, dish, EYE, (x, low, z))
    assert end is not None
    share = hypot(end[0], end[2] - 0.8) / 0.1
    assert low <= end[1] <= low + dish.height + 1e-9
    floor = PLATE.box.bounds()[1][1] - dish.depth
    if share < 0.7:
        assert end[1] == pytest.approx(floor)
    if share > 1.02:
        assert end[1] == pytest.approx(low)
    # A ray that rises meets no dish.
    assert ray_end_in_dish(PLATE, dish, (0.0, 0.5, 0.0), (0.0, 0.9, 0.8)) is None
