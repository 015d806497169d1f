"""The rule Follower does what it hears, asks, reports and refuses; the random one, anything."""

from itertools import islice

from hypothesis import given, strategies as st

from tatc.follower import RuleFollower
from tatc.follower.random_follower import MAX_RANDOM_COORDINATE, RandomFollower
from tatc.home.actions import (
    FOLLOWER_VERBS,
    INTERACTION_VERBS,
    Action,
    Click,
    FailureReport,
    PrimitiveStep,
    Role,
    Utterance,
    Verb,
)
from tatc.home.observation import Observation, ObservedResult
from tatc.home.refusals import RefusalCode
from tatc.language import InstructionRequest, NotUnderstood, Stretch, TaskDone, hear, say

PICKUP = PrimitiveStep(Verb.PICKUP, "Mug", Click(0.57, 0.25))
OK = ObservedResult(True)


def see(*texts: str, last: ObservedResult | None = None, by: Role = Role.COMMANDER) -> Observation:
    return Observation(tuple(Utterance(by, text, 0.0) for text in texts), last)


def told(action: Action):
    assert action.verb is Verb.TEXT and action.text is not None
    return hear(action.text)


def test_it_asks_first_and_again_when_all_is_done():
    follower = RuleFollower()
    assert told(follower.act(see())) == InstructionRequest()
    assert follower.act(see("Forward")) == Action(Verb.FORWARD)
    assert told(follower.act(see(last=OK))) == InstructionRequest()


@given(st.lists(st.sampled_from(["Forward", "TurnLeft", "LookDown"]), min_size=1))
def test_it_does_each_word_once_and_in_order(words: list[str]):
    follower = RuleFollower()
    heard = hear(" ".join(words))
    assert isinstance(heard, Stretch)
    first = follower.act(see(" ".join(words)))
    rest = [follower.act(see(last=OK)) for _ in words[1:]]
    assert [first, *rest] == [step.action for step in heard.steps]
    assert told(follower.act(see(last=OK))) == InstructionRequest()


def test_a_failure_drops_the_rest_and_is_reported_with_its_reason():
    follower = RuleFollower()
    follower.act(see(f"{say(Stretch((PICKUP,)))} Forward Forward"))
    report = told(follower.act(see(last=ObservedResult(False, RefusalCode.TARGET_TOO_FAR))))
    assert report == FailureReport(PICKUP, "target too far")
    assert told(follower.act(see())) == InstructionRequest()


def test_a_failure_that_was_not_its_own_step_is_not_reported():
    follower = RuleFollower()
    refused = ObservedResult(False, RefusalCode.PATH_BLOCKED)
    assert told(follower.act(see(last=refused))) == InstructionRequest()


def test_it_refuses_what_it_does_not_know_and_does_none_of_it():
    follower = RuleFollower()
    assert told(follower.act(see("Forward Dance"))) == NotUnderstood("Dance")
    assert told(follower.act(see())) == InstructionRequest()


def test_a_question_from_the_commander_is_refused():
    follower = RuleFollower()
    asked = say(InstructionRequest())
    assert told(follower.act(see(asked))) == NotUnderstood(asked)


def test_it_does_not_obey_its_own_words():
    follower = RuleFollower()
    assert told(follower.act(see("Forward", by=Role.FOLLOWER))) == InstructionRequest()


def test_it_stops_when_all_is_done():
    follower = RuleFollower()
    assert follower.act(see(say(TaskDone()))) == Action(Verb.STOP)


def test_begin_forgets_the_queue():
    follower = RuleFollower()
    follower.act(see("Forward Forward"))
    follower.begin()
    assert told(follower.act(see(last=OK))) == InstructionRequest()


def drawn_actions(follower: RandomFollower, count: int) -> list[Action]:
    follower.begin()
    return list(islice(iter(lambda: follower.act(see()), None), count))


def test_every_session_draws_the_same_actions_and_all_verbs():
    follower = RandomFollower()
    drawn = drawn_actions(follower, 400)
    assert drawn_actions(follower, 400) == drawn == drawn_actions(RandomFollower(), 400)
    assert {action.verb for action in drawn} == set(FOLLOWER_VERBS)


def test_interactions_have_a_click_in_the_frame_and_other_actions_none():
    for action in drawn_actions(RandomFollower(), 200):
        assert (action.click is not None) == (action.verb in INTERACTION_VERBS)
        if action.click is not None:
            assert 0 <= min(action.click.x, action.click.y)
            assert max(action.click.x, action.click.y) <= MAX_RANDOM_COORDINATE
