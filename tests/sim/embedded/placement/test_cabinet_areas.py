"""The area of a cabinet: its box without the door."""

from dataclasses import replace

import pytest

from tatc.home.state import AgentState, Box, ObjectState, Snapshot
from tatc.sim.embedded.placement.areas_from_boxes import cabinet_area_box
from tatc.sim.embedded.placement.observed_surfaces import observed_surfaces
from tatc.sim.embedded.world_state import WorldState
from tests.sim.box_kitchen import make_object

# Its front is at low z: the hinge is at the right end, and in the middle of a door of 24 mm.
CABINET = replace(
    make_object("Cabinet", (0, 0.4, 1), (0.6, 0.7, 0.3)), position=(0.298, 0.75, 0.862)
)


def bounds(box: Box | None) -> tuple[float, float, float, float]:
    assert box is not None
    (x0, _, z0), (x1, _, z1) = box.bounds()
    return x0, x1, z0, z1


def surface_in_world(cabinet: ObjectState):
    body = AgentState((0, 0.9, 0), 0, 30)
    [surface] = observed_surfaces(WorldState(Snapshot.from_objects([cabinet], body, body)), cabinet)
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
