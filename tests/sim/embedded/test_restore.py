"""Going back to a snapshot is exact, whatever happened since."""

from hypothesis import given, settings, strategies as st

from tatc.home.actions import (
    INTERACTION_VERBS,
    MOTION_VERBS,
    Action,
    ActionResult,
    Click,
    Role,
    Verb,
)
from tatc.home.state import Snapshot
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.sim.box_kitchen import kitchen
from tests.sim.conformance import SimulatorDriver

FRACTIONS = st.floats(0.0, 0.999)
CLICKS = st.builds(Click, FRACTIONS, FRACTIONS)
ACTIONS = st.one_of(
    st.builds(Action, st.sampled_from(MOTION_VERBS)),
    st.builds(Action, st.sampled_from(INTERACTION_VERBS), CLICKS),
)
PLANS = st.lists(ACTIONS, max_size=25)


def run(sim: EmbeddedSimulator, plan: list[Action]) -> tuple[list[ActionResult], list[Snapshot]]:
    results = [sim.step(Role.FOLLOWER, action) for action in plan]
    return results, [sim.snapshot()]


def simulator_in_use() -> EmbeddedSimulator:
    """Return a world where bread is cut, a drawer open and a knife in hand."""
    sim = EmbeddedSimulator()
    hand = SimulatorDriver(sim, kitchen())
    hand.open_drawer()
    hand.do_successfully(Verb.PICKUP, "Knife")
    hand.face("south")
    hand.do_successfully(Verb.SLICE, "Bread")
    return sim


@settings(max_examples=30, deadline=None)
@given(first=PLANS, second=PLANS)
def test_the_same_actions_give_the_same_after_a_restore(first: list[Action], second: list[Action]):
    sim = simulator_in_use()
    run(sim, first)
    kept = sim.snapshot()
    once = run(sim, second)
    sim.restore(kept)
    assert sim.snapshot() == kept
    assert run(sim, second) == once


@settings(max_examples=15, deadline=None)
@given(plan=PLANS)
def test_a_restored_world_is_like_one_that_never_went_on(plan: list[Action]):
    went_on, fresh = simulator_in_use(), simulator_in_use()
    kept = went_on.snapshot()
    run(went_on, [Action(Verb.TURN_RIGHT), *plan])
    went_on.restore(kept)
    assert run(went_on, plan) == run(fresh, plan)


def test_an_object_that_a_start_lists_twice_is_there_once():
    [mug] = kitchen().initial.of_type("Mug")
    sim = EmbeddedSimulator()
    driver = SimulatorDriver(sim, kitchen(mug))
    assert len(sim.snapshot().of_type("Mug")) == 1
    driver.do_successfully(Verb.PICKUP, "Mug")
    assert [each.objectId for each in sim.snapshot().objects if each.isPickedUp] == [mug.objectId]
    assert sim.frame(Role.FOLLOWER) is not None


def test_slices_can_be_taken_back_and_made_again():
    sim = EmbeddedSimulator()
    hand = SimulatorDriver(sim, kitchen())
    hand.do_successfully(Verb.PICKUP, "Knife")
    hand.face("south")
    kept = sim.snapshot()
    hand.do_successfully(Verb.SLICE, "Tomato")
    sim.restore(kept)
    assert sim.snapshot().of_type("TomatoSliced") == ()
    hand.do_successfully(Verb.SLICE, "Potato")
    pieces = sim.snapshot().of_type("PotatoSliced")
    assert hand.do_to_type(Verb.SLICE, "Tomato").success and pieces


def test_slices_in_the_hand_are_in_nobodys_sight_in_a_fresh_world_either():
    sim, fresh = EmbeddedSimulator(), EmbeddedSimulator()
    fresh.reset(kitchen())
    [plate], [tomato] = (sim.reset(kitchen()).of_type(k) for k in ("Plate", "Tomato"))
    sim.apply_recorded_effect(Action(Verb.PICKUP), tomato.objectId)
    sim.apply_recorded_effect(Action(Verb.PLACE), plate.objectId)
    sim.apply_recorded_effect(Action(Verb.SLICE), tomato.objectId)
    sim.apply_recorded_effect(Action(Verb.PICKUP), plate.objectId)
    assert len(sim.snapshot().of_type("TomatoSliced")) > 1
    fresh.restore(sim.snapshot())
    clicks = [Click(x / 24, y / 24) for x in range(24) for y in range(24)]
    assert [fresh.first_hit(click) for click in clicks] == [sim.first_hit(c) for c in clicks]
