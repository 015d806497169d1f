"""Fixed things that stand askew get their own boxes back."""

from dataclasses import replace

import pytest

from tatc.home.camera.box_cutouts import box_cutouts
from tatc.home.camera.scene_solids import SINK_LENGTH_TO_DEPTH_RATIO, estimate_oriented_boxes
from tatc.home.state import Box, ObjectState
from tatc.home.type_facts import SKEW_DEPTHS_METRES
from tests.sim.box_kitchen import make_object

ROOM = make_object("Floor", (0, 0, 0), (6.0, 0.0, 6.0))


def box_along_world_axes(kind: str, box: Box, angle: float) -> ObjectState:
    """Return a fixed thing as AI2-THOR gives it: in the box along the world's axes."""
    low, high = box.bounds()
    size = (high[0] - low[0], box.size[1], high[2] - low[2])
    plain = make_object(kind, (box.center[0], 0.0, box.center[2]), size)
    return replace(plain, rotation=(0.0, angle, 0.0), box=Box(box.center, size), position=low)


@pytest.mark.parametrize("angle", [5.0, 20.0, 30.0, 155.0, 300.0])
def test_two_sides_tell_both_of_what_stands_askew(angle: float):
    box = Box((1.0, 0.5, 1.0), (0.9, 1.0, 0.4), angle)
    quarter = (angle + 45.0) % 90.0 - 45.0
    turned = round((angle - quarter) / 90.0) % 2
    (_, found) = estimate_oriented_boxes((ROOM, box_along_world_axes("ArmChair", box, angle)))
    assert found is not None and found.yaw == pytest.approx(quarter)
    sides = (found.size[2], found.size[0]) if turned else (found.size[0], found.size[2])
    assert sides == pytest.approx((0.9, 0.4))


@pytest.mark.parametrize(("x", "z"), [(2.0, 2.0), (2.0, -2.0), (-2.0, 2.0)])
@pytest.mark.parametrize("angle", [45.0, 135.0, 225.0, 315.0])
def test_a_sink_stands_across_its_corner(x: float, z: float, angle: float):
    sink = make_object("Sink", (x, 0.8, z), (0.8, 0.2, 0.8))
    sink = replace(sink, rotation=(0.0, angle, 0.0))
    (_, found) = estimate_oriented_boxes((ROOM, sink))
    assert found is not None
    low, high = found.bounds()
    assert (high[0] - low[0], high[2] - low[2]) == pytest.approx((0.8, 0.8))
    short, long = sorted((found.size[0], found.size[2]))
    assert long / short == pytest.approx(SINK_LENGTH_TO_DEPTH_RATIO)
    # Towards the room's middle it ends sooner than along the corner.
    (i, k), far = (x / 2, z / 2), 0.2
    assert (
        Box(found.center, found.size, found.yaw).horizontal_distance(x + far * i, z + far * k) > 0.0
    )
    assert (
        Box(found.center, found.size, found.yaw).horizontal_distance(x + far * i, z - far * k)
        == 0.0
    )


def test_a_window_is_flat_and_a_well_stands_as_its_basin_does():
    window = make_object("Window", (2.0, 1.0, 2.0), (0.8, 1.0, 0.8))
    window = replace(window, rotation=(90.0, 135.0, 0.0))
    (_, pane) = estimate_oriented_boxes((ROOM, window))
    assert pane is not None and SKEW_DEPTHS_METRES["Window"] in pane.size
    sink = make_object("Sink", (2.0, 0.8, -2.0), (0.9, 0.2, 0.9))
    basin = make_object("SinkBasin", (2.0, 0.8, -2.0), (0.8, 0.2, 0.8))
    assert estimate_oriented_boxes((ROOM, sink, basin)) == (None, None, None)
    basin = replace(basin, rotation=(0.0, 315.0, 0.0))
    (_, outer, inner) = estimate_oriented_boxes((ROOM, sink, basin))
    assert outer is not None and inner is not None and outer.yaw == inner.yaw


def test_what_moves_or_sticks_out_keeps_its_box():
    faucet = make_object("Faucet", (2.0, 0.8, -2.0), (0.3, 0.2, 0.3))
    machine = make_object("CoffeeMachine", (2.0, 0.8, -2.0), (0.3, 0.2, 0.3))
    objects = (replace(each, rotation=(0.0, 45.0, 0.0)) for each in (faucet, machine))
    assert estimate_oriented_boxes((ROOM, *objects)) == (None, None, None)


def test_the_hole_around_what_stands_askew_is_cut_in_strips():
    counter = make_object("CounterTop", (2.0, 0.86, 2.0), (0.6, 0.04, 2.4))
    sink = make_object("Sink", (2.0, 0.8, 2.0), (0.5, 0.1, 0.3))
    sink = replace(sink, box=Box(sink.box.center, sink.box.size, 30.0))
    gaps = box_cutouts((counter, sink), (0.9, 0.9))[0]
    area = sum((g.x1 - g.x0) * (g.z1 - g.z0) for g in gaps)
    assert len(gaps) > 1
    assert area == pytest.approx((0.5 + 0.04) * (0.3 + 0.04), rel=0.05)
