"""Which slot of a toaster recorded clicks show."""

from dataclasses import replace

import pytest

from tatc.actions import Click, Verb
from tatc.camera.clicks import eye_of
from tatc.sim.embedded.house import House
from tatc.sim.embedded.placing import find_spot
from tatc.sim.embedded.slots import Deed, slots_shown
from tatc.sim.maps.traces import Traces, together
from tatc.state import AgentState, Snapshot, Vec3
from tests.sim.scenes import thing

BODY = AgentState((0.1, 0.9, 0.0), 0, 30)
TOASTER = replace(
    thing("Toaster", (0.0, 0.9, 0.7), (0.2, 0.24, 0.36)),
    position=(0.0, 0.9, 0.68),
    rotation=(0.0, 180.0, 0.0),
)
TOAST = thing("BreadSliced", (2, 0.9, 2), (0.14, 0.14, 0.02))
START = Snapshot.of((TOASTER, TOAST), BODY, BODY)


def click_at(point: Vec3) -> Click:
    """Return a click whose ray goes through a point, to half a pixel."""
    x, y, _ = eye_of(BODY).project(point)
    return Click(x, y)


def deeds(point: Vec3) -> list[Deed]:
    return [
        Deed(Verb.PICKUP, BODY, None, TOAST.objectId),
        Deed(Verb.PLACE, BODY, None, TOASTER.objectId),
        Deed(Verb.PICKUP, BODY, click_at(point), TOAST.objectId),
    ]


@pytest.mark.parametrize("slot", [-0.04, 0.04])
def test_a_click_on_toast_shows_the_slot_that_it_stood_in(slot: float):
    shown = slots_shown(START, deeds((slot, 1.1, TOASTER.position[2])))
    (rest,) = shown.rests[TOASTER.name]
    assert rest.at == pytest.approx((-slot, -0.06 * 0.24, 0.02), abs=0.002)
    for each in (shown, together([shown, shown, shown])):
        house = House(START, each)
        spot = find_spot(house, TOAST, TOASTER, TOASTER.box.center)
        assert not isinstance(spot, str)
        assert spot.position[::2] == pytest.approx((slot, 0.68), abs=0.002)
        assert spot.rotation[1] == 90.0


def test_what_was_not_put_into_a_toaster_shows_no_slot():
    first, placed, taken = deeds((0.04, 1.1, 0.68))
    assert slots_shown(START, (first, taken)) == Traces()
    elsewhere = replace(placed, object_id="CounterTop|+00.00|+00.90|+00.70")
    assert slots_shown(START, (first, elsewhere, taken)) == Traces()


def test_a_click_beside_a_toaster_shows_no_slot():
    assert slots_shown(START, deeds((0.15, 1.1, 0.68))) == Traces()
