"""Recovery: failures teach, troubles are taken away, and every loop has an end."""

from dataclasses import replace

import pytest

from tatc.actions import Action, ActionResult, Click, Role, Verb
from tatc.commander import CommanderView, RuleCommander
from tatc.commander.draft import Draft
from tatc.commander.knowledge import Knowledge
from tatc.commander.memory import Memory
from tatc.commander.recovery import Said, alternatives, learn
from tatc.commander.skills.hold import Open, SetAside
from tatc.commander.skills.switch import Swing
from tatc.commander.trouble import Reason, Trouble
from tatc.errors import UsageError
from tatc.follower import RuleFollower
from tatc.language import Report, Step
from tatc.records import End
from tatc.session import run_session
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import Pose
from tatc.tdl import ProblemKey, shipped_library
from tests.commander.test_draft import carry_out, open_kitchen
from tests.sim.scenes import kitchen

AHEAD = Pose(0.0, 0.25, 0.0, 0.0)
KEY = ProblemKey("", "Mug", "a", "parentReceptacles", "Sink")


def test_a_blocked_way_is_remembered():
    sim, known, _ = open_kitchen()
    sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    known.refresh()
    learn(Report(Step(Verb.FORWARD), "is blocking"), (), known)
    assert set(known.memory.walls) == {((0, 0), (1, 0))}
    learn(Report(Step(Verb.PAN_LEFT), "is blocking"), (), known)
    assert set(known.memory.walls) == {((0, 0), (1, 0)), ((0, 0), (0, 1))}


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


def test_a_click_of_the_followers_own_that_fails_twice_is_tried_from_elsewhere():
    _, known, ids = open_kitchen()
    attempt = (Verb.PICKUP, ids["Mug"], "", ())
    said = (Said(Step(Verb.PICKUP, "Mug", _click()), attempt, known.pose),)
    own = Step(Verb.PICKUP, "Mug", Click(0.11, 0.22))
    learn(Report(own, "CanPickup to be picked up"), said, known)
    assert not known.memory.views
    learn(Report(own, "CanPickup to be picked up"), said, known)
    assert known.memory.views == {(attempt, known.pose)}
    assert not known.memory.ruled_out


def test_what_hides_a_thing_is_set_aside():
    _, known, ids = open_kitchen()
    plans = alternatives(Trouble(Reason.NO_VIEW, ids["Mug"]), KEY, known)
    moved = [plan[0].object_id for plan in plans]  # type: ignore[attr-defined]
    assert moved and ids["Mug"] not in moved
    assert plans == tuple((SetAside(name, ids["Mug"]),) for name in moved)


def test_what_hides_a_thing_in_a_closed_place_is_seen_first():
    _, known, ids = open_kitchen()
    trouble = Trouble(Reason.NO_VIEW, ids["SaltShaker"])
    assert alternatives(trouble, KEY, known) == ((Open(ids["Drawer"]),),)


def test_an_open_drawer_is_closed_again_over_what_it_left_behind():
    sim, known, ids = open_kitchen()
    trouble = Trouble(Reason.NO_VIEW, ids["SaltShaker"])
    again = (Swing(ids["Drawer"], is_open=False),)
    draft = Draft(known)
    Open(ids["Drawer"]).plan(draft)
    before = known.snapshot.get(ids["SaltShaker"])
    assert before is not None
    left = replace(before, parentReceptacles=None)
    assert draft.get(ids["SaltShaker"]) == left
    carry_out(sim, draft)
    known.refresh()
    assert alternatives(trouble, KEY, known)[0] == again
    mug = Trouble(Reason.NO_VIEW, ids["Mug"])
    assert again not in alternatives(mug, KEY, known), "it stands on the counter"
    plant = Trouble(Reason.NO_VIEW, ids["HousePlant"])
    assert again not in alternatives(plant, KEY, known), "it is far from the drawer"


def test_an_open_door_in_the_way_is_closed_again():
    sim, known, ids = open_kitchen()
    draft = Draft(known)
    Open(ids["Drawer"]).plan(draft)
    carry_out(sim, draft)
    known.refresh()
    cell = (0, 1)
    learn(Report(Step(Verb.FORWARD), f"{ids['Drawer']} is blocking"), (), known)
    assert ids["Drawer"] in known.memory.walls.values()
    plans = alternatives(Trouble(Reason.NO_VIEW, ids["Mug"]), KEY, known)
    assert (Swing(ids["Drawer"], is_open=False),) in plans, cell


def test_a_way_past_a_door_is_free_again_when_it_is_shut():
    _, known, ids = open_kitchen()
    free = known.paths(known.pose).to(AHEAD)
    known.memory.walls[(0, 0), (0, 1)] = ids["Drawer"]
    known.refresh()
    assert known.paths(known.pose).to(AHEAD) == free, "it is shut"
    known.memory.walls[(0, 0), (0, 1)] = ids["Mug"]
    known.refresh()
    assert known.paths(known.pose).to(AHEAD) != free


def test_refusals_are_forgotten_twice_and_no_more():
    memory = Memory()
    attempt = (Verb.PICKUP, "Mug", "", ())
    for _ in range(2):
        memory.refuse(attempt, Pose(0, 0, 0, 0), budget=1)
        assert attempt in memory.ruled_out
        assert memory.forget() and not memory.ruled_out and not memory.views
    memory.refuse(attempt, Pose(0, 0, 0, 0), budget=1)
    assert not memory.forget() and attempt in memory.ruled_out


def test_nothing_learnt_is_nothing_to_forget():
    assert not Memory().forget()


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
