"""At which point of an object a click ends."""

import pytest

from tatc.sim.embedded.aiming import FLOORS, aimed
from tatc.sim.embedded.house import House
from tatc.sim.maps.traces import Traces, model_of
from tatc.sim.surfaces import Surface
from tatc.state import AgentState, Snapshot, Vec3
from tests.sim.scenes import thing

AGENT = AgentState((0, 0.9, 0), 0, 30)  # its eye is at 1.575 m
RIM = (0.0, 0.98, 1.0)


def house(kind: str, *grounds: float) -> House:
    """Return a house with one thing, in which pieces lay at heights elsewhere."""
    dish = thing(kind, (0, 0.9, 1), (0.3, 0.08, 0.3))
    seen = tuple(height - dish.box.center[1] for height in grounds)
    traces = Traces(grounds={model_of(dish): seen} if grounds else {})
    return House(Snapshot.of([dish], AGENT, AGENT), traces)


@pytest.mark.parametrize("kind", FLOORS)
def test_a_ray_through_a_dishs_rim_ends_on_its_floor(kind: str):
    here = house(kind)
    x, y, z = aimed(here, here.things[0], RIM, ())
    assert (x, y) == (0.0, pytest.approx(0.9 + FLOORS[kind]))
    assert z == pytest.approx((1.575 - y) / (1.575 - 0.98))


def test_a_ray_to_what_is_no_dish_ends_on_it():
    here = house("SideTable")
    assert aimed(here, here.things[0], RIM, ()) == RIM


def test_a_ray_that_rises_ends_where_it_met_the_dish():
    above = 0.0, 1.6, 1.0
    here = house("Bowl")
    assert aimed(here, here.things[0], above, ()) == above


BOARD = Surface(0.9, 0.3, 1.0, (0.4, 0.4), 0.0, 1.0, inside=True, lattice=True)


@pytest.mark.parametrize(
    ("kind", "beyond", "ends"),
    [
        ("Sink", (0.36, 0.5, 1.6), (0.229, 0.892, 1.017)),
        ("SinkBasin", (0.36, 0.5, 1.6), (0.36, 0.5, 1.6)),
        ("Sink", (-0.36, 0.5, 1.6), (-0.36, 0.5, 1.6)),
        ("Sink", (0.3, 1.0, 1.0), (0.3, 1.0, 1.0)),
    ],
    ids=["through the board", "no sink", "beside the board", "before the board"],
)
def test_a_ray_into_a_sink_ends_on_the_board_beside_its_basin(
    kind: str, beyond: Vec3, ends: Vec3
):
    here = house(kind)
    found = aimed(here, here.things[0], beyond, (BOARD,))
    assert found == pytest.approx(ends, abs=1e-3)


def test_a_ray_ends_on_the_board_that_pieces_showed():
    here = house("SideTable", 0.893, 0.894, 0.895, 0.7)
    table, point = here.things[0], (0.3, 0.9, 1.0)
    drop = (1.575 - 0.894) / (1.575 - 0.9)
    lower = pytest.approx((0.3 * drop, 0.894, drop))
    assert aimed(here, table, point, (BOARD,)) == lower
    assert aimed(here, table, (0.3, 0.8, 1.0), (BOARD,)) == (0.3, 0.8, 1.0)
    assert aimed(house("SideTable", 0.7), table, point, (BOARD,)) == point


def test_the_board_beside_a_basin_is_where_pieces_showed_it():
    here = house("Sink", 0.88)
    x, y, _ = aimed(here, here.things[0], (0.36, 0.5, 1.6), (BOARD,))
    assert (x, y) == pytest.approx((0.36 * (1.575 - 0.88) / 1.075, 0.88))
