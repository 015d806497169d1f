"""Instances of many games in one folder: sessions with one name are not taken for each other."""

import json
from dataclasses import replace
from pathlib import Path

from tatc.evaluation.instances.build_instances import GameInstances, write_all_instances
from tatc.session.records import Benchmark, Record, read_instance, record_bytes, write_record
from tests.session.records.sample_record import sample_record


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
