"""The gaps of boards, as seen from above."""

import pytest

from tatc.home.camera.box_cutouts import box_cutouts
from tatc.home.camera.counter_fronts import find_fronted_counters, floor_cutouts
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import Eye
from tatc.home.camera.solids import footprint_of
from tatc.home.state import ObjectState
from tests.sim.box_kitchen import make_object


def l_shaped_counter() -> tuple[ObjectState, ...]:
    """Return a counter along the west and the south of its box, and its doors."""
    doors = [
        make_object("Cabinet", (x, 0.1, z), (0.5, 0.7, 0.5))
        for x, z in [(-1.2, z) for z in (-1.2, -0.5, 0.2, 0.9)]
        + [(x, -1.2) for x in (-0.5, 0.2, 0.9)]
    ]
    return (make_object("CounterTop", (0, 0.86, 0), (3.0, 0.04, 3.0)), *doors)


def cutouts_of_first(*objects: ObjectState):
    """Return the gaps of the first object."""
    return box_cutouts(objects, [0.9] * len(objects))[0]


def test_the_corner_of_an_l_is_empty():
    (gap,) = cutouts_of_first(*l_shaped_counter())
    assert gap.x1 == gap.z1 == 1.5
    assert gap.x0 < -0.8 and gap.z0 < -0.8


def test_what_stands_in_the_corner_makes_it_smaller():
    (gap,) = cutouts_of_first(
        *l_shaped_counter(), make_object("Cup", (1.0, 0.9, 1.0), (0.1, 0.1, 0.1))
    )
    (whole,) = cutouts_of_first(*l_shaped_counter())
    assert (gap.x1 - gap.x0) * (gap.z1 - gap.z0) < 5.0 < (whole.x1 - whole.x0) ** 2


def test_an_island_with_all_that_is_on_it_leaves_the_corner_empty():
    island = make_object("CounterTop", (0.8, 0.86, 0.8), (0.8, 0.04, 0.8))
    cup = make_object("Cup", (1.0, 0.9, 1.0), (0.1, 0.1, 0.1))
    drawer = make_object("Drawer", (0.8, 0.5, 0.8), (0.5, 0.2, 0.5))
    assert cutouts_of_first(*l_shaped_counter(), island, cup, drawer) == cutouts_of_first(
        *l_shaped_counter()
    )


def test_a_sink_is_let_into_a_board():
    counter = make_object("CounterTop", (0, 0.86, 1), (2.4, 0.04, 0.6))
    sink = make_object("Sink", (0, 0.8, 1), (0.8, 0.1, 0.4))
    (gap,) = cutouts_of_first(counter, sink)
    assert gap.x0 < footprint_of(sink.box).x0 < footprint_of(sink.box).x1 < gap.x1


def test_a_corner_leaves_the_board_a_leg_at_every_side():
    (counter,) = (each for each in l_shaped_counter() if each.objectType == "CounterTop")
    legs = [make_object("Dresser", (x, 0.1, -1.2), (0.5, 0.7, 0.5)) for x in (-0.5, 0.5)]
    (gap,), whole = cutouts_of_first(counter, *legs), footprint_of(counter.box)
    assert max(gap.x0 - whole.x0, whole.x1 - gap.x1) > 0.64
    assert max(gap.z0 - whole.z0, whole.z1 - gap.z1) > 0.64


COUNTER = make_object("CounterTop", (0, 0.86, 0), (2.0, 0.04, 0.8))
DRAWERS = [make_object("Drawer", (x, 0.6, 0.2), (0.6, 0.2, 0.4)) for x in (-0.5, 0.5)]
ROOM = (-4.0, -4.0), (4.0, 4.0)


@pytest.mark.parametrize(("z", "axis"), [(-0.3, 0), (0.2, 2)])
def test_doors_open_past_the_corners_of_the_box_of_a_sink(z: float, axis: int):
    size, low = (0.35, 0.7, 0.6), (-0.775, 0.1, 0.2)
    door = make_object("Cabinet", low, size, position=(-0.63, 0.4, 0.5))
    ell = make_object("CounterTop", (0, 0.86, 0), (3.0, 0.04, 3.0))
    sink = make_object("Sink", (-0.2, 0.7, z), (0.8, 0.2, 0.8))
    (front,) = find_fronted_counters([ell, door, sink], ROOM).front_lines[0]
    assert front.axis == axis


def test_rays_meet_drawers_behind_the_floor_that_a_counters_box_covers():
    floor = make_object("Floor", (0, -0.02, 0), (8, 0.02, 8))
    wall = make_object("Fridge", (0, 0, 0.9), (2.0, 1.8, 1.0))
    objects = [floor, COUNTER, *DRAWERS, wall]
    gaps = floor_cutouts(objects)
    assert all(gap.z1 < 0.0 and gap.z0 < -0.4 for gap in gaps[1])
    assert not any(gaps[:1] + gaps[2:])
    hit = Geometry(objects).cast_ray(Eye((-0.5, 1.5, -1.4), 0.0, 30.0), (0.001, -0.54, 1.0))
    assert hit is not None and objects[hit.index] is DRAWERS[0]


def test_nothing_is_cut_out_of_a_counter_on_whose_supposed_floor_a_thing_lies():
    floor = make_object("Floor", (0, -0.02, 0), (8, 0.02, 8))
    wall = make_object("Fridge", (0, 0, 0.9), (2.0, 1.8, 1.0))
    on_counter = (COUNTER.objectId,)
    behind = make_object("Mug", (0.5, 0.9, 0.2), (0.1, 0.1, 0.1), parentReceptacles=on_counter)
    before = make_object("Mug", (0.5, 0.9, -0.3), (0.1, 0.1, 0.1), parentReceptacles=on_counter)
    room = [floor, COUNTER, *DRAWERS, wall]
    assert floor_cutouts([*room, behind])[1]
    assert not floor_cutouts([*room, behind, before])[1]
