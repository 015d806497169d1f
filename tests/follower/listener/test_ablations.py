"""The listener's controls lack the part that they are named for, and nothing else."""

import pytest

from tatc.follower.listener.ablations import ListenerWithoutHints
from tatc.follower.listener.follower import ListenerFollower
from tatc.home.actions import Role, Utterance
from tatc.home.observation import Observation
from tatc.session.agents.agent_names import CONTROL_FOLLOWERS
from tatc.session.agents.agents import follower_factory
from tests.follower.listener.homes import Home, opening

SAID = Utterance(Role.COMMANDER, "make a coffee please. the mug is in the cabinet", 0.0)


def test_one_hears_where_things_are_and_the_other_does_not() -> None:
    home = Home(opening("coffee").scene)
    hints: list[list[str]] = []
    for follower in (ListenerFollower(), ListenerWithoutHints()):
        follower.act(Observation((SAID,), None, percepts=home.perception.view))
        hints.append([each.place for each in follower.explorer.hints])
        assert follower.current_belief().goal is not None, "both understand what is wanted"
    assert hints == [["Cabinet"], []]


@pytest.mark.parametrize("name", CONTROL_FOLLOWERS)
def test_a_control_is_named_as_any_follower(name: str) -> None:
    made = follower_factory(name)
    assert issubclass(made, ListenerFollower) and made.traits.perceives  # pyright: ignore[reportArgumentType]
