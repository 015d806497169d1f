from itertools import pairwise
from math import inf

import pytest

from tatc.home.camera.shapes import surface_height
from tatc.home.state import Affordances, Box, ObjectState
from tatc.sim.embedded.placement.support_surfaces import surfaces_of
from tests.object_factory import make_object


def receptacle_with_box(kind: str, box: Box) -> ObjectState:
    able = Affordances(receptacle=True)
    return make_object(kind, box.center, box.size, yaw=box.yaw, affordances=able)


@pytest.mark.parametrize(
    ("kind", "height"),
    [
        ("DiningTable", 0.88),
        ("Cabinet", 0.01),
        ("Shelf", 0.01),
        ("SinkBasin", 0.01),
        ("Chair", 0.5),
    ],
)
def test_heights_are_counted_from_the_boxs_lower_side(kind: str, height: float):
    box = Box((2.0, 0.5, -1.0), (1.0, 1.0, 0.6), 90.0)
    (surface,) = surfaces_of(receptacle_with_box(kind, box))
    assert surface.y == pytest.approx(height)
    assert (surface.x, surface.z, surface.yaw) == (2.0, -1.0, 90.0)


def test_a_fridge_has_levels_with_a_roof_each():
    levels = surfaces_of(receptacle_with_box("Fridge", Box((0, 0.95, 0), (0.9, 1.9, 0.7))))
    assert len(levels) == 4
    for lower, upper in pairwise(levels):
        assert lower.y + lower.headroom == pytest.approx(upper.y)
    assert levels[-1].y + levels[-1].headroom == pytest.approx(1.9)


def test_open_things_have_no_roof_and_shut_things_have_one():
    box = Box((0, 0.5, 0), (0.4, 0.2, 0.4))
    assert surfaces_of(receptacle_with_box("Pot", box))[0].headroom == inf
    assert surfaces_of(receptacle_with_box("Drawer", box))[0].headroom < 0.2


def test_a_high_plate_is_one_area_and_a_low_one_two_strips_across_each_other():
    (whole,) = surfaces_of(receptacle_with_box("Plate", Box((0, 0.5, 0), (0.25, 0.22, 0.25))))
    assert whole.size == pytest.approx((0.24, 0.24))
    strips = surfaces_of(receptacle_with_box("Plate", Box((0, 0.5, 0), (0.25, 0.1, 0.25))))
    assert [strip.size for strip in strips] == [
        pytest.approx((0.235, 0.1675)),
        pytest.approx((0.1675, 0.235)),
    ]


def test_what_rests_on_a_table_tells_where_its_board_is():
    table = receptacle_with_box("DiningTable", Box((0, 0.5, 0), (1, 1.0, 1)))
    assert surfaces_of(table)[0].y == pytest.approx(0.88)
    assert surfaces_of(table, resting_heights=(0.82, 0.84))[0].y == 0.84
    assert surfaces_of(table, resting_heights=(0.2,))[0].y == pytest.approx(0.88)


@pytest.mark.parametrize("kind", ["DiningTable", "Desk", "Sofa", "Bed", "StoveBurner"])
def test_what_lies_open_is_where_the_camera_sees_its_board(kind: str):
    piece = receptacle_with_box(kind, Box((0, 0.5, 0), (1.0, 1.0, 1.0)))
    assert surfaces_of(piece)[0].y == surface_height(piece)


def test_a_thick_counter_is_taken_as_board_and_air():
    for y, thickness, board in ((0.92, 0.02, 0.93), (0.95, 0.1, 0.91)):
        counter = receptacle_with_box("CounterTop", Box((0, y, 0), (1, thickness, 1)))
        assert surfaces_of(counter)[0].y == pytest.approx(board)


def test_nothing_stands_on_an_apple():
    assert surfaces_of(receptacle_with_box("Apple", Box((0, 0, 0), (0.1, 0.1, 0.1)))) == ()
