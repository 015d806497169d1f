"""What runs by itself: water that falls into basins."""

from dataclasses import replace

import pytest

from tatc.home.state import AgentState, ObjectState, Snapshot
from tatc.sim.embedded.appliances import run_appliances
from tatc.sim.embedded.world_state import WorldState
from tests.sim.box_kitchen import make_object, with_parents

AGENT = AgentState((0, 0.9, 0), 0, 30)


def world_with(*taps: ObjectState) -> WorldState:
    """Return a house with a dirty plate in a basin, one in a fridge, and taps."""
    basin = make_object("SinkBasin", (0, 0.85, 1), (0.8, 0.2, 0.4))
    fridge = make_object("Fridge", (1.0, 0.0, 1), (0.6, 1.8, 0.6))
    plates = (
        replace(with_parents(make_object("Plate", low, (0.2, 0.02, 0.2)), parent), isDirty=True)
        for low, parent in (((0.3, 0.9, 1), basin), ((1.0, 0.9, 1), fridge))
    )
    return WorldState(Snapshot.from_objects((*plates, basin, fridge, *taps), AGENT, AGENT))


def washed_objects(world: WorldState) -> tuple[bool, bool]:
    """Return which plates are clean now: that in the basin, that in the fridge."""
    run_appliances(world)
    wet, dry = world.objects[:2]
    return not wet.isDirty, not dry.isDirty


@pytest.mark.parametrize("kind", ["Faucet", "ShowerHead"])
def test_running_water_washes_what_lies_in_the_basin_below(kind: str):
    """However far in the basin it lies, though another tap is nearer to the basin."""
    tap = make_object(kind, (-0.3, 1.1, 1.2), (0.05, 0.2, 0.2))
    nearer = make_object("Faucet", (0.0, 1.1, 1.1), (0.05, 0.2, 0.2))
    running = replace(tap, isToggled=True)
    assert washed_objects(world_with(running, nearer)) == (True, False)
    assert washed_objects(world_with(tap, nearer)) == (False, False)


@pytest.mark.parametrize("place", [(0.6, 1.1, 1.0), (0.0, 1.1, 1.4), (0.0, 0.4, 1.0)])
def test_water_beside_a_basin_or_under_it_washes_nothing(place: tuple[float, float, float]):
    tap = make_object("ShowerHead", place, (0.05, 0.2, 0.2))
    running = replace(tap, isToggled=True)
    assert washed_objects(world_with(running)) == (False, False)
