"""Counts of what is in rooms, against AI2-THOR's scenes."""

from dataclasses import replace

import pytest

from benchmarks import bench_rooms
from benchmarks.room_statistics import SUMMARY_FIGURES, ComparedFigure, room_statistics
from tatc.home.state import Box, RoomKind
from tatc.sim.rooms import Room, load_room, room_names


def test_a_figure_is_judged_by_the_median_of_ours():
    theirs = (2.0, 3.0, 5.0)
    verdicts = [ComparedFigure("Mug", (0, middle, 99), theirs).verdict for middle in (1, 2, 5, 6)]
    assert verdicts == ["few", "ok", "ok", "many"]


@pytest.mark.parametrize("kind", RoomKind)
def test_shipped_rooms_are_like_ai2thors(kind: RoomKind):
    rooms = [room for room in map(load_room, room_names()) if room.kind is kind]
    census = room_statistics(kind, rooms)
    assert census.sizes_within > 0.97
    odd = [line.name for line in census.figures if line.verdict != "ok"]
    assert len(odd) <= len(census.figures) // 20
    assert not set(SUMMARY_FIGURES) & set(odd)


def test_what_is_counted_is_what_is_there():
    room = load_room("kitchen-01")
    lines = {line.name: line for line in room_statistics(room.kind, [room]).figures}
    burners = sum(t.objectType == "StoveBurner" for t in room.objects)
    assert lines["objects"].ours == (len(room.objects),) * 3
    assert lines["StoveBurner"].ours == (burners,) * 3
    assert lines["AluminumFoil" if "AluminumFoil" in lines else "Chair"].ai2thor


def test_a_giant_is_counted_as_out_of_size():
    room = load_room("kitchen-01")
    mug = next(t for t in room.objects if t.objectType == "Mug")
    giant = replace(mug, box=Box(mug.box.center, (1.0, 1.0, 1.0)))
    objects = tuple(giant if t is mug else t for t in room.objects)
    other = Room(room.name, room.kind, room.seed, room.agent_y, objects)
    assert (
        room_statistics(room.kind, [other]).sizes_within
        < room_statistics(room.kind, [room]).sizes_within
    )


def test_the_benchmark_tells_of_every_kind() -> None:
    told = [name for name, _, _ in bench_rooms.run()]
    for kind in RoomKind:
        assert f"{kind.value}: sizes within AI2-THOR's" in told
