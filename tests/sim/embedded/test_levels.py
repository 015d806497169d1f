"""Surfaces with what other sessions show of them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tatc.sim.embedded.house import House
from tatc.sim.embedded.levels import hollows_of, levels_of, turn_of
from tatc.sim.embedded.placing import Spot, find_spot
from tatc.sim.maps.lattice import PARTS
from tatc.sim.maps.traces import NOTHING, Rest, Traces
from tatc.sim.rigid import rotated
from tatc.sim.surfaces import Surface
from tatc.state import AgentState, Box, ObjectState, Snapshot
from tests.sim.scenes import thing

AGENT = AgentState((0, 0.9, 0), 0, 30)
CELLS = [(i, j) for i in range(1, PARTS) for j in range(1, PARTS) if (i + j) % 3]
SINK = thing("SinkBasin", (1, 0.8, 2), (0.6, 0.2, 0.6))
TABLE = thing("SideTable", (1, 0.8, 2), (0.7, 0.2, 0.5))


def house(receptacle: ObjectState, traces: Traces = NOTHING) -> House:
    return House(Snapshot.of((receptacle,), AGENT, AGENT), traces)


def shown(
    receptacle: ObjectState,
    middle: tuple[float, float],
    size: tuple[float, float],
    yaw: float = 0.0,
) -> Traces:
    """Return traces of things on an area, given in the receptacle's own axes."""
    (level,) = levels_of(house(receptacle), receptacle)
    height = level.y - receptacle.box.center[1]
    rests = [
        Rest(
            (
                middle[0] + (i / PARTS - 0.5) * size[0],
                height,
                middle[1] + (j / PARTS - 0.5) * size[1],
            ),
            (0.0, yaw, 0.0),
        )
        for i, j in CELLS
    ]
    return Traces({receptacle.name: tuple(rests)})


@pytest.mark.parametrize("yaw", [0.0, 90.0, 225.0, 310.0])
def test_areas_are_found_along_the_axes_of_a_receptacle(yaw: float):
    """Its box lies along the room's axes, as that of a sink in a corner does."""
    sink = replace(SINK, rotation=(0.0, yaw, 0.0))
    traces = shown(sink, (0.05, -0.02), (0.4, 0.3))
    (level,) = levels_of(house(sink, traces), sink)
    dx, _, dz = rotated((0.05, 0.0, -0.02), yaw)
    assert (level.x - 1, level.z - 2) == pytest.approx((dx, dz), abs=0.003)
    across = (level.yaw - yaw) % 180.0 == pytest.approx(90.0, abs=0.1)
    wide, deep = level.size[::-1] if across else level.size
    assert (wide, deep) == pytest.approx((0.4, 0.3), abs=0.006)


def test_without_traces_a_level_is_as_its_box_says():
    (plain,) = levels_of(house(SINK), SINK)
    other = Traces({"SinkBasin_of_another_plan": (Rest((0, 0, 0), (0, 0, 0)),)})
    assert levels_of(house(SINK, other), SINK) == [plain]
    assert list(hollows_of(house(SINK), SINK)) == []


def test_things_are_turned_as_others_were():
    traces = shown(TABLE, (0.0, 0.0), (0.6, 0.4), yaw=90.0)
    here = house(TABLE, traces)
    (level,) = levels_of(here, TABLE)
    assert turn_of(here, TABLE, level) == 90.0
    turned = replace(TABLE, rotation=(0.0, 180.0, 0.0))
    (level,) = levels_of(house(turned, traces), turned)
    assert turn_of(house(turned, traces), turned, level) == 270.0


ROUND = thing("DiningTable", (1, 0.6, 2), (1.5, 1.2, 1.5))
STRIP = 1.35, 0.6


def strips(turns: Sequence[float]) -> Traces:
    """Return traces of things on strips across a table's middle, turned like these."""
    rests: list[Rest] = []
    for turn in turns:
        (strip,) = shown(
            replace(ROUND, objectType="Desk"), (0, 0), STRIP
        ).rests.values()
        for rest in strip:
            rests.append(Rest(rotated(rest.at, turn), (0.0, turn, 0.0)))
    return Traces({ROUND.name: tuple(rests)})


@pytest.mark.parametrize(
    "turns", [(0.0, 90.0), (0.0, 45.0), (90.0, 30.0), (0.0, 45.0, 135.0)]
)
@pytest.mark.parametrize("yaw", [0.0, 180.0])
def test_areas_are_found_along_the_axes_of_what_stood_on_them(
    turns: Sequence[float], yaw: float
):
    table = replace(ROUND, rotation=(0.0, yaw, 0.0))
    here = house(table, strips(turns))
    levels = levels_of(here, table)
    assert len(levels) == len(turns)
    for turn in turns:
        alike = [each for each in levels if _along(each) == pytest.approx(turn, abs=1)]
        assert len(alike) == 1, turn
        assert sorted(alike[0].size) == pytest.approx(sorted(STRIP), abs=0.01)
        assert turn_of(here, table, alike[0]) % 90 == pytest.approx(turn % 90, abs=1)


def _along(level: Surface) -> float:
    """Return how a level's longer side is turned, degrees below 180."""
    return (level.yaw + (0.0 if level.size[0] > level.size[1] else 90.0)) % 180.0


def test_a_round_table_has_strips_across_its_middle():
    levels = levels_of(house(ROUND), ROUND)
    assert [_along(level) for level in levels] == [0.0, 90.0, 45.0, 135.0]
    assert {(level.x, level.z) for level in levels} == {(1.0, 2.0)}


def test_what_fits_between_walls_is_put_there_where_too_little_was_shown():
    traces = shown(SINK, (-0.2, -0.2), (0.16, 0.16))
    pot = thing("Pot", (5, 0, 5), (0.3, 0.1, 0.3))
    spot = find_spot(house(SINK, traces), pot, SINK, SINK.box.center)
    assert isinstance(spot, Spot)
    assert dist_aside(spot.box, SINK.box) < 0.2
    broad = thing("Pan", (5, 0, 5), (0.7, 0.1, 0.7))
    assert isinstance(find_spot(house(SINK, traces), broad, SINK, SINK.box.center), str)


def dist_aside(one: Box, other: Box) -> float:
    (x, _, z), (ox, _, oz) = one.center, other.center
    return max(abs(x - ox), abs(z - oz))
