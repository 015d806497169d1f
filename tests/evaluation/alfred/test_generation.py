"""Generated trajectories: what is in them, what the commands make of them, and going on."""

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import BadInput
from tatc.evaluation.alfred.alfred_trajectory_generation import Attempt, GeneratedSet
from tatc.session.records.trajectory import read_trajectory
from tatc.session.records.trajectory_plan import SUBGOALS
from tests.command_line import run_tatc


def test_file_says_that_it_is_ours_and_the_reader_takes_it(generated: dict[str, Path]) -> None:
    path = generated["heat"]
    raw = json.loads(path.read_text())
    assert raw["tatc"]["generated"] == "in a shipped room"
    assert "no demonstrations of ALFRED's" in (path.parents[2] / "about.json").read_text()
    read = read_trajectory(path)
    assert read.low_actions and read.floor_plan.startswith("kitchen-")
    kinds = [each.kind for each in read.high_actions]
    assert kinds[kinds.index("HeatObject") + 1] == "GotoLocation"  # as ALFRED's rewards expect
    assert set(kinds[:-1]) <= set(SUBGOALS) and kinds[-1] == "NoOp"
    assert len(read.annotations[0].steps) == len(kinds) - 1
    assert all(each.mask for each in read.low_actions if each.object_id)


def test_a_generated_trajectory_is_run_without_plans(generated: dict[str, Path]) -> None:
    done = run_tatc("run", "--game", generated["simple"], "--no-save", "--json")
    assert done.exit_code == 0, done.output


def test_same_command_goes_on_and_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    def generate(folder: Path, count: int) -> dict[str, Any]:
        words = ("--rooms", "--type", "simple", "--count", count, "--out", folder, "--json")
        done = run_tatc("alfred", "generate", *words)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert generate(whole, 2)["trajectories"] == 2
    assert generate(parts, 1)["trajectories"] == 1
    assert generate(parts, 2)["trajectories"] == 2
    texts = [
        {path.relative_to(each): path.read_bytes() for path in each.rglob("*.json*")}
        for each in (whole, parts)
    ]
    assert texts[0] == texts[1]


def test_own_expert_for_a_given_goal(generated: dict[str, Path], tmp_path: Path) -> None:
    raw = json.loads(generated["simple"].read_text())
    raw["turk_annotations"]["anns"][0]["task_desc"] = "Do it."
    given = tmp_path / "given" / "some-task" / "trial_1" / "traj_data.json"
    given.parent.mkdir(parents=True)
    given.write_text(json.dumps(raw))
    done = run_tatc("alfred", "experts", given, "--out", tmp_path / "ours", "--json")
    assert done.exit_code == 0, done.output
    ours = read_trajectory(tmp_path / "ours" / "some-task" / "trial_1" / "traj_data.json")
    assert ours.annotations[0].goal == "Do it."
    assert len(ours.low_actions) == len(raw["plan"]["low_actions"])


def test_nothing_is_written_outside_of_the_set(
    generated: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = generated["simple"].read_bytes()
    for name in ("home/traj_data.json", "home/task/traj_data.json"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(given)
    (tmp_path / "home" / "task" / "here").mkdir()
    monkeypatch.chdir(tmp_path / "home" / "task" / "here")
    done = run_tatc("alfred", "experts", "../../traj_data.json", "--out", "ours")
    assert done.exit_code == 0, done.output
    kept = Path("ours") / tmp_path.name / "home" / "traj_data.json"
    assert kept.is_file() and (tmp_path / "home" / "task" / "traj_data.json").read_bytes() == given


def test_bad_and_equally_named_goals_are_left_out(
    generated: dict[str, Path], tmp_path: Path
) -> None:
    given = generated["simple"].read_text()
    texts = {"a/task/trial": given, "b/task/trial": given, "c/task/list": "[]", "d/task/cut": "{"}
    texts |= {"e/about.json/trial": given, "f/attempts.jsonl/trial": given}
    for name, text in texts.items():
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "traj_data.json").write_text(text)
    done = run_tatc("alfred", "experts", tmp_path, "--out", tmp_path / "ours", "--json")
    assert done.exit_code == 1, done.output
    assert json.loads(done.stdout)["trajectories"] == 1
    assert sorted(each.split(":")[0] for each in done.stderr.splitlines()) == ["skipped"] * 4


_LINE = '{"number": 0, "path": "", "why": "no course"}'


@pytest.mark.parametrize(
    "bad",
    [
        b"\xff\xfe",
        b"{",
        b"[" * 5000,
        b"7",
        b'{"number": "0"}',
        b'{"number": 1, "path": "gone/traj_data.json", "why": ""}',
        _LINE.encode(),
    ],
)
def test_a_damaged_line_of_a_set_is_attempted_again(tmp_path: Path, bad: bytes) -> None:
    GeneratedSet(tmp_path / "set", {})
    (tmp_path / "set" / "attempts.jsonl").write_bytes(_LINE.encode() + b"\n" + bad + b"\n")
    past = GeneratedSet(tmp_path / "set", {}).past_attempts()
    assert [each.number for each in past] == [0]


@pytest.mark.parametrize(
    ("path", "is_there"),
    [
        ("a/b/traj_data.json", True),
        ("a/b/traj_data.json", False),
        ("a/b/other.json", True),
        ("a/traj_data.json", True),
        ("../../a/traj_data.json", True),
        ("../a/traj_data.json", True),
        ("/etc/hostname", False),
        ("attempts.jsonl", False),
    ],
)
def test_only_a_trajectory_of_the_set_counts(
    generated: dict[str, Path], tmp_path: Path, path: str, is_there: bool
) -> None:
    kept, data = GeneratedSet(tmp_path / "some" / "set", {}), generated["simple"].read_bytes()
    if is_there:
        (kept.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (kept.folder / path).write_bytes(data)
    entry = {"number": 0, "path": path, "why": "", "hash": sha256(data).hexdigest()}
    (kept.folder / "attempts.jsonl").write_text(json.dumps(entry) + "\n")
    counts = is_there and path == "a/b/traj_data.json"
    assert [each.path for each in kept.past_attempts()] == [path] * counts
    if counts:
        (kept.folder / path).write_bytes(data + b"\n")
        assert kept.past_attempts() == ()


def test_a_torn_line_of_a_set_does_not_swallow_the_next(tmp_path: Path) -> None:
    kept = GeneratedSet(tmp_path / "set", {})
    (tmp_path / "set" / "attempts.jsonl").write_text('{"number": 0, "pa')
    kept.keep(Attempt(3, why="no course"))
    assert [each.number for each in kept.past_attempts()] == [3]
    os.remove(tmp_path / "set" / "attempts.jsonl")
    os.mkfifo(tmp_path / "set" / "attempts.jsonl")
    with pytest.raises(BadInput, match="no regular file"):
        kept.past_attempts()
