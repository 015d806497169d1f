"""`tatc games list`."""

import json
from pathlib import Path

import pytest
from typer.testing import Result

from tatc.session.records import write_record
from tests.command_line import run_tatc
from tests.session.records.sample_record import sample_record


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    split = tmp_path / "train"
    split.mkdir()
    write_record(sample_record(), split / "a.game.json")
    write_record(sample_record("FloorPlan12", game_id="b_1"), split / "b.game.json.gz")
    write_record(sample_record("kitchen-03"), split / "c.game.json")
    return split


def _list(*words: object) -> Result:
    return run_tatc("games", "list", *words)


def test_a_table_lists_each_game(folder: Path) -> None:
    done = _list(folder)
    assert (done.exit_code, done.stderr) == (0, "")
    head, *rows = [line.split() for line in done.stdout.splitlines()]
    assert head == ["game", "task", "params", "plan", "actions", "Commander", "Follower"]
    assert rows == [
        ["0123456789abcdef_0123", "Coffee", "FloorPlan7", "10", "4", "6"],
        ["b_1", "Coffee", "FloorPlan12", "10", "4", "6"],
        ["kitchen-03_coffee_7", "Coffee", "kitchen-03", "10", "4", "6"],
    ]


def test_json_is_one_object_a_game(folder: Path) -> None:
    done = _list(folder / "a.game.json", "--json")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {
            "game": "0123456789abcdef_0123",
            "split": "train",
            "task": "Coffee",
            "params": [],
            "world": "FloorPlan7_physics",
            "plan": "FloorPlan7",
            "actions": 10,
            "commander_actions": 4,
            "follower_actions": 6,
        }
    ]


@pytest.mark.parametrize(
    ("options", "listed"),
    [
        (("--plan", "FloorPlan7"), ["0123456789abcdef_0123"]),
        (("--plan", "7", "--plan", "kitchen-03"), ["0123456789abcdef_0123", "kitchen-03_coffee_7"]),
        (("--plan", "floorplan12_physics"), ["b_1"]),
        (("--plan", "FloorPlan8"), []),
        (("--task", "make coffee"), ["0123456789abcdef_0123", "b_1", "kitchen-03_coffee_7"]),
        (("--task", "Toast"), []),
        (("--task", "102", "--plan", "12"), ["b_1"]),
    ],
)
def test_options_choose(folder: Path, options: tuple[str, ...], listed: list[str]) -> None:
    done = _list(folder, *options, "--json")
    assert done.exit_code == 0
    games = [json.loads(line)["game"] for line in done.stdout.splitlines()]
    assert games == listed


def test_long_parameters_do_not_stretch_the_table(folder: Path) -> None:
    params = ["1", "0", "0", "Bowl", "0", "Plate", "0", "0", "0", "1", "Apple"]
    long = {**sample_record().definition, "task_params": params, "task_nparams": 11}
    write_record(sample_record(definition=long, game_id="d"), folder / "d.game.json")
    row = _list(folder / "d.game.json").stdout.splitlines()[1]
    assert "1, 0, 0, Bowl, 0, Plate, 0, 0, 0, 1, ..." in row
