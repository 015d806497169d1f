"""Steps of every unit, forks, acting by hand, branches, and what a crash looks like."""

import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tatc.apps.debugger.debugger import Debugger, StepUnit, is_step_start
from tatc.base.errors import BadInput
from tatc.home.actions import Action, Role, Verb
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import SessionEnd, read_record
from tatc.session.timeline import Timeline, read_finished_session
from tests.apps.debugger.debug_sessions import (
    open_finished,
    save_finished_session,
    start_debugger,
    write_follower,
)

LOOK = Action(Verb.LOOK_UP)


@pytest.fixture
def saved(tmp_path: Path) -> Debugger:
    return open_finished(save_finished_session(tmp_path / "coffee.game.json"))


def test_a_record_can_be_stepped_through_to_its_ends_and_is_not_saved_again(
    saved: Debugger, tmp_path: Path
):
    saved.go_to(10_000)
    assert saved.at == saved.branch.last
    assert saved.forward().reason == "the end: success"
    saved.go_to(0)
    assert saved.backward().reason == "this is the start"
    assert saved.at == 0
    with pytest.raises(BadInput, match="was read from a file"):
        saved.save(tmp_path / "again.game.json")


def test_a_deed_by_hand_forks_and_leaves_the_session_as_it_was():
    debugger = start_debugger()
    debugger.forward()
    assert debugger.branch.last == 1, "it goes no farther than it must"
    debugger.go_to(20)
    before = tuple(debugger.moments)
    debugger.go_to(8)
    debugger.since = debugger.at
    assert (debugger.at, debugger.branch.last) == (8, len(before) - 1)
    told = debugger.act_by_hand(Role.FOLLOWER, LOOK)
    assert told == "fork 1: the agents go on from step 8"
    assert debugger.at == 9 and debugger.moment.by_hand
    assert debugger.branch.name == "fork 1" and debugger.branch.forked_at == 8
    assert debugger.act_by_hand(Role.FOLLOWER, LOOK) == ""
    assert debugger.at == 10 and len(debugger.branches) == 2
    assert debugger.switch_branch(-1).name == "session"
    assert tuple(debugger.moments) == before
    assert debugger.since == 8, "changes are told since the step that is marked"


def test_agents_of_a_record_remember_what_was_before(saved: Debugger):
    saved.go_to(12)
    assert saved.fork() == "fork 1: the agents go on from step 12"
    saved.go_to(10_000)
    first = saved.branches[0].moments
    assert [m.interaction for m in saved.moments] == [m.interaction for m in first]


def test_agents_begin_where_people_played(sample_games: list[Path]):
    debugger = open_finished(read_finished_session(sample_games[0]))
    debugger.go_to(10)
    assert "start at step 10 and remember nothing from before" in debugger.fork()
    debugger.go_to(14)
    assert debugger.at == 14
    debugger.switch_branch(-1)
    with pytest.raises(BadInput, match="people played"):
        debugger.reload()


def test_a_fork_with_a_deed_by_hand_goes_on_and_is_saved_as_a_record(tmp_path: Path):
    debugger = start_debugger()
    debugger.go_to(8)
    debugger.act_by_hand(Role.FOLLOWER, LOOK)
    debugger.go_to(10_000)
    path = tmp_path / "fork.game.json"
    debugger.save(path)
    record = read_record(path)
    assert dict(record.options)["by_hand"] == 1
    assert debugger.branch.end is SessionEnd.SUCCESS
    assert [m.index for m in debugger.moments if m.by_hand] == [9], "then the agents go on"
    moments = Timeline.of(path).moments
    assert [m.snapshot for m in moments] == [m.snapshot for m in debugger.moments]


def test_a_crash_of_an_agent_is_an_end_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    write_follower(tmp_path, "NONSENSE")
    debugger = start_debugger(SessionSetup(follower="mine:Mine"))
    sys.modules.pop("mine")  # the next test has another of this name
    debugger.forward()
    why = debugger.forward().reason
    assert why.startswith("an agent crashed: AttributeError: ")
    assert "mine.py:15" in why
    assert debugger.branch.end is SessionEnd.CRASHED
    assert debugger.at == 1


@pytest.mark.parametrize("unit", StepUnit)
def test_back_goes_where_forward_came_from(whole: Debugger, unit: StepUnit):
    whole.go_to(0)
    forth = [0]
    while True:
        stop = whole.forward(unit)
        if stop.reason:
            break
        forth.append(stop.index)
    whole.go_to(forth[-1])
    back = [forth[-1]]
    while back[-1]:
        back.append(whole.backward(unit).index)
    assert len(forth) > 2
    assert back == forth[::-1]


def test_each_unit_stops_where_something_of_it_begins(whole: Debugger):
    moments = whole.moments
    steps = range(1, len(moments))
    at = {unit: [i for i in steps if is_step_start(unit, moments, i)] for unit in StepUnit}
    assert at[StepUnit.ACTION] == list(steps)
    assert all(moments[i].utterance is not None for i in at[StepUnit.UTTERANCE])
    assert all(moments[i].is_primitive for i in at[StepUnit.PRIMITIVE])
    assert set(at[StepUnit.PROBLEM_KEY]) <= set(at[StepUnit.UTTERANCE])
    assert set(at[StepUnit.SKILL]) <= set(at[StepUnit.UTTERANCE])
    keys = [moments[i].decision for i in at[StepUnit.PROBLEM_KEY]]
    for one, other in pairwise(keys):
        assert one is not None and other is not None
        assert one.problem_key != other.problem_key
