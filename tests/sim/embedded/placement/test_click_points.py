"""At which point of an object a click ends."""

import pytest

from tatc.home.state import Vec3
from tatc.home.type_facts import DISH_FLOOR_METRES
from tatc.sim.embedded.placement.click_points import place_ray_end
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import RecordedEvidence, model_name
from tests.sim.box_kitchen import make_object, world_with

RIM_POINT = (0.0, 0.98, 1.0)  # the eye is at 1.575 m


def world_with_one(kind: str, *grounds: float) -> WorldState:
    """Return a house with one thing, in which pieces lay at heights elsewhere."""
    dish = make_object(kind, (0, 0.9, 1), (0.3, 0.08, 0.3))
    seen = tuple(height - dish.box.center[1] for height in grounds)
    traces = RecordedEvidence(landing_heights={model_name(dish): seen} if grounds else {})
    return world_with(dish, evidence=traces)


@pytest.mark.parametrize("kind", DISH_FLOOR_METRES)
def test_a_ray_through_a_dishs_rim_ends_on_its_floor(kind: str):
    here = world_with_one(kind)
    x, y, z = place_ray_end(here, here.objects[0], RIM_POINT, ())
    assert (x, y) == (0.0, pytest.approx(0.9 + DISH_FLOOR_METRES[kind]))
    assert z == pytest.approx((1.575 - y) / (1.575 - 0.98))


@pytest.mark.parametrize(("kind", "met"), [("SideTable", RIM_POINT), ("Bowl", (0.0, 1.6, 1.0))])
def test_a_ray_that_rises_or_is_to_no_dish_ends_where_it_met_it(kind: str, met: Vec3):
    here = world_with_one(kind)
    assert place_ray_end(here, here.objects[0], met, ()) == met


BOARD_SURFACE = Surface(0.9, 0.3, 1.0, (0.4, 0.4), 0.0, 1.0, inside=True, lattice=True)


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
def test_a_ray_into_a_sink_ends_on_the_board_beside_its_basin(kind: str, beyond: Vec3, ends: Vec3):
    here = world_with_one(kind)
    found = place_ray_end(here, here.objects[0], beyond, (BOARD_SURFACE,))
    assert found == pytest.approx(ends, abs=1e-3)


def test_a_ray_ends_on_the_board_that_pieces_showed():
    here = world_with_one("SideTable", 0.893, 0.894, 0.895, 0.7)
    table, point = here.objects[0], (0.3, 0.9, 1.0)
    drop = (1.575 - 0.894) / (1.575 - 0.9)
    lower = pytest.approx((0.3 * drop, 0.894, drop))
    assert place_ray_end(here, table, point, (BOARD_SURFACE,)) == lower
    assert place_ray_end(here, table, (0.3, 0.8, 1.0), (BOARD_SURFACE,)) == (0.3, 0.8, 1.0)
    assert place_ray_end(world_with_one("SideTable", 0.7), table, point, (BOARD_SURFACE,)) == point


def test_the_board_beside_a_basin_is_where_pieces_showed_it():
    here = world_with_one("Sink", 0.88)
    x, y, _ = place_ray_end(here, here.objects[0], (0.36, 0.5, 1.6), (BOARD_SURFACE,))
    assert (x, y) == pytest.approx((0.36 * (1.575 - 0.88) / 1.075, 0.88))
