"""What rays hit of cases that stand open."""

from dataclasses import replace

import pytest

from tatc.camera.cases import solids_when_open
from tatc.camera.doors import opened
from tatc.camera.solid import high_of
from tatc.state import Affordances, Box
from tests.boxes import thing


@pytest.mark.parametrize(("kind", "height"), [("Microwave", 0.1), ("Cabinet", 0.01)])
def test_the_floor_of_an_open_case_is_where_things_stand_in_it(
    kind: str, height: float
):
    case = thing(kind, (0, 1, 1), (0.6, 0.36, 0.4), affordances=Affordances())
    stands_open = opened(replace(case, isOpen=False), (0.0, 1.0, 0.8))
    floor, *_ = solids_when_open(stands_open, case.box)
    top = Box(floor.center, floor.size)
    assert high_of(top) == pytest.approx(1.0 - 0.18 + height)
