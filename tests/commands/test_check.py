"""`tatc check`: recorded starts and ends, and going on past bad files."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tests.command_line import run_tatc


def _tatc(*words: str | Path) -> Result:
    return run_tatc("check", *words)


@pytest.fixture(scope="module")
def game(sample_games: list[Path]) -> Any:
    with gzip.open(sample_games[0]) as file:
        return json.load(file)


@pytest.fixture(scope="module")
def official(teach_data: Path) -> dict[str, dict[str, Any]]:
    text = (teach_data / "teach" / "official-progress-train.json").read_text()
    return {entry["game"]: entry for entry in json.loads(text)}


def test_json_has_the_official_keys_and_values(
    sample_games: list[Path], tmp_path: Path, official: dict[str, dict[str, Any]]
) -> None:
    """The split is the name of the folder that the files lie in."""
    train = tmp_path / "train"
    train.mkdir()
    for path in sample_games[:4]:
        (train / path.name).write_bytes(path.read_bytes())
    done = _tatc(tmp_path, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(entries) == 4
    for entry in entries:
        assert json.dumps(entry) == json.dumps(official[entry["game"]])


def test_the_table_tells_start_end_and_sum(
    sample_games: list[Path], official: dict[str, dict[str, Any]]
) -> None:
    done = _tatc(sample_games[0])
    entry = official[sample_games[0].name.split(".")[0]]
    head, row = (line.split() for line in done.stdout.splitlines())
    assert head == ["game", "task", "place", "start", "end", "done"]
    assert row[0] == entry["game"]
    assert row[-4] == entry["world"].removesuffix("_physics")
    assert row[-3:] == [
        f"{entry['initial']['gc_sat']}/{entry['initial']['gc_total']}",
        f"{entry['final']['gc_sat']}/{entry['final']['gc_total']}",
        "yes",
    ]
    assert done.stderr == "1 game: 1 complete at the end, 0 at the start\n"


def test_bad_files_are_named_and_passed_over(
    sample_games: list[Path], tmp_path: Path, game: Any
) -> None:
    unknown = tmp_path / "b.game.json"
    unknown.write_text(json.dumps(_with_task(game, "Make Tea", [])))
    unfit = tmp_path / "c.game.json"
    unfit.write_text(json.dumps(_with_task(game, "Salad", ["1"])))
    done = _tatc(tmp_path, sample_games[0], "--json")
    assert done.exit_code == 1
    assert len(done.stdout.splitlines()) == 1
    lines = done.stderr.splitlines()
    for path, line in zip((unknown, unfit), lines, strict=False):
        assert line.startswith(f"skipped: {path}: "), line
    assert "unknown task 'Make Tea'" in lines[0]
    assert lines[-1] == "skipped: 2 of 3 files"


def test_another_folder_of_tasks_decides(
    sample_games: list[Path], tmp_path: Path, game: Any
) -> None:
    name = game["tasks"][0]["task_name"]
    written = run_tatc("tasks", name, "--json").stdout
    impossible = json.loads(written)
    impossible["components"]["moon"] = {
        "determiner": "a",
        "primary_condition": "objectType",
        "instance_shareable": False,
        "conditions": {"objectType": "Moon"},
        "condition_failure_descs": {},
    }
    (tmp_path / "task.json").write_text(json.dumps(impossible))
    plain = json.loads(_tatc(sample_games[0], "--json").stdout)
    stricter = json.loads(_tatc(sample_games[0], "--json", "--tasks", tmp_path).stdout)
    assert plain["final"]["success"]
    assert not stricter["final"]["success"]
    assert stricter["final"]["gc_total"] == plain["final"]["gc_total"] + 1


def _with_task(game: Any, name: str, params: list[str]) -> Any:
    task = {key: value for key, value in game["tasks"][0].items()}
    task |= {"task_name": name, "task_params": params, "task_nparams": len(params)}
    return game | {"tasks": [task]}
