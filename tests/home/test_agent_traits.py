"""What agents say of themselves, and what those that say nothing show."""

from functools import partial
from typing import Any

import pytest

from tatc.commander.speaker import SpeakerCommander
from tatc.follower import RuleFollower
from tatc.follower.listener.ablations import ListenerWithoutHints, ListenerWithoutMemory
from tatc.follower.listener.follower import ListenerFollower
from tatc.home.agent_traits import AgentTraits, traits_of
from tatc.session.text_world.model_agents import ModelCommander, ModelFollower


class PlugIn:
    """Declares nothing, as a class that follows the tutorial."""

    perceives = True
    view_side_pixels = 60
    draws = False

    def __init__(self, questions: int = 3, read: object = None) -> None:
        self.given = questions, read

    def take_goal(self, goal: object) -> None: ...
    def current_belief(self) -> None: ...


class NoNames(PlugIn):
    recalls_names = False


class Quiet(ListenerFollower):
    def __init__(self) -> None:
        super().__init__(questions=0)


def test_a_class_that_declares_nothing_has_the_traits_that_it_shows() -> None:
    assert traits_of(PlugIn) == AgentTraits(
        perceives=True,
        view_side_pixels=60,
        draws=False,
        reads=True,
        recalls_names=True,
        settings=("questions",),
        believes=True,
        takes_goal=True,
    )
    assert not traits_of(NoNames).recalls_names
    assert traits_of(RuleFollower) == AgentTraits()


@pytest.mark.parametrize("wrap", [lambda made: made, partial, lambda made: partial(made)()])
def test_a_class_what_makes_it_and_its_instance_have_the_same_declared_traits(wrap: Any) -> None:
    assert traits_of(wrap(ListenerFollower)) == ListenerFollower.traits
    assert traits_of(wrap(SpeakerCommander)).settings == ("speaker_seed", "typos")


def test_a_function_shows_what_its_attributes_say() -> None:
    def make() -> PlugIn:
        return PlugIn()

    assert traits_of(make) == AgentTraits()
    make.perceives = True  # type: ignore[attr-defined]
    assert traits_of(make) == AgentTraits(perceives=True)


def test_a_subclass_with_a_constructor_of_its_own_takes_what_that_takes() -> None:
    quiet = traits_of(Quiet)
    assert (quiet.settings, quiet.reads, quiet.recalls_names) == ((), False, False)
    assert quiet.perceives and quiet.believes
    assert traits_of(ListenerWithoutHints) == ListenerFollower.traits
    assert not traits_of(ListenerWithoutMemory).recalls_names


def test_agents_that_a_model_plays_leave_notes_and_take_no_settings() -> None:
    for made in (ModelFollower, ModelCommander):
        traits = traits_of(made)
        assert traits.notes and not traits.settings and not traits.reads
