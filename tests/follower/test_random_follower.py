"""The random Follower: any action, the same ones in every session."""

from itertools import islice

from tatc.follower.random_follower import MAX_RANDOM_COORDINATE, RandomFollower
from tatc.home.actions import FOLLOWER_VERBS, INTERACTION_VERBS, Action
from tatc.home.observation import Observation

UNSEEN = Observation((), None)


def actions(follower: RandomFollower, count: int) -> list[Action]:
    follower.begin()
    return list(islice(iter(lambda: follower.act(UNSEEN), None), count))


def test_every_session_draws_the_same_actions_and_all_verbs():
    follower = RandomFollower()
    drawn = actions(follower, 400)
    assert actions(follower, 400) == drawn == actions(RandomFollower(), 400)
    assert {action.verb for action in drawn} == set(FOLLOWER_VERBS)


def test_interactions_have_a_click_in_the_frame_and_other_actions_none():
    for action in actions(RandomFollower(), 200):
        assert (action.click is not None) == (action.verb in INTERACTION_VERBS)
        if action.click is not None:
            assert 0 <= min(action.click.x, action.click.y)
            assert max(action.click.x, action.click.y) <= MAX_RANDOM_COORDINATE
