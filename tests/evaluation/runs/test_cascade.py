"""Cascaded evaluation: a Follower put in at every instruction of a session."""

import json
from pathlib import Path

import pytest

from tatc.base.errors import BadInput
from tatc.evaluation.runs.job_runners import instruction_states, run_from_state
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import find_session_start, make_simulator, prepare
from tests.command_line import run_tatc


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
    assert last.success and last.start is states[-1]
    with pytest.raises(BadInput, match="no budget of questions"):
        prepare(SessionSetup().with_settings(questions=1))


@pytest.mark.parametrize("follower", ["rule", "random"])
def test_who_listens_finishes_from_everywhere(follower: str, tmp_path: Path) -> None:
    words = ("--room", "kitchen-01", "--tasks", "coffee", "--cascaded", "--json")
    done = run_tatc("eval", *words, "--follower", follower, "--out", tmp_path)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["cascaded"]
    assert found["starts"] > 1
    assert (found["finished"] == found["starts"]) is (follower == "rule")
    assert found["reached_rate"] == 1.0 if follower == "rule" else found["reached_rate"] < 0.5
