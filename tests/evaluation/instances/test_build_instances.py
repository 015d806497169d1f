"""Instances of a game and of many in one folder, differences of states, and instances' games."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tatc.base.errors import BadInput
from tatc.evaluation.instances.build_instances import (
    GameInstances,
    InstanceDocument,
    build_instances,
    net_changes,
    state_difference,
    write_all_instances,
)
from tatc.evaluation.instances.source_games import find_game_of_instance, states_during_replay
from tatc.home.state import Snapshot
from tatc.session.records import (
    Benchmark,
    Record,
    parse_instance,
    read_game,
    read_instance,
    record_bytes,
    write_record,
)
from tatc.session.start import start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import edh_task, shipped_library
from tests.session.records.sample_record import sample_record
from tests.sim.box_kitchen import kitchen


def test_history_and_future_join_to_the_whole_course(edh: tuple[InstanceDocument, ...]) -> None:
    assert edh
    for found in edh:
        start = found["pred_start_idx"]
        assert len(found["driver_image_history"]) == len(found["driver_action_history"])
        assert len(found["driver_images_future"]) == len(found["driver_actions_future"])
        times = [each["time_start"] for each in found["driver_action_history"]]
        later = [each["time_start"] for each in found["driver_actions_future"]]
        cut = found["interactions"][start]["time_start"]
        assert all(time < cut for time in times)
        assert all(time >= cut for time in later)
        assert any(a["obj_interaction_action"] for a in found["driver_actions_future"])
        assert found["dialog_history"][-1][0] in ("Commander", "Driver")


def test_what_is_written_can_be_read(edh: tuple[InstanceDocument, ...]) -> None:
    for built in edh:
        read = parse_instance(built, built["instance_id"])
        assert read.benchmark is Benchmark.EDH
        assert len(read.history) == built["pred_start_idx"]
        assert read.reference_length == len(built["driver_actions_future"])
        assert read.expected is not None
        assert read.expected[1] < read.expected[0]


def _count_instances_done(path: Path) -> int:
    """Check every instance of a game; return how many there are."""
    library = shipped_library()
    game, opening = read_game(path), start_from_game(path, library, None, (), 1)
    cut = build_instances(path, Benchmark.EDH, library)
    stops = {len(each["interactions"]) for each in cut}
    sim = EmbeddedSimulator()
    sim.reset(opening.scene)
    states = states_during_replay(sim, game.interactions, stops)
    for built in cut:
        end = states[len(built["interactions"])]
        task = edh_task(built["state_changes"])
        assert task.check(end).success, built["instance_id"]
    return len(cut)


def test_people_did_what_an_instance_asks_for(played_game: Path, sample_games: list[Path]) -> None:
    assert sum(map(_count_instances_done, (played_game, *sample_games[::8]))) > 9


def test_tfd_holds_the_whole_session(played_game: Path) -> None:
    [built] = build_instances(played_game, Benchmark.TFD, shipped_library())
    game = read_game(played_game)
    read = parse_instance(built, built["instance_id"])
    assert (read.benchmark, read.history) == (Benchmark.TFD, ())
    assert len(built["interactions"]) == len(game.interactions)
    assert len(read.dialogue) == sum(bool(each.text) for each in game.interactions)
    assert read.state_changes is None


@pytest.mark.parametrize("kind", list(Benchmark))
def test_the_same_game_gives_the_same_instances(played_game: Path, kind: Benchmark) -> None:
    first, second = (build_instances(played_game, kind, shipped_library()) for _ in range(2))
    assert first == second


def _with_changed_object(start: Snapshot, kind: str, **fields: object) -> Snapshot:
    [old] = start.of_type(kind)
    new = [
        replace(each, **fields) if each is old else each  # type: ignore[arg-type]
        for each in start.objects
    ]
    return Snapshot.from_objects(new, start.commander, start.follower)


def test_only_what_changed_is_told() -> None:
    start = kitchen().initial
    [plate] = start.of_type("Plate")
    after = _with_changed_object(start, "Plate", isDirty=False)
    assert state_difference(start, start) == {}
    assert state_difference(start, after) == {plate.objectId: {"isDirty": False}}


def test_a_movement_is_told_by_its_coordinates_alone() -> None:
    start = kitchen().initial
    [plate] = start.of_type("Plate")
    x, y, z = plate.position
    after = _with_changed_object(start, "Plate", position=(x + 0.5, y, z))
    told = state_difference(start, after)[plate.objectId]
    assert told == {"position": {"x": round(x + 0.5, 4)}}


def test_a_piece_is_compared_with_its_whole() -> None:
    start = kitchen().initial
    [bread] = start.of_type("Bread")
    piece = replace(bread, objectId=f"{bread.objectId}|BreadSliced_0", objectType="BreadSliced")
    after = Snapshot.from_objects((*start.objects, piece), start.commander, start.follower)
    assert state_difference(start, after) == {
        piece.objectId: {"objectId": piece.objectId, "objectType": "BreadSliced"}
    }


def test_what_was_changed_before_is_left_out_unless_changed_again() -> None:
    start = {"Mug|1|2|3": {"isDirty": False, "isPickedUp": True}}
    end = {
        "Mug|1|2|3": {"isDirty": False, "isPickedUp": False, "mass": 2.0},
        "Cup|1|2|3": {"isDirty": True},
    }
    assert net_changes(start, end) == {
        "Mug|1|2|3": {"isPickedUp": False},
        "Cup|1|2|3": {"isDirty": True},
    }


def test_a_piece_falls_back_on_its_whole_but_a_basin_does_not() -> None:
    start = {"Bread|1|2|3": {"isPickedUp": True}, "Sink|1|2|3": {"isToggled": True}}
    end = {
        "Bread|1|2|3|BreadSliced_0": {"isPickedUp": True, "isCooked": True},
        "Sink|1|2|3|SinkBasin": {"isToggled": True},
    }
    assert net_changes(start, end) == {
        "Bread|1|2|3|BreadSliced_0": {"isCooked": True},
        "Sink|1|2|3|SinkBasin": {"isToggled": True},
    }


_VALUES = st.dictionaries(
    st.sampled_from(["isDirty", "isOpen", "isToggled", "mass"]), st.booleans()
)
_CHANGES = st.dictionaries(st.sampled_from(["Mug|1|2|3", "Cup|1|2|3"]), _VALUES)


@given(_CHANGES, _CHANGES)
def test_the_way_between_leads_from_start_to_end(
    start: dict[str, dict[str, bool]], end: dict[str, dict[str, bool]]
) -> None:
    for object_id, values in net_changes(start, end).items():
        for name, value in values.items():
            assert end[object_id][name] == value
            assert start.get(object_id, {}).get(name) != value


def _write(out: Path, *paths: Path, force: bool = False) -> list[GameInstances]:
    return list(write_all_instances(paths, Benchmark.TFD, out, force, 1))


def _save(path: Path, record: Record, name: str = "") -> Path:
    """Save a record; `name` stands in for the session's own."""
    write_record(record, path)
    if name:
        document = json.loads(record_bytes(record))
        document["tasks"][0]["episodes"][0]["episode_id"] = name
        path.write_text(json.dumps(document))
    return path


