"""Single subgoals of trajectories: the expert's course up to one, then the agents."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import BadInput, UnknownName
from tatc.evaluation.runs.subgoal_runner import parse_subgoals
from tatc.session.records.trajectory import read_trajectory
from tatc.session.records.trajectory_plan import SUBGOALS
from tests.command_line import run_tatc
from tests.generated_trajectories import generate


@pytest.fixture(scope="module")
def trajectory_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    [path] = generate(tmp_path_factory.mktemp("generated") / "set", "cool", 1, seed=2)
    assert any(each.kind == "CoolObject" for each in read_trajectory(path).high_actions)
    return path


def _rows(run: Path) -> list[dict[str, Any]]:
    return [*map(json.loads, (run / "results.jsonl").read_text().splitlines())]


def test_every_subgoal_is_a_session_of_its_own(trajectory_file: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ("--subgoals", "all", "--out", run, "--save-records", "all", "--json")
    done = run_tatc("eval", trajectory_file, *words)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    trajectory = read_trajectory(trajectory_file)
    kinds = Counter(each.kind for each in trajectory.high_actions if each.kind in SUBGOALS)
    assert {kind: got["sessions"] for kind, got in found["per_task"].items()} == kinds
    assert list(found["per_task"]) == [kind for kind in SUBGOALS if kind in kinds]
    assert found["success_rate"] == found["mean_of_kinds"]["success_rate"] == 1.0
    assert found["mean_of_kinds"]["plw_success_rate"] > 0.9
    rows = _rows(run)
    assert sum(row["human_actions"] for row in rows) == len(trajectory.low_actions)
    assert all(row["after"] == {"total": 1, "met": 1} for row in rows)
    assert len({row["key"] for row in rows}) == sum(kinds.values())
    last = max(rows, key=lambda row: row["key"])
    again = run_tatc("replay", run / last["record"])
    assert again.exit_code == 0, again.output
    table = run_tatc("report", run).stdout
    assert "SEQ2SEQ+PM seen" in table
    assert "mean of kinds" in table
    assert "Shridhar et al. 2020, Table 4" in table


def test_a_follower_that_does_something_else_fails(trajectory_file: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ("--subgoals", "CoolObject,PutObject", "--follower", "random", "--out", run)
    done = run_tatc("eval", trajectory_file, *words, "--save-records", "none", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert list(found["per_task"]) == ["PutObject", "CoolObject"]
    assert found["per_task"]["CoolObject"]["successes"] == 0
    assert found["mean_of_kinds"]["plw_success_rate"] < 0.5
    assert "--subgoals CoolObject" in found["failures"][0]["command"]


def test_what_has_no_subgoals_is_skipped(trajectory_file: Path, tmp_path: Path) -> None:
    raw = json.loads(trajectory_file.read_text())
    for name in ("plan", "pddl_params", "task_type"):
        del raw[name]
    bare = tmp_path / "bare" / "traj_data.json"
    bare.parent.mkdir()
    bare.write_text(json.dumps(raw | {"task_id": "bare"}))
    done = run_tatc("eval", bare, "--subgoals", "all", "--out", tmp_path / "run")
    assert done.exit_code == 2
    assert "has no task" in done.stderr


def test_a_course_that_needs_what_is_missing_is_skipped(
    trajectory_file: Path, tmp_path: Path
) -> None:
    raw = json.loads(trajectory_file.read_text())
    for action in raw["plan"]["low_actions"]:
        if "objectId" in action["api_action"]:
            action["api_action"]["objectId"] = "Safe|+99.00|+00.00|+99.00"
    path = tmp_path / "other" / "traj_data.json"
    path.parent.mkdir()
    path.write_text(json.dumps(raw))
    words = ("--subgoals", "CoolObject", "--out", tmp_path / "run")
    done = run_tatc("eval", path, *words)
    assert done.exit_code == 1
    assert "which the scene lacks" in done.stderr


def test_follower_hears_the_goal_or_the_directive_of_its_subgoal(
    trajectory_file: Path, tmp_path: Path
) -> None:
    trajectory = read_trajectory(trajectory_file)
    [index] = [i for i, each in enumerate(trajectory.high_actions) if each.kind == "CoolObject"]
    [annotation] = trajectory.annotations
    for language, heard in (("goal", annotation.goal), ("steps", annotation.steps[index])):
        run = tmp_path / language
        words = ("--subgoals", "CoolObject", "--language", language)
        done = run_tatc("eval", trajectory_file, *words, "--out", run, "--save-records", "all")
        assert done.exit_code == 0, done.output
        [row] = _rows(run)
        said = run_tatc("replay", run / row["record"]).output
        assert heard.split(".")[0] in said


@pytest.mark.parametrize(
    ("names", "kinds"),
    [(["all"], SUBGOALS), (["PutObject", "GotoLocation"], ("GotoLocation", "PutObject"))],
)
def test_kinds_are_in_alfreds_order(names: list[str], kinds: tuple[str, ...]) -> None:
    assert parse_subgoals(names) == kinds


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(UnknownName, match="PutObject"):
        parse_subgoals(["PutObjekt"])
    with pytest.raises(BadInput, match="no kind"):
        parse_subgoals([])
