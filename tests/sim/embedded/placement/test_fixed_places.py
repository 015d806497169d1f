"""Which slot of a toaster recorded clicks show."""

from dataclasses import replace

import pytest

from tatc.home.actions import Click, Verb
from tatc.home.camera.clicks import eye_of
from tatc.home.state import AgentState, Snapshot, Vec3
from tatc.sim.embedded.placement.fixed_places import SuccessfulInteraction, recorded_toaster_slots
from tatc.sim.embedded.placement.placement_search import find_placement
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import RecordedEvidence, merge_evidence
from tests.sim.box_kitchen import make_object

BODY = AgentState((0.1, 0.9, 0.0), 0, 30)
TOASTER = replace(
    make_object("Toaster", (0.0, 0.9, 0.7), (0.2, 0.24, 0.36)),
    position=(0.0, 0.9, 0.68),
    rotation=(0.0, 180.0, 0.0),
)
TOAST = make_object("BreadSliced", (2, 0.9, 2), (0.14, 0.14, 0.02))
START = Snapshot.from_objects((TOASTER, TOAST), BODY, BODY)


def click_at(point: Vec3) -> Click:
    """Return a click whose ray goes through a point, to half a pixel."""
    x, y, _ = eye_of(BODY).project(point)
    return Click(x, y)


def toasting_interactions(point: Vec3) -> list[SuccessfulInteraction]:
    return [
        SuccessfulInteraction(Verb.PICKUP, BODY, None, TOAST.objectId),
        SuccessfulInteraction(Verb.PLACE, BODY, None, TOASTER.objectId),
        SuccessfulInteraction(Verb.PICKUP, BODY, click_at(point), TOAST.objectId),
    ]


@pytest.mark.parametrize("slot", [-0.04, 0.04])
def test_a_click_on_toast_shows_the_slot_that_it_stood_in(slot: float):
    shown = recorded_toaster_slots(START, toasting_interactions((slot, 1.1, TOASTER.position[2])))
    (rest,) = shown.resting_poses[TOASTER.name]
    assert rest.offset == pytest.approx((-slot, -0.06 * 0.24, 0.02), abs=0.002)
    for each in (shown, merge_evidence([shown, shown, shown])):
        world = WorldState(START, each)
        spot = find_placement(world, TOAST, TOASTER, TOASTER.box.center)
        assert not isinstance(spot, str)
        assert spot.position[::2] == pytest.approx((slot, 0.68), abs=0.002)
        assert spot.rotation[1] == 90.0


def test_what_was_not_put_into_a_toaster_or_clicked_on_beside_it_shows_no_slot():
    first, placed, taken = toasting_interactions((0.04, 1.1, 0.68))
    assert recorded_toaster_slots(START, (first, taken)) == RecordedEvidence()
    elsewhere = replace(placed, object_id="CounterTop|+00.00|+00.90|+00.70")
    assert recorded_toaster_slots(START, (first, elsewhere, taken)) == RecordedEvidence()
    beside = toasting_interactions((0.15, 1.1, 0.68))
    assert recorded_toaster_slots(START, beside) == RecordedEvidence()
