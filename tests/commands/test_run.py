"""`tatc run`: what it prints, saves and refuses, and what of a game it reads."""

import json
import os
import subprocess
import sys
from gzip import decompress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tatc.home.state import RoomKind
from tatc.session.records import read_game, read_record
from tatc.sim.rooms import format_room, generate_room
from tests.command_line import run_tatc

COFFEE = ("--task", "coffee", "--room", "kitchen-01")


def _tatc(*words: str | Path) -> Result:
    return run_tatc("run", *words)


def _summary(*words: str | Path) -> dict[str, Any]:
    done = _tatc(*words, "--json", "--no-save")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a session in a room of ours, which is a game file too."""
    path = tmp_path_factory.mktemp("saved") / "saved.game.json"
    assert _tatc(*COFFEE, "--save", path).exit_code == 0
    return path


def test_the_dialogue_is_told_and_how_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "coffee.game.json"
    done = _tatc(*COFFEE, "--save", path)
    assert (done.exit_code, done.stderr) == (0, "")
    first, _, *story, verdict, effort, planners, last = done.stdout.splitlines()
    record = read_record(path)
    assert first == "Coffee in kitchen-01, seed 1"
    assert story[0] == "Follower   What should I do next?"
    told = [line[11:] for line in story if line and not line.startswith(" ")]
    assert told == [each.text for each in record.interactions if each.text]
    assert verdict == "Success: 3 of 3 goal conditions"
    assert effort.endswith(" 0 failed")
    assert planners == "policies: 2 stretches, PDDL: 0"
    assert last == f"Record: {path}"


def test_json_is_alone_on_stdout_and_counts_as_the_record_does(tmp_path: Path) -> None:
    path = tmp_path / "coffee.game.json.gz"
    done = _tatc(*COFFEE, "--save", path, "--json")
    found, record = json.loads(done.stdout), read_record(path)
    assert (found["task"], found["params"], found["room"]) == ("Coffee", [], "kitchen-01")
    assert (found["success"], found["end"], found["gc_sat"]) == (True, "success", 3)
    assert (found["seed"], found["gc_total"], found["failed_actions"]) == (1, 3, 0)
    logged = found["commander_actions"] + found["follower_actions"]
    assert logged == len(record.interactions) == read_game(path).n_actions
    assert found["record"] == str(path)
    assert "What should I do next?" in done.stderr


def test_a_task_is_an_argument_or_an_option(tmp_path: Path) -> None:
    paths = [tmp_path / "argument.json", tmp_path / "option.json", tmp_path / "both.json"]
    for words, path in zip(
        (("coffee",), ("--task", "coffee"), ("coffee", "--task", "coffee")), paths, strict=True
    ):
        assert _tatc(*words, "--room", "kitchen-01", "--quiet", "--save", path).exit_code == 0
    first, *others = (path.read_bytes() for path in paths)
    assert all(other == first for other in others)


def test_a_session_of_the_rule_pair_imports_no_ai2thor_and_no_other_agents() -> None:
    code = """
import sys
from typer.testing import CliRunner
from tatc.cli import app
assert CliRunner().invoke(app, ["run", "coffee", "--no-save"]).exit_code == 0
unused = (
    "sim.thor.", "apps.thorserver", "follower.listener", "commander.speaker",
    "session.text_world", "session.tool_session", "language.understanding",
)
print([name for name in sys.modules if name.startswith(tuple(f"tatc.{each}" for each in unused))])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_quiet_tells_the_ending_only() -> None:
    lines = _tatc(*COFFEE, "--quiet", "--no-save").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["Success:", "Commander", "policies:"]


def test_a_session_without_success_is_status_1() -> None:
    done = _tatc(*COFFEE, "--noise", "1", "--no-save", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["success"], found["end"]) == (1, False, "failure_limit")


def test_without_save_the_record_goes_to_the_users_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for _ in range(2):
        assert _tatc(*COFFEE, "--seed", "2", "--quiet").exit_code == 0
    [path] = [each for each in tmp_path.rglob("*") if each.is_file()]
    assert path.parent.name == "coffee"
    place, seed, rest = path.name.split("_")
    assert (place, seed) == ("kitchen-01", "2")
    assert rest.endswith(".game.json") and len(rest) == 12 + len(".game.json")


