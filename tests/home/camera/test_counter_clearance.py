"""Which way doors and drawers face, and the floor before them that a counter's box covers."""

import pytest

from tatc.home.camera.counter_fronts import find_fronted_counters, floor_cutouts
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import Eye
from tests.sim.box_kitchen import make_object

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
