"""The areas of cabinets, double sinks and seats."""

from dataclasses import replace

import pytest

from tatc.home.state import Box, ObjectState
from tatc.sim.embedded.placement.observed_surfaces import observed_surfaces
from tatc.sim.embedded.placement.support_surfaces import (
    cabinet_area_box,
    double_sink_area,
    seat_area_box,
)
from tests.sim.box_kitchen import make_object, world_with

# Its front is at low z: the hinge is at the right end, and in the middle of a door of 24 mm.
CABINET = replace(
    make_object("Cabinet", (0, 0.4, 1), (0.6, 0.7, 0.3)), position=(0.298, 0.75, 0.862)
)


def bounds(box: Box | None) -> tuple[float, float, float, float]:
    assert box is not None
    (x0, _, z0), (x1, _, z1) = box.bounds()
    return x0, x1, z0, z1


def surface_in_world(cabinet: ObjectState):
    [surface] = observed_surfaces(world_with(cabinet), cabinet)
    return surface


def test_the_area_reaches_from_the_back_to_the_door_and_almost_from_end_to_end():
    expected = -0.295, 0.295, 0.85 + 0.024, 1.15
    assert bounds(cabinet_area_box(CABINET)) == pytest.approx(expected)
    surface = surface_in_world(CABINET)
    assert surface.size == pytest.approx((0.59, 0.276)) and surface.z == pytest.approx(1.012)


def test_a_hinge_too_deep_for_the_middle_of_a_door_is_at_its_inner_face():
    deep = replace(CABINET, position=(0.298, 0.75, 0.88))
    assert bounds(cabinet_area_box(deep))[2] == pytest.approx(0.88)


@pytest.mark.parametrize(("yaw", "front"), [(90.0, (0, -1)), (180.0, (2, 1)), (270.0, (0, 1))])
def test_the_area_turns_with_the_cabinet(yaw: float, front: tuple[int, int]):
    """The door takes 24 mm off the side at which it is, seen from above."""
    axis, sign = front
    offset = {90.0: (-0.138, -0.298), 180.0: (-0.298, 0.138), 270.0: (0.138, 0.298)}[yaw]
    turned = replace(
        CABINET,
        box=replace(CABINET.box, yaw=yaw),
        position=(offset[0], 0.75, 1 + offset[1]),
    )
    area = cabinet_area_box(turned)
    assert area is not None
    shift = area.center[axis] - turned.box.center[axis]
    assert shift == pytest.approx(-sign * 0.012)


def test_a_cabinet_without_a_hinge_has_no_known_front():
    middle = replace(CABINET, position=CABINET.box.center)
    assert cabinet_area_box(middle) is None
    surface = surface_in_world(middle)
    assert surface.size == pytest.approx((0.56, 0.26))


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


def armchair(yaw: float, box_yaw: float) -> ObjectState:
    """Return an armchair of 1 m by 1.2 m whose seat faces the yaw."""
    chair = make_object("ArmChair", (0, 0, 0), (1.0, 0.9, 1.2), rotation=(0, yaw, 0))
    return replace(chair, box=replace(chair.box, yaw=box_yaw))


@pytest.mark.parametrize(
    ("yaw", "front"), [(0.0, (0, 1)), (180.0, (0, -1)), (150.0, (0.5, -(0.75**0.5)))]
)
def test_the_area_is_before_the_backrest(yaw: float, front: tuple[float, float]):
    area = seat_area_box(armchair(yaw, (yaw + 180.0) % 360.0), (0.66, 0.86))
    assert area is not None
    assert (area.size[0], area.size[2]) == pytest.approx((0.66, 1.2 * 0.7 - 0.03))
    ahead = (1.2 * 0.3 - 0.03) / 2
    assert area.center[::2] == pytest.approx(tuple(ahead * each for each in front))


def test_a_box_across_the_seat_gives_its_other_side_as_the_depth():
    area = seat_area_box(armchair(90.0, 0.0), (0.66, 0.86))
    assert area is not None
    assert (area.size[0], area.size[2]) == pytest.approx((1.0 * 0.7 - 0.03, 0.86))
    assert area.center[0] == pytest.approx((1.0 * 0.3 - 0.03) / 2) and area.center[2] == 0.0


def test_a_seat_askew_in_its_box_or_without_a_backrest_has_its_area_in_the_middle():
    stool = replace(armchair(0.0, 180.0), objectType="Stool")
    for seat in (armchair(30.0, 0.0), stool):
        assert seat_area_box(seat, (0.66, 0.86)) is None
        surface = surface_in_world(seat)
        assert (surface.x, surface.z) == seat.box.center[::2]