def test_a_file_that_exists_is_kept_without_force(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("mine")
    refused = _tatc(*COFFEE, "--save", path)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert path.read_text() == "mine"
    assert _tatc(*COFFEE, "--save", path, "--force", "--quiet").exit_code == 0
    assert read_record(path).success


PUT = ("--task", "put all x on y", "--room", "kitchen-01")


@pytest.mark.parametrize(
    "given",
    [
        ("things=Mug", "where=in", "place=Drawer"),
        ("place=Drawer", "things=Mug", "where=in"),
        ("Mug", "in", "Drawer"),
        ("place=Drawer", "Mug", "in"),
    ],
)
def test_parameters_are_given_by_name_or_in_order(given: tuple[str, ...]) -> None:
    words = [word for each in given for word in ("--param", each)]
    assert _summary(*PUT, *words)["params"] == ["Mug", "in", "Drawer"]


def test_parameters_left_out_are_drawn_by_the_seed_and_told() -> None:
    found = _summary(*PUT, "--param", "things=Mug")["params"]
    assert found[0] == "Mug" and len(found) == 3
    assert _summary(*PUT, "--param", "things=Mug")["params"] == found
    first, *_ = _tatc(*PUT, "--param", "things=Mug", "--no-save").stdout.splitlines()
    assert f"({', '.join(found)})" in first


def test_a_room_file_is_a_room(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(format_room(generate_room(RoomKind.KITCHEN, 7)))
    assert _summary("--task", "coffee", "--room", path)["room"] == "kitchen-07"


def test_a_room_file_with_a_hole_is_named_by_its_field(tmp_path: Path) -> None:
    raw = json.loads(format_room(generate_room(RoomKind.KITCHEN, 7)))
    del raw["objects"][3]["box"]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(raw))
    done = _tatc("--task", "coffee", "--room", path, "--save", tmp_path / "x.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"error: {path}: objects[3].box: is missing (add it)\n"
    assert [each.name for each in tmp_path.iterdir()] == ["mine.json"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"task_name": "Cofee"}, "unknown task 'Cofee' (did you mean 'Coffee'"),
        ({"task_params": ["1"], "task_nparams": 1}, "1 parameters given, 0 needed"),
    ],
)
def test_a_game_with_a_task_that_is_not_known_is_named(
    saved: Path, tmp_path: Path, change: dict[str, Any], why: str
) -> None:
    document = json.loads(saved.read_bytes())
    document["tasks"][0] |= change
    path = tmp_path / "strange.game.json"
    path.write_text(json.dumps(document))
    done = _tatc("--game", path, "--no-save")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {path}: tasks[0]: ")
    assert why in done.stderr and done.stderr.count("\n") == 1


def _without_interactions(path: Path, to: Path) -> Path:
    """Write a game again with the same number of interactions, and nothing in them."""
    data = path.read_bytes()
    document = json.loads(decompress(data) if data[:2] == b"\x1f\x8b" else data)
    [episode] = document["tasks"][0]["episodes"]
    count = len(episode["interactions"])
    episode["interactions"] = [{"nothing": number} for number in range(count)]
    episode["final_state"] = {}
    for key in ("definitions", "comments"):
        document.pop(key, None)
    to.write_text(json.dumps(document))
    return to


def _check_same_without_interactions(game: Path, folder: Path) -> None:
    bare = _without_interactions(game, folder / "bare.game.json")
    first, second = folder / "first.game.json", folder / "second.game.json"
    for source, path in ((game, first), (bare, second)):
        assert _tatc("--game", source, "--save", path, "--quiet").exit_code == 0
    assert first.read_bytes() == second.read_bytes()


def test_what_people_did_in_a_game_is_not_read(saved: Path, tmp_path: Path) -> None:
    _check_same_without_interactions(saved, tmp_path)


def test_what_people_did_in_a_recorded_game_is_not_read(
    sample_games: list[Path], tmp_path: Path
) -> None:
    coffee = [path for path in sample_games if read_game(path).task_name == "Coffee"]
    _check_same_without_interactions(coffee[0], tmp_path)


def _in_two_processes(*words: str | Path) -> bytes:
    """Return the record of a session, the same from this process and another."""
    here, there = Path("here.game.json"), Path("there.game.json")
    assert _tatc(*words, "--save", here).exit_code == 0
    subprocess.run(
        [Path(sys.executable).with_name("tatc"), "run", *words, "--save", there],
        env=os.environ | {"PYTHONHASHSEED": "77"},
        check=True,
        capture_output=True,
    )
    assert here.read_bytes() == there.read_bytes()
    assert str(Path.cwd()).encode() not in here.read_bytes()
    return here.read_bytes()


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_record_is_the_same_in_every_process(in_folder: None) -> None:
    _in_two_processes("--task", "salad", "--room", "kitchen-02")


def test_a_map_is_named_with_its_hash_in_the_same_record(
    saved: Path, tmp_path: Path, in_folder: None
) -> None:
    other = tmp_path / "other.game.json"
    _tatc(*COFFEE, "--seed", "2", "--save", other, "--quiet")
    made = run_tatc("maps", "build", other, "--out", tmp_path / "m.json", "--json")
    record = _in_two_processes("--game", saved, "--map", "m.json")
    own = json.loads(record)["tatc"]
    assert (own["map"], own["map_hash"]) == ("m", json.loads(made.stdout)["hash"])


def test_a_recorded_start_gives_the_same_record_in_every_process(
    sample_games: list[Path], in_folder: None
) -> None:
    games = [path for path in sample_games if read_game(path).floor_plan == "FloorPlan5"]
    _in_two_processes("--game", games[0])
