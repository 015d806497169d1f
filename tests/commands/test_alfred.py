"""ALFRED's trajectories on the command line: `tatc run`, `eval` and their bad inputs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run_tatc
from tests.generated_trajectories import generate
from tests.session.records.sample_trajectory import sample_furniture, sample_trajectory

Json = dict[str, Any]


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plans") / "dump.json"
    path.write_text(json.dumps(sample_furniture()))
    return path


def _write(folder: Path, raw: object, name: str = "pick-Apple") -> Path:
    path = folder / "valid_unseen" / name / "trial_1" / "traj_data.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(raw))
    return path


def _cool(seed: int = 1) -> Json:
    return sample_trajectory("pick_cool_then_place_in_recep", seed)


def test_run_is_scored_by_alfreds_own_test(tmp_path: Path, plans: Path) -> None:
    saved = tmp_path / "cool.game.json"
    path = _write(tmp_path, _cool())
    done = run_tatc("run", "--game", path, "--plans", plans, "--save", saved, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["alfred"] == {"total": 3, "met": 3}
    record = json.loads(saved.read_text())["tatc"]
    assert record["options"]["body"] == "alfred"
    assert record["options"]["furniture"].startswith("dump.json ")
    again = run_tatc("replay", saved)
    assert again.exit_code == 0, again.output
    assert "Success: 3 of 3" in again.output


def test_eval_reports_by_alfreds_types(tmp_path: Path, plans: Path) -> None:
    folder = tmp_path / "alfred"
    _write(folder, _cool(), "pick_cool")
    test_fold = sample_trajectory(seed=2)
    for name in ("plan", "pddl_params", "task_type"):
        del test_fold[name]
    _write(folder, test_fold, "no_task")
    words = ("--plans", plans, "--out", tmp_path / "run", "--save-records", "none", "--json")
    done = run_tatc("eval", folder, *words)
    assert done.exit_code == 1, done.output
    assert "has no task" in done.stderr
    scores = json.loads(done.stdout)
    assert (scores["sessions"], scores["successes"], scores["skipped"]) == (1, 1, 1)
    assert list(scores["per_task"]) == ["pick_cool_then_place_in_recep"]
    rows = map(json.loads, (tmp_path / "run" / "results.jsonl").read_text().splitlines())
    (row,) = (row for row in rows if not row["skipped"])
    assert (row["benchmark"], row["split"]) == ("alfred", "valid_unseen")
    assert row["after"] == {"total": 3, "met": 3}
    assert row["human_actions"] == 1
    report = run_tatc("report", tmp_path / "run")
    assert "pick_cool_then_place_in_recep" in report.stdout
    assert "TEACh %" not in report.stdout
    assert "pooled (ALFRED's code)" in report.stdout
    page = tmp_path / "report.html"
    assert run_tatc("report", tmp_path / "run", "--html", page).exit_code == 0
    html = page.read_text()
    assert "actions of ALFRED" in html
    assert "TEACh %" not in html


@pytest.fixture(scope="module")
def acted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a generated trajectory: what it records is what the rule pair did in its room."""
    [path] = generate(tmp_path_factory.mktemp("acted") / "set", "cool", 1)
    return path


def test_check_replays_the_recorded_actions(acted: Path) -> None:
    done = run_tatc("check", acted, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["task"] == "pick_cool_then_place_in_recep"
    assert found["initial"]["success"] is False
    assert found["final"] == {"success": True, "gc_total": 3, "gc_sat": 3}


def test_check_takes_the_furniture_of_plans(tmp_path: Path, plans: Path) -> None:
    done = run_tatc("check", _write(tmp_path, _cool()), "--plans", plans, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["initial"]["gc_total"] == 3


def test_fidelity_counts_what_the_world_allows(acted: Path) -> None:
    done = run_tatc("fidelity", acted, "--plans", acted, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["scenes"]["built"] == {"n": 1, "rate": 1.0}
    assert found["moves"]["accepted"]["rate"] == 1.0
    assert found["interactions"]["succeeded"]["rate"] == 1.0
    assert found["ends"]["named"] == {"n": 1, "rate": 1.0}
    assert found["controls"]["refused"]["n"] == found["interactions"]["succeeded"]["n"]
    assert found["controls"]["refused"]["rate"] > 0.5
    assert found["masks"]["n"] == found["interactions"]["succeeded"]["n"]


def test_scene_is_built_though_the_task_lacks_something(tmp_path: Path, plans: Path) -> None:
    raw = sample_trajectory()
    raw["pddl_params"]["parent_target"] = "Bed"
    done = run_tatc("fidelity", _write(tmp_path, raw), "--plans", plans, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["scenes"]["built"] == {"n": 1, "rate": 1.0}
    assert found["ends"]["named"] == {"n": 1, "rate": 0.0}


def _move_to_plan_8(raw: Json) -> None:
    raw["scene"].update(floor_plan="FloorPlan8", scene_num=8)


@pytest.mark.parametrize(
    ("change", "words", "why"),
    [
        (_move_to_plan_8, ("plans",), "FloorPlan8"),
        (lambda raw: raw["pddl_params"].update(parent_target="Bed"), ("plans",), "needs a Bed"),
        (lambda raw: None, ("plans", "--task", "coffee"), "brings its own task"),
        (lambda raw: None, ("plans", "--room", "kitchen-01"), "brings its own room"),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, plans: Path, change: Any, words: tuple[str, ...], why: str
) -> None:
    raw = sample_trajectory()
    change(raw)
    path = _write(tmp_path, raw)
    given = ("--plans", plans, *words[1:])
    done = run_tatc("run", "--game", path, "--no-save", *given)
    assert done.exit_code == 2
    assert why in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("subgoals", [(), ("--subgoals", "all")])
def test_trajectories_are_skipped_in_the_world_of_ai2thor(
    tmp_path: Path, plans: Path, subgoals: tuple[str, ...]
) -> None:
    pytest.importorskip("ai2thor", reason="needs the extra: thor")
    words = ("--plans", plans, "--sim", "thor", "--out", tmp_path / "run", *subgoals)
    done = run_tatc("eval", _write(tmp_path, _cool()), *words)
    assert done.exit_code == 1, done.output
    assert "run in tatc's own world alone" in done.stderr
