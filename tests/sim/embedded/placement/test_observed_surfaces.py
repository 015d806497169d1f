"""Surfaces with what other sessions show of them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tatc.home.state import ObjectState, rotate_yaw, translate
from tatc.home.type_facts import LATTICE_DIVISIONS
from tatc.sim.embedded.placement.observed_surfaces import (
    observed_surfaces,
    placement_yaw,
    walled_surfaces,
)
from tatc.sim.embedded.placement.placement_search import Placement, find_placement
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import NO_EVIDENCE, RecordedEvidence, RestingPose
from tests.sim.box_kitchen import make_object, world_with

CELLS = [
    (i, j) for i in range(1, LATTICE_DIVISIONS) for j in range(1, LATTICE_DIVISIONS) if (i + j) % 3
]
SINK = make_object("SinkBasin", (1, 0.8, 2), (0.6, 0.2, 0.6))
TABLE = make_object("SideTable", (1, 0.8, 2), (0.7, 0.2, 0.5))


def world_of(receptacle: ObjectState, evidence: RecordedEvidence = NO_EVIDENCE) -> WorldState:
    return world_with(receptacle, evidence=evidence)


def evidence_on_area(
    receptacle: ObjectState,
    middle: tuple[float, float],
    size: tuple[float, float],
    yaw: float = 0.0,
) -> RecordedEvidence:
    """Return traces of things on an area, given in the receptacle's own axes."""
    (level,) = observed_surfaces(world_of(receptacle), receptacle)
    height = level.y - receptacle.box.center[1]
    rests = [
        RestingPose(
            (
                middle[0] + (i / LATTICE_DIVISIONS - 0.5) * size[0],
                height,
                middle[1] + (j / LATTICE_DIVISIONS - 0.5) * size[1],
            ),
            (0.0, yaw, 0.0),
        )
        for i, j in CELLS
    ]
    return RecordedEvidence({receptacle.name: tuple(rests)})


@pytest.mark.parametrize("yaw", [0.0, 90.0, 225.0, 310.0])
def test_areas_are_found_along_the_axes_of_a_receptacle(yaw: float):
    """Its box lies along the room's axes, as that of a sink in a corner does."""
    sink = replace(SINK, rotation=(0.0, yaw, 0.0))
    traces = evidence_on_area(sink, (0.05, -0.02), (0.4, 0.3))
    (level,) = observed_surfaces(world_of(sink, traces), sink)
    dx, _, dz = rotate_yaw((0.05, 0.0, -0.02), yaw)
    assert (level.x - 1, level.z - 2) == pytest.approx((dx, dz), abs=0.003)
    across = (level.yaw - yaw) % 180.0 == pytest.approx(90.0, abs=0.1)
    wide, deep = level.size[::-1] if across else level.size
    assert (wide, deep) == pytest.approx((0.4, 0.3), abs=0.006)


def test_without_traces_a_level_is_as_its_box_says():
    (plain,) = observed_surfaces(world_of(SINK), SINK)
    other = RecordedEvidence({"SinkBasin_of_another_plan": (RestingPose((0, 0, 0), (0, 0, 0)),)})
    assert observed_surfaces(world_of(SINK, other), SINK) == [plain]
    assert list(walled_surfaces(world_of(SINK), SINK)) == []


def test_things_are_turned_as_others_were():
    traces = evidence_on_area(TABLE, (0.0, 0.0), (0.6, 0.4), yaw=90.0)
    here = world_of(TABLE, traces)
    (level,) = observed_surfaces(here, TABLE)
    assert placement_yaw(here, TABLE, level) == 90.0
    turned = replace(TABLE, rotation=(0.0, 180.0, 0.0))
    (level,) = observed_surfaces(world_of(turned, traces), turned)
    assert placement_yaw(world_of(turned, traces), turned, level) == 270.0


ROUND = make_object("DiningTable", (1, 0.6, 2), (1.5, 1.2, 1.5))
STRIP = 1.35, 0.6


def evidence_on_strips(turns: Sequence[float]) -> RecordedEvidence:
    """Return traces of things on strips across a table's middle, turned like these."""
    rests: list[RestingPose] = []
    for turn in turns:
        (strip,) = evidence_on_area(
            replace(ROUND, objectType="Desk"), (0, 0), STRIP
        ).resting_poses.values()
        for rest in strip:
            rests.append(RestingPose(rotate_yaw(rest.offset, turn), (0.0, turn, 0.0)))
    return RecordedEvidence({ROUND.name: tuple(rests)})


@pytest.mark.parametrize("turns", [(0.0, 90.0), (0.0, 45.0), (90.0, 30.0), (0.0, 45.0, 135.0)])
@pytest.mark.parametrize("yaw", [0.0, 180.0])
def test_areas_are_found_along_the_axes_of_what_stood_on_them(turns: Sequence[float], yaw: float):
    table = replace(ROUND, rotation=(0.0, yaw, 0.0))
    here = world_of(table, evidence_on_strips(turns))
    levels = observed_surfaces(here, table)
    assert len(levels) == len(turns)
    for turn in turns:
        alike = [each for each in levels if _longer_side_yaw(each) == pytest.approx(turn, abs=1)]
        assert len(alike) == 1, turn
        assert sorted(alike[0].size) == pytest.approx(sorted(STRIP), abs=0.01)
        assert placement_yaw(here, table, alike[0]) % 90 == pytest.approx(turn % 90, abs=1)


def _longer_side_yaw(level: Surface) -> float:
    """Return how a level's longer side is turned, degrees below 180."""
    return (level.yaw + (0.0 if level.size[0] > level.size[1] else 90.0)) % 180.0


def test_a_round_table_has_strips_across_its_middle():
    levels = observed_surfaces(world_of(ROUND), ROUND)
    assert [_longer_side_yaw(level) for level in levels] == [0.0, 90.0, 45.0, 135.0]
    assert {(level.x, level.z) for level in levels} == {(1.0, 2.0)}


def test_what_fits_between_walls_is_put_there_where_too_little_was_shown():
    traces = evidence_on_area(SINK, (-0.2, -0.2), (0.16, 0.16))
    pot = make_object("Pot", (5, 0, 5), (0.3, 0.1, 0.3))
    spot = find_placement(world_of(SINK, traces), pot, SINK, SINK.box.center)
    assert isinstance(spot, Placement)
    (x, _, z), (ox, _, oz) = spot.box.center, SINK.box.center
    assert max(abs(x - ox), abs(z - oz)) < 0.2
    broad = make_object("Pan", (5, 0, 5), (0.7, 0.1, 0.7))
    assert isinstance(find_placement(world_of(SINK, traces), broad, SINK, SINK.box.center), str)


def test_surfaces_are_found_once_for_each_place_of_a_receptacle():
    table = make_object("CoffeeTable", (0, 0.4, 1), (1.0, 0.8, 0.6))
    world = world_with(table)
    [here] = found = observed_surfaces(world, table)
    assert observed_surfaces(world, table.with_values(isDirty=True)) is found
    [there] = observed_surfaces(world, translate(table, (0.5, 0.0, 0.0)))
    assert (there.x, there.z) == (here.x + 0.5, here.z)
    assert observed_surfaces(world, table) is found