def _with_task(record: Record, name: str) -> Record:
    return replace(record, definition={**record.definition, "task_name": name})


def test_records_of_many_tasks_in_one_room_are_cut_side_by_side(tmp_path: Path) -> None:
    coffee = sample_record("kitchen-03")
    paths = [
        _save(tmp_path / f"{i}.game.json", each)
        for i, each in enumerate(
            (coffee, _with_task(coffee, "Water Plant"), replace(coffee, seed=8))
        )
    ]
    done = _write(tmp_path / "out", *paths)
    assert [(each.written, each.skipped) for each in done] == [(1, "")] * 3
    ids = {read_instance(path).game_id for path in (tmp_path / "out").glob("*.json")}
    assert ids == {"kitchen-03_coffee_7", "kitchen-03_water-plant_7", "kitchen-03_coffee_8"}
    again = _write(tmp_path / "out", *paths)
    assert [each.already_there for each in again] == [1, 1, 1]


def test_an_instance_that_is_gone_or_changed_is_cut_again(tmp_path: Path) -> None:
    game = _save(tmp_path / "a.game.json", sample_record("kitchen-03"), "kitchen-03_7")
    out = tmp_path / "out"
    _write(out, game)
    [file] = out.glob("*.json")
    whole = file.read_bytes()
    for spoil in (file.unlink, lambda: file.write_bytes(b""), lambda: file.write_bytes(b"{}\n")):
        spoil()
        assert [(each.written, each.already_there) for each in _write(out, game)] == [(1, 0)]
        assert file.read_bytes() == whole
    assert [(each.written, each.already_there) for each in _write(out, game)] == [(0, 1)]
    notes = out / ".done.jsonl"  # as of another tatc, and leading out of the folder
    for old, new in (('"code": "', '"code": "x'), (file.name, f"../out/{file.name}")):
        notes.write_text(notes.read_text().replace(old, new))
        assert [each.written for each in _write(out, game)] == [1]


def test_of_two_games_with_one_name_the_second_is_named_and_left_out(tmp_path: Path) -> None:
    """As records were named before: after room and seed alone."""
    coffee = sample_record("kitchen-03")
    first = _save(tmp_path / "a.game.json", coffee, "kitchen-03_7")
    second = _save(tmp_path / "b.game.json", _with_task(coffee, "Water Plant"), "kitchen-03_7")
    out = tmp_path / "out"
    [clash, cut] = _write(out, first, second)
    assert clash.skipped == f"{second}: is named kitchen-03_7, as {first} is"
    assert (cut.game_id, cut.written) == ("kitchen-03_7", 1)
    [file] = out.glob("*.json")
    file.unlink()
    [later] = _write(out, second)
    assert later.skipped.startswith(f"{second}: another file named kitchen-03_7 is cut already")
    assert not file.exists()
    assert [each.written for each in _write(out, second, force=True)] == [1]
    assert file.exists()


@pytest.mark.parametrize("folder", ["games/train", "edh_instances/train"])
def test_a_game_lies_in_teachs_folders_or_beside_its_instance(folder: str, tmp_path: Path) -> None:
    game = tmp_path / folder / "b8.game.json"
    game.parent.mkdir(parents=True)
    game.touch()
    assert find_game_of_instance(tmp_path / "edh_instances/train/b8.edh0.json", "b8") == game


@pytest.mark.parametrize("name", ["b9", "x" * 300, "a\x00b"])
def test_a_game_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not found"):
        find_game_of_instance(tmp_path / "edh_instances/train/b8.edh0.json", name)
