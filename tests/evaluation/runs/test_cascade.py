"""Cascaded evaluation: a Follower put in at every instruction of a session."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import BadInput
from tatc.evaluation.runs.job_runners import instruction_states, run_from_state
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import find_session_start, make_simulator, prepare
from tests.command_line import run_tatc

ARGUMENTS = ("eval", "--room", "kitchen-01", "--tasks", "coffee", "--cascaded", "--json")


def _run_cascaded(out: Path, *words: str) -> dict[str, Any]:
    done = run_tatc(*ARGUMENTS, "--out", out, *words)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_starts_follow_the_session_and_leave_less_and_less() -> None:
    opening = find_session_start(
        task="coffee", room="kitchen-01", game=None, params=(), seed=1, task_folders=()
    )
    sim, _ = make_simulator(opening, SessionSetup())
    states = instruction_states(sim, opening, SessionSetup())
    assert len(states) > 1
    assert states[0].follower == opening.scene.initial.follower
    met = [opening.task.check(each).goal_conditions_satisfied for each in states]
    assert met == sorted(met)
    last = run_from_state(sim, opening, prepare(SessionSetup()), states[-1])
    assert (last.unmet_after, last.result.success) == (0, True)
    assert last.result.start is states[-1]
    with pytest.raises(BadInput, match="no budget of questions"):
        prepare(SessionSetup().with_settings(questions=1))


def test_the_rule_follower_finishes_from_everywhere(tmp_path: Path) -> None:
    found = _run_cascaded(tmp_path)["cascaded"]
    assert found["starts"] == found["finished"] > 1
    assert found["reached_rate"] == 1.0


def test_a_follower_that_listens_to_nobody_does_not(tmp_path: Path) -> None:
    found = _run_cascaded(tmp_path, "--follower", "random")["cascaded"]
    assert found["starts"] > 1
    assert found["finished"] < found["starts"]
    assert found["reached_rate"] < 0.5
