"""What rays hit of cases that stand open."""

from dataclasses import replace

import pytest

from tatc.home.camera.door_geometry import open_container_solids, open_object
from tatc.home.state import Affordances, Box
from tests.object_factory import make_object


@pytest.mark.parametrize(("kind", "height"), [("Microwave", 0.1), ("Cabinet", 0.01)])
def test_the_floor_of_an_open_case_is_where_things_stand_in_it(kind: str, height: float):
    case = make_object(kind, (0, 1, 1), (0.6, 0.36, 0.4), affordances=Affordances())
    stands_open = open_object(replace(case, isOpen=False), (0.0, 1.0, 0.8))
    floor, *_ = open_container_solids(stands_open, case.box)
    top = Box(floor.center, floor.size)
    assert top.center[1] + top.size[1] / 2 == pytest.approx(1.0 - 0.18 + height)
