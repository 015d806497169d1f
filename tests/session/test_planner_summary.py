"""Who planned a session: told by the commands, kept in records, switched off on demand."""

import json
from pathlib import Path

import pytest

from tatc.session.records import RecordedDecision, read_record
from tatc.session.transcript import PlannerSummary
from tests.command_line import run_tatc

COFFEE = ("--task", "coffee", "--room", "kitchen-01")
NO_PLAN = """from tatc.commander.policies import policy


@policy("simbotIsFilledWithCoffee", override=True)
def brew(key, known):
    return ()
"""


@pytest.fixture
def without_plans(tmp_path: Path) -> Path:
    (tmp_path / "coffee.py").write_text(NO_PLAN)
    return tmp_path


def _decision(step: int, policy: str, why: str = "") -> RecordedDecision:
    return RecordedDecision(step, "", None, policy, "", "", (), 1, why)


def test_summary_counts_stretches_and_names_first_fallback() -> None:
    decisions = [_decision(1, "isDirty"), _decision(4, "pddl", "take Mug: refused twice")]
    decisions += [_decision(9, "pddl", "take Mug: refused twice"), _decision(12, "")]
    line = "policies: 1 stretch, PDDL: 2 (first at step 5: take Mug: refused twice)"
    assert str(PlannerSummary.of(decisions)) == line
    planned = PlannerSummary.of([_decision(2, "isDirty"), _decision(5, "pddl")])
    assert str(planned) == "policies: 1 stretch, PDDL: 1"
    assert planned.to_json()["first_fallback_step"] is None
    assert str(PlannerSummary.of(())) == "policies: 0 stretches, PDDL: 0"


def test_session_says_where_pddl_took_over(without_plans: Path, tmp_path: Path) -> None:
    path = tmp_path / "coffee.game.json"
    done = run_tatc("run", *COFFEE, "--policies", without_plans, "--save", path)
    assert done.exit_code == 0
    line = "(first at step 3: the policy of simbotIsFilledWithCoffee has no plan for Mug"
    assert f"policies: 0 stretches, PDDL: 1 {line}" in done.stdout
    assert read_record(path).decisions[0].fallback_reason in done.stdout
    assert line in run_tatc("replay", path).stdout
    summary = json.loads(run_tatc("replay", path, "--json").stdout)["planners"]
    assert (summary["policy_stretches"], summary["pddl_stretches"]) == (0, 1)
    assert summary["first_fallback_step"] == 3


def test_policies_alone_do_not_fall_back(without_plans: Path) -> None:
    options = ("--policies", without_plans, "--planner", "policies-only", "--no-save")
    done = run_tatc("run", *COFFEE, *options, "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["planners"]["pddl_stretches"] == 0
    words = "We have to stop: the policy of simbotIsFilledWithCoffee has no plan for Mug"
    assert words in done.stderr
    solved = run_tatc("run", *COFFEE, "--planner", "policies-only", "--no-save", "--quiet")
    assert solved.exit_code == 0
    assert "policies: 2 stretches, PDDL: 0" in solved.stdout


@pytest.mark.usefixtures("without_workers")
@pytest.mark.parametrize("command", ["eval", "compare", "debug"])
def test_other_commands_take_the_planner(command: str, tmp_path: Path) -> None:
    if command == "debug":
        words = ("debug", *COFFEE, "--print")
    else:
        words = (command, "--room", "kitchen-01", "--tasks", "coffee", "--out", tmp_path / "run")
    if command == "compare":
        words = (*words, "--follower", "rule", "--follower", "random")
    assert run_tatc(*words, "--planner", "policies-only").exit_code == 0
    refused = run_tatc(*words, "--planner", "policies-olny")
    assert refused.exit_code == 2
    assert "did you mean 'policies-only'" in refused.stderr
