"""What runs by itself: water that falls into basins."""

from dataclasses import replace

import pytest

from tatc.sim.embedded.appliances import run_appliances
from tatc.sim.embedded.house import House
from tatc.state import AgentState, ObjectState, Snapshot
from tests.sim.scenes import thing, within

AGENT = AgentState((0, 0.9, 0), 0, 30)


def house_with(tap: ObjectState) -> House:
    """Return a house with a dirty plate in a sink's basin, and a tap."""
    basin = thing("SinkBasin", (0, 0.85, 1), (0.8, 0.2, 0.4))
    plate = replace(
        within(thing("Plate", (0.3, 0.8, 1), (0.2, 0.02, 0.2)), basin), isDirty=True
    )
    return House(Snapshot.of((basin, plate, tap), AGENT, AGENT))


def is_clean(house: House) -> bool:
    run_appliances(house)
    return not house.things[1].isDirty


@pytest.mark.parametrize("kind", ["Faucet", "ShowerHead"])
def test_running_water_washes_what_lies_in_the_basin_below(kind: str):
    """However far in the basin it lies, and whether or not another tap is nearer."""
    tap = thing(kind, (-0.3, 1.1, 1.2), (0.05, 0.2, 0.2))
    assert is_clean(house_with(replace(tap, isToggled=True)))
    assert not is_clean(house_with(tap))


@pytest.mark.parametrize("place", [(0.6, 1.1, 1.0), (0.0, 1.1, 1.4), (0.0, 0.4, 1.0)])
def test_water_beside_a_basin_or_under_it_washes_nothing(
    place: tuple[float, float, float],
):
    tap = thing("ShowerHead", place, (0.05, 0.2, 0.2))
    assert not is_clean(house_with(replace(tap, isToggled=True)))
