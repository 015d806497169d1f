"""The half of a double sink that is no basin of its own."""

from dataclasses import replace

import pytest

from tatc.home.state import Box
from tatc.sim.embedded.placement.areas_from_boxes import double_sink_area
from tests.sim.box_kitchen import make_object

SINK = make_object("Sink", (1, 0.8, 1), (0.9, 0.2, 0.5))


def basin_at(dx: float, dz: float) -> Box:
    return Box((1 + dx, 0.85, 1 + dz), (0.36, 0.1, 0.4))


@pytest.mark.parametrize("dx", [0.0, 0.1, -0.13])
def test_a_sink_with_its_basin_about_its_middle_is_no_double_sink(dx: float):
    assert double_sink_area(SINK, basin_at(dx, 0.0)) is None


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_area_is_opposite_of_the_basin_and_within_the_sink(sign: int):
    found = double_sink_area(SINK, basin_at(-0.21 * sign, 0.01))
    assert found is not None
    area, yaw = found
    assert yaw == 0.0
    near, far = sorted(abs(x) for x in (area.x0, area.x1))
    assert area.x0 * sign > 0 and area.x1 * sign > 0
    assert near < 0.02 and 0.4 < far < 0.45
    assert -0.25 < area.z0 == -area.z1 < -0.23


def test_a_sink_along_the_other_axis_has_its_area_along_that_axis():
    deep = replace(SINK, box=Box((1, 0.9, 1), (0.5, 0.2, 0.9)))
    found, turned = (
        double_sink_area(deep, basin_at(0, 0.21)),
        double_sink_area(SINK, basin_at(0.21, 0)),
    )
    assert found is not None and turned is not None
    area, other = found[0], turned[0]
    assert (area.z0, area.z1, area.x1) == pytest.approx((other.x0, other.x1, other.z1))


def test_a_sink_in_a_corner_has_its_area_along_its_own_axes():
    length, depth, share = 0.7, 0.4, 0.5**0.5
    bounds = (length + depth) * share
    askew = replace(SINK, box=Box((1, 0.9, 1), (bounds, 0.2, bounds)), rotation=(0.0, 225.0, 0.0))
    off = 0.465 * length / 2 * share
    found = double_sink_area(askew, basin_at(-off, -off))
    assert found is not None
    area, yaw = found
    assert yaw % 90.0 == 45.0
    sizes = sorted((area.x1 - area.x0, area.z1 - area.z0))
    assert sizes == pytest.approx([0.444 * length, 0.942 * depth], abs=1e-6)
    assert double_sink_area(askew, basin_at(0.0, 0.01)) is None
