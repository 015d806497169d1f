"""Breakpoints: where each kind stops, what none is, and the file they are kept in."""

from itertools import pairwise
from pathlib import Path

import pytest

from tatc.apps.debugger.breakpoints import Breakpoints, read_breakpoint
from tatc.apps.debugger.debugger import Debugger
from tatc.base.errors import BadInput
from tatc.home.actions import Role, Verb
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.timeline import Moment
from tests.apps.debugger.debug_sessions import start_debugger

NOISE = 0.3
"""How often a primitive fails: in a session as short as this one, some do."""


@pytest.fixture(scope="module")
def noisy() -> Debugger:
    """Return a session in which some primitives fail."""
    debugger = start_debugger(SessionSetup(noise=NOISE))
    debugger.go_to(10_000)
    return debugger


def _hits(debugger: Debugger, line: str) -> list[tuple[Moment, Moment]]:
    test, moments = read_breakpoint(line).test, debugger.moments
    pairs = pairwise(moments)
    return [(before, after) for before, after in pairs if test(before, after)]


def _satisfied(moment: Moment) -> int:
    return moment.progress.goal_conditions_satisfied


def test_failed_stops_at_every_refusal_and_nowhere_else(noisy: Debugger):
    hits = [after for _, after in _hits(noisy, "failed")]
    assert hits and hits == [m for m in noisy.moments if m.failed]
    verb = hits[0].interaction.verb
    assert hits[0] in [after for _, after in _hits(noisy, f"failed {verb}")]
    quiet = set(Verb) - {moment.interaction.verb for moment in hits}
    assert not any(_hits(noisy, f"failed {verb}") for verb in sorted(quiet))


def test_goals_gained_and_lost_are_told_apart(noisy: Debugger):
    gained, lost = _hits(noisy, "goal gained"), _hits(noisy, "goal lost")
    assert gained and all(_satisfied(a) < _satisfied(b) for a, b in gained)
    assert all(_satisfied(a) > _satisfied(b) for a, b in lost)
    assert len(_hits(noisy, "goal")) == len(gained) + len(lost)
    assert [b.index for _, b in _hits(noisy, "step 7")] == [7]


def test_words_match_whoever_says_them(noisy: Debugger):
    said = [b for _, b in _hits(noisy, "says what should")]
    assert said and all(b.interaction.role is Role.FOLLOWER for b in said)
    assert [b for _, b in _hits(noisy, "says ^we are done")] == [noisy.moments[-1]]


def test_a_problem_key_a_policy_and_a_skill_stop_where_they_are_taken_up(noisy: Debugger):
    for line in ("key simbotIsFilledWithCoffee", "policy Coffee", "skill HeatIn"):
        hits = _hits(noisy, line)
        assert hits, line
        for before, after in hits:
            assert after.interaction.role is Role.COMMANDER
            assert after.decision is not before.decision
    assert not _hits(noisy, "key isSliced")


def test_an_objects_property_stops_where_it_changes(noisy: Debugger):
    picked = _hits(noisy, "object Mug.isPickedUp=True")
    assert picked
    for before, after in picked:
        assert before.snapshot.held_object() is None
        assert after.snapshot.held_object().objectType == "Mug"
    assert len(_hits(noisy, "object Mug.isPickedUp")) > len(picked)
    mug = picked[0][1].snapshot.held_object().objectId
    assert _hits(noisy, f"object {mug}.isPickedUp=True") == picked


def test_a_run_stops_and_says_why(noisy: Debugger):
    first = next(m for m in noisy.moments if m.failed)
    points = Breakpoints()
    points.add("failed")
    debugger = start_debugger(SessionSetup(noise=NOISE), breakpoints=points)
    stop = debugger.run(10_000)
    assert stop is not None and stop.index == debugger.at == first.index
    verb = first.interaction.verb
    assert stop.reason == f"breakpoint 1 (failed): {verb} failed: The action failed by chance"
    points.add("policy simbotIsFilledWithCoffee")
    stop = start_debugger(SessionSetup(), breakpoints=points).run(10_000)
    assert stop is not None and stop.reason == "breakpoint 2: policy: simbotIsFilledWithCoffee"
    points.remove(2)
    points.toggle(1)
    assert debugger.run(10_000).reason == "the end: success"
    points.toggle(1)
    last = [m.index for m in noisy.moments if m.failed][-1]
    assert debugger.run_back().index == last


def test_a_run_may_stop_at_a_condition_of_its_own():
    debugger = start_debugger()
    stop = debugger.run(10_000, read_breakpoint("object Mug.isPickedUp"))
    assert stop is not None and "isPickedUp False becomes True" in stop.reason
    assert debugger.moment.interaction.verb is Verb.PICKUP


def test_they_are_kept_in_a_file(tmp_path: Path):
    path = tmp_path / "config" / "breakpoints.txt"
    points = Breakpoints(path)
    points.add("failed  Pickup")
    points.add("goal lost")
    points.toggle(1)
    assert path.read_text() == "off failed Pickup\ngoal lost\n"
    again = Breakpoints(path)
    kept = [(each.text, each.on) for each in again.all]
    assert kept == [("failed Pickup", False), ("goal lost", True)]
    again.remove(1)
    again.add("goal lost")
    assert path.read_text() == "goal lost\n"


def test_they_belong_to_a_session_unless_they_are_global(tmp_path: Path):
    path = tmp_path / "breakpoints.txt"
    one = Breakpoints(path, "kitchen-01_coffee_1")
    one.add("failed")
    one.toggle(1)
    one.add("global goal lost")
    other = Breakpoints(path, "kitchen-02_coffee_1")
    assert [each.text for each in other.all] == ["goal lost"]
    other.add("step 4")
    other.remove(1)
    again = Breakpoints(path, "kitchen-01_coffee_1")
    assert [(each.text, each.on, each.is_global) for each in again.all] == [
        ("failed", False, False)
    ]
    assert [each.text for each in Breakpoints(path, "kitchen-02_coffee_1").all] == ["step 4"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "unknown breakpoint ''"),
        ("faild", "unknown breakpoint 'faild'.*did you mean 'failed'"),
        ("failed Pikcup", "unknown action 'Pikcup'.*'Pickup'"),
        ("says", "says needs a pattern"),
        ("says (", "is not a regular expression"),
        ("goal scored", "gained or lost"),
        ("object Mug", "no property"),
        ("object Mug.isDirtty", "unknown property 'isDirtty'.*'isDirty'"),
        ("step soon", "is not a step number"),
    ],
)
def test_what_is_no_breakpoint_is_refused_in_words(line: str, why: str):
    with pytest.raises(BadInput, match=why):
        Breakpoints().add(line)
    with pytest.raises(BadInput, match="no breakpoint 1: there are none"):
        Breakpoints().toggle(1)
