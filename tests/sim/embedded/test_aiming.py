"""At which point of an object a click ends."""

import pytest

from tatc.sim.embedded.aiming import FLOORS, aimed
from tatc.sim.embedded.house import House
from tatc.state import AgentState, Snapshot
from tests.sim.scenes import thing

AGENT = AgentState((0, 0.9, 0), 0, 30)  # its eye is at 1.575 m
RIM = (0.0, 0.98, 1.0)


def house(kind: str) -> House:
    dish = thing(kind, (0, 0.9, 1), (0.3, 0.08, 0.3))
    return House(Snapshot.of([dish], AGENT, AGENT))


@pytest.mark.parametrize("kind", FLOORS)
def test_a_ray_through_a_dishs_rim_ends_on_its_floor(kind: str):
    here = house(kind)
    x, y, z = aimed(here, here.things[0], RIM)
    assert (x, y) == (0.0, pytest.approx(0.9 + FLOORS[kind]))
    assert z == pytest.approx((1.575 - y) / (1.575 - 0.98))


def test_a_ray_to_what_is_no_dish_ends_on_it():
    here = house("SideTable")
    assert aimed(here, here.things[0], RIM) == RIM


def test_a_ray_that_rises_ends_where_it_met_the_dish():
    above = 0.0, 1.6, 1.0
    here = house("Bowl")
    assert aimed(here, here.things[0], above) == above
