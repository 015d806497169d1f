"""The area of a seat: before its backrest."""

from dataclasses import replace

import pytest

from tatc.home.state import AgentState, ObjectState, Snapshot
from tatc.sim.embedded.placement.areas_from_boxes import seat_area_box
from tatc.sim.embedded.placement.observed_surfaces import observed_surfaces
from tatc.sim.embedded.world_state import WorldState
from tests.sim.box_kitchen import make_object


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
        body = AgentState((0, 0.9, 0), 0, 30)
        world = WorldState(Snapshot.from_objects([seat], body, body))
        [surface] = observed_surfaces(world, seat)
        assert (surface.x, surface.z) == seat.box.center[::2]
