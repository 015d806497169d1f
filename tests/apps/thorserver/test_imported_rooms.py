"""Rooms of a user's own behind the server: names, ids, cells, and TEACh's replay in one."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.bench_teach_replay import ReplayCounts, replay_game
from tatc.apps.thorserver.moved_objects import id_at
from tatc.apps.thorserver.served_scenes import find_served_scene, scene_names
from tatc.apps.thorserver.thor_world import ThorWorld, listed_cells
from tatc.sim.floorplan.navigable_cells import clearance_grid
from tatc.sim.maps.recorded_evidence import NO_EVIDENCE
from tatc.sim.rooms import format_room, ithor_names, load_room, room_names


@pytest.mark.parametrize("named", [False, True])
def test_rooms_of_the_user_and_of_a_named_folder_come_first(
    named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / ("named" if named else "tatc/rooms")
    folder.mkdir(parents=True)
    given = (folder,) if named else ()
    shipped = find_served_scene("FloorPlan3_physics")
    assert shipped is not None and shipped.source == "FloorPlan3"
    others = set(scene_names())
    assert {*ithor_names()} == {n.removesuffix("_physics") for n in others} - {*room_names()}
    room = replace(load_room("kitchen-05"), name="FloorPlan3")
    (folder / "FloorPlan3.json").write_text(format_room(room))
    (folder / "FloorPlan9.json").write_text("{}")
    (folder / "mine.json").write_text(format_room(replace(room, name="mine")))
    found = find_served_scene("FloorPlan3_physics", *given)
    assert found is not None and found.source == str(folder / "FloorPlan3.json")
    assert found.room.objects == room.objects
    names = scene_names(*given)
    assert {name for name in names if name not in others} == {"mine"}  # of files that can be read
    assert all(find_served_scene(name, *given) is not None for name in names)


def test_an_id_is_of_the_type_and_the_position() -> None:
    assert id_at("Mug", (0.3151, -0.914, 0.0)) == "Mug|+00.32|-00.91|+00.00"
    assert id_at("Mug", (-0.004, 0.005, -12.345)) == "Mug|00.00|+00.01|-12.35"


def test_cells_follow_the_furniture_that_moves() -> None:
    furnished = load_room("kitchen-01")
    cells = clearance_grid(furnished.objects, (0.0, furnished.agent_y, 0.0)).free_cells()
    only_seen_by_people = (400, 400)  # a cell that the boxes do not tell
    furnished = replace(furnished, cells=tuple(sorted({*cells, only_seen_by_people})))
    assert listed_cells(furnished, furnished.objects) == furnished.cells

    bare_objects = [obj for obj in furnished.objects if obj.objectType != "DiningTable"]
    bare_cells = listed_cells(furnished, bare_objects)
    assert set(furnished.cells) < set(bare_cells)
    bare = replace(furnished, objects=tuple(bare_objects), cells=bare_cells)
    assert listed_cells(bare, furnished.objects) == furnished.cells

    unlisted = replace(furnished, cells=())
    assert listed_cells(unlisted, bare_objects) == ()


ROOM_GAME, REPLAYED_GAME = "2f8ebbb012505f21_a0f4", "9329ad3f0ba98ac8_493e"
"""Two games in one floor plan."""
FRAME_PIXELS = 300  # a third of TEACh's, to draw fewer pixels


def test_a_recorded_game_is_replayed(sample_games: list[Path]) -> None:
    pytest.importorskip("ai2thor", reason="needs the extra: thor")
    games = {path.name.split(".")[0]: path for path in sample_games}
    counts = ReplayCounts()
    replay_game(
        games[REPLAYED_GAME], [games[ROOM_GAME], games[REPLAYED_GAME]], counts, FRAME_PIXELS
    )
    assert counts.asked["motions"] > 50 and counts.asked["interactions"] > 10
    assert counts.rate("motions") == 1.0, counts.faults
    assert counts.rate("interactions") >= 0.9, counts.faults
    assert counts.rate("objects") >= 0.9, counts.faults
    assert counts.rate("tasks") == 1.0, counts.faults


def test_a_room_made_of_games_knows_what_the_others_show(tmp_path: Path) -> None:
    served = find_served_scene("FloorPlan3_physics")
    assert served is not None and served.recorded_map is None  # a plan set aside
    served = find_served_scene("FloorPlan1_physics")
    assert served is not None and served.recorded_map is not None
    whole = served.recorded_map
    first, second, *_ = sorted(whole.content.evidence["FloorPlan1"])
    refused = min(whole.without_games(first, second).blocked_cells("FloorPlan1"))
    cells = tuple(sorted({*served.room.cells, refused}))
    assert refused not in ThorWorld(served, (64, 64)).floor.free_cells
    for games in ((), (first,), (first, second)):
        room = replace(served.room, games=games, cells=cells)
        (tmp_path / "FloorPlan1.json").write_text(format_room(room))
        own = find_served_scene("FloorPlan1", tmp_path)
        assert own is not None and own.room.games == games
        known = own.recorded_map
        assert (known is None) is (games == ())  # it may be of any game
        world = ThorWorld(own, (64, 64))
        expected = whole.without_games(*games).evidence_for("FloorPlan1")
        assert world.state.evidence == (expected if games else NO_EVIDENCE)
        assert refused in world.floor.free_cells  # as the room itself lists it
        assert not games or expected != whole.evidence_for("FloorPlan1")
