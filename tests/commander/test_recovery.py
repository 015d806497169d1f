"""Recovery: failures teach, troubles are taken away, and every loop has an end."""

import pytest

from tatc.actions import Action, ActionResult, Role, Verb
from tatc.commander import CommanderView, RuleCommander
from tatc.commander.knowledge import Knowledge
from tatc.commander.recovery import Said, alternatives, learn
from tatc.commander.trouble import Reason, Trouble
from tatc.errors import UsageError
from tatc.follower import RuleFollower
from tatc.language import Report, Step
from tatc.records import End
from tatc.session import run_session
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.tdl import ProblemKey, shipped_library
from tests.commander.test_draft import open_kitchen
from tests.sim.scenes import kitchen

KEY = ProblemKey("", "Mug", "a", "parentReceptacles", "Sink")


def test_a_blocked_way_is_remembered():
    sim, known, _ = open_kitchen()
    sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    known.refresh()
    learn(Report(Step(Verb.FORWARD), "is blocking"), (), known)
    assert known.memory.blocked == {(1, 0)}
    learn(Report(Step(Verb.PAN_LEFT), "is blocking"), (), known)
    assert known.memory.blocked == {(1, 0), (0, 1)}


@pytest.mark.parametrize(
    ("why", "tries"),
    [("CanPickup to be picked up", 1), ("somehow it did not work", 3)],
)
def test_a_failed_click_is_tried_from_elsewhere_and_then_ruled_out(why, tries):
    _, known, ids = open_kitchen()
    attempt = (Verb.PICKUP, ids["Mug"], "", ())
    click = Step(Verb.PICKUP, "Mug", _click())
    said = (Said(click, attempt, known.pose),)
    for n in range(tries):
        assert (attempt in known.memory.ruled_out) is False, n
        learn(Report(click, why), said, known)
    assert attempt in known.memory.ruled_out


def test_what_hides_a_thing_is_set_aside_nearest_first():
    _, known, ids = open_kitchen()
    plans = alternatives(Trouble(Reason.NO_VIEW, ids["Mug"]), KEY, known)
    moved = [plan[0].object_id for plan in plans]  # type: ignore[attr-defined]
    assert moved and ids["Mug"] not in moved
    mug = known.snapshot.get(ids["Mug"])
    first, last = known.snapshot.get(moved[0]), known.snapshot.get(moved[-1])
    assert _apart(mug, first) <= _apart(mug, last)


def test_what_the_key_itself_put_into_a_full_place_stays():
    _, known, ids = open_kitchen()
    full = Trouble(Reason.NO_ROOM, known.snapshot.get(ids["Mug"]).parentReceptacles[0])
    types = {
        known.snapshot.get(plan[0].object_id).objectType
        for plan in alternatives(full, KEY, known)
    }
    assert types and "Mug" not in types


def test_setting_aside_for_one_thing_has_an_end():
    _, known, ids = open_kitchen()
    trouble = Trouble(Reason.NO_VIEW, ids["Mug"])
    for _ in range(6):
        assert alternatives(trouble, KEY, known)
        known.memory.recovered["Mug"] += 1
    assert alternatives(trouble, KEY, known) == ()


class Stubborn(EmbeddedSimulator):
    """Refuses one verb, whatever is clicked."""

    refused: Verb = Verb.PICKUP

    def step(self, role: Role, action: Action) -> ActionResult:
        if action.verb is self.refused:
            return ActionResult(False, "somehow it did not work")
        return super().step(role, action)


@pytest.mark.parametrize("verb", [Verb.PICKUP, Verb.PLACE, Verb.TOGGLE_ON])
def test_a_world_that_always_refuses_brings_the_session_to_a_named_end(verb: Verb):
    sim = Stubborn()
    sim.refused = verb
    task = shipped_library().compile("Coffee")
    result = run_session(sim, kitchen(), task, RuleCommander(), RuleFollower())
    assert result.end in (End.GAVE_UP, End.FAILURE_LIMIT)
    assert len(result.interactions) < 1000


def test_a_commander_that_has_not_begun_says_so():
    with pytest.raises(UsageError, match="begin"):
        RuleCommander().act(CommanderView((), None))


def _click():
    from tatc.actions import Click

    return Click(0.5, 0.5)


def _apart(a, b) -> float:
    return sum((p - q) ** 2 for p, q in zip(a.box.center, b.box.center, strict=True))


def test_knowledge_needs_no_more_than_the_oracle():
    class Oracle:
        def __init__(self) -> None:
            self._sim = EmbeddedSimulator()
            self._sim.reset(kitchen())

        def snapshot(self):
            return self._sim.snapshot()

        def reachable(self):
            return self._sim.reachable()

    assert Knowledge(Oracle()).snapshot.objects
