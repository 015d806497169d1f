"""The listener's controls lack the part that they are named for, and nothing else."""

import pytest

from tatc.follower.listener.ablations import (
    ListenerWithoutHints,
    RandomExplorer,
    RandomSearchListener,
)
from tatc.follower.listener.exploration import Explorer
from tatc.follower.listener.follower import ListenerFollower
from tatc.home.actions import Role, Utterance
from tatc.home.observation import Observation
from tatc.session.agents.agent_names import CONTROL_FOLLOWERS
from tatc.session.agents.agents import follower_factory
from tatc.session.start import SessionStart
from tests.follower.listener.homes import Home, looked_around, opening

SAID = Utterance(Role.COMMANDER, "make a coffee please. the mug is in the cabinet", 0.0)


def test_one_hears_where_things_are_and_the_other_does_not() -> None:
    home = Home(opening("coffee").scene)
    hints: list[list[str]] = []
    for follower in (ListenerFollower(), ListenerWithoutHints()):
        follower.act(Observation((SAID,), None, percepts=home.perception.view))
        hints.append([each.place for each in follower.explorer.hints])
        assert follower.current_belief().goal is not None, "both understand what is wanted"
    assert hints == [["Cabinet"], []]


def test_a_random_search_finds_things_in_any_order() -> None:
    start, follower = opening("coffee", "kitchen-01", 2), RandomSearchListener()
    follower.take_goal(start.task)
    follower.begin()
    home = Home(start.scene)
    home.play(follower)
    assert start.task.check(home.sim.capture()).success
    orders = [_order_of_places(start, made) for made in (Explorer, RandomExplorer)]
    assert orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1])
    assert _order_of_places(start, RandomExplorer) == orders[1], "the same twice"


def _order_of_places(start: SessionStart, made: type[Explorer]) -> list[str]:
    """Return the order in which an explorer would search what is in view at the start."""
    _, belief = looked_around(start)
    return [each.objectId for each in made(belief).ranked_places(("Mug",))]


@pytest.mark.parametrize("name", CONTROL_FOLLOWERS)
def test_a_control_is_named_as_any_follower(name: str) -> None:
    made = follower_factory(name)
    assert issubclass(made, ListenerFollower) and made.traits.perceives  # pyright: ignore[reportArgumentType]
