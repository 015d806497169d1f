"""Boxes of shelves that cover a part of the shelf only."""

from dataclasses import replace

import pytest

from tatc.session.alfred.scene import with_whole_shelf
from tests.object_factory import make_object


@pytest.mark.parametrize("yaw", [0.0, 90.0])
def test_shelf_reaches_as_far_on_both_sides_of_its_position(yaw: float) -> None:
    lip = make_object("Shelf", (1.0, 0.9, 2.0), (0.8, 0.2, 0.16), yaw=yaw)
    shift = (0.0, 0.07) if yaw == 0.0 else (0.07, 0.0)
    lip = replace(lip, position=(1.0 + shift[0], 0.8, 2.0 + shift[1]))
    whole = with_whole_shelf(lip).box
    assert whole.center == pytest.approx((lip.position[0], 0.9, lip.position[2]))
    assert whole.size == pytest.approx((0.8, 0.2, 0.3))
    assert whole.yaw == yaw


def test_shelf_begins_at_its_position() -> None:
    high = make_object("Shelf", (1.0, 1.35, 2.0), (0.8, 0.5, 0.3))
    whole = with_whole_shelf(replace(high, position=(1.0, 0.93, 2.0))).box
    assert whole.size[1] == pytest.approx(1.6 - 0.93)
    assert whole.center[1] + whole.size[1] / 2 == pytest.approx(1.6)


def test_other_boxes_stay() -> None:
    away = replace(make_object("Shelf", (1.0, 0.9, 2.0)), position=(3.0, 0.9, 2.0))
    table = replace(make_object("Desk", (1.0, 0.9, 2.0)), position=(1.02, 0.0, 2.0))
    assert with_whole_shelf(away) is away
    assert with_whole_shelf(table) is table
