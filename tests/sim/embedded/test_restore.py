"""Going back to a snapshot is exact, whatever happened since."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tatc.actions import INTERACTIONS, MOTIONS, Action, ActionResult, Click, Role, Verb
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import Snapshot
from tests.sim.conformance import Hand
from tests.sim.scenes import kitchen

FRACTIONS = st.floats(0.0, 0.999)
CLICKS = st.builds(Click, FRACTIONS, FRACTIONS)
ACTIONS = st.one_of(
    st.builds(Action, st.sampled_from(MOTIONS)),
    st.builds(Action, st.sampled_from(INTERACTIONS), CLICKS),
)
PLANS = st.lists(ACTIONS, max_size=25)


def run(
    sim: EmbeddedSimulator, plan: list[Action]
) -> tuple[list[ActionResult], list[Snapshot]]:
    results = [sim.step(Role.FOLLOWER, action) for action in plan]
    return results, [sim.snapshot()]


def busy() -> EmbeddedSimulator:
    """Return a world where bread is cut, a drawer open and a knife in hand."""
    sim = EmbeddedSimulator()
    hand = Hand(sim, kitchen())
    hand.open_drawer()
    hand.must(Verb.PICKUP, "Knife")
    hand.look("south")
    hand.must(Verb.SLICE, "Bread")
    return sim


@settings(max_examples=60, deadline=None)
@given(first=PLANS, second=PLANS)
def test_the_same_actions_give_the_same_after_a_restore(
    first: list[Action], second: list[Action]
):
    sim = busy()
    run(sim, first)
    kept = sim.snapshot()
    once = run(sim, second)
    sim.restore(kept)
    assert sim.snapshot() == kept
    assert run(sim, second) == once


@settings(max_examples=30, deadline=None)
@given(plan=PLANS)
def test_a_restored_world_is_like_one_that_never_went_on(plan: list[Action]):
    went_on, fresh = busy(), busy()
    kept = went_on.snapshot()
    Hand.look(_hand(went_on), "west")
    run(went_on, plan)
    went_on.restore(kept)
    assert run(went_on, plan) == run(fresh, plan)


def _hand(sim: EmbeddedSimulator) -> Hand:
    hand = object.__new__(Hand)
    hand.sim, hand.heading = sim, "south"
    return hand


def test_slices_can_be_taken_back_and_made_again():
    sim = EmbeddedSimulator()
    hand = Hand(sim, kitchen())
    hand.must(Verb.PICKUP, "Knife")
    hand.look("south")
    kept = sim.snapshot()
    hand.must(Verb.SLICE, "Tomato")
    sim.restore(kept)
    assert sim.snapshot().of_type("TomatoSliced") == ()
    hand.must(Verb.SLICE, "Potato")
    pieces = sim.snapshot().of_type("PotatoSliced")
    eye_sees = hand.do(Verb.SLICE, "Tomato")
    assert eye_sees.success and pieces


def test_slices_in_the_hand_are_in_nobodys_sight_in_a_fresh_world_either():
    sim, fresh = EmbeddedSimulator(), EmbeddedSimulator()
    fresh.reset(kitchen())
    [plate], [tomato] = (sim.reset(kitchen()).of_type(k) for k in ("Plate", "Tomato"))
    sim.impose(Action(Verb.PICKUP), tomato.objectId)
    sim.impose(Action(Verb.PLACE), plate.objectId)
    sim.impose(Action(Verb.SLICE), tomato.objectId)
    sim.impose(Action(Verb.PICKUP), plate.objectId)
    assert len(sim.snapshot().of_type("TomatoSliced")) > 1
    fresh.restore(sim.snapshot())
    clicks = [Click(x / 24, y / 24) for x in range(24) for y in range(24)]
    assert [fresh.met(click) for click in clicks] == [sim.met(c) for c in clicks]
