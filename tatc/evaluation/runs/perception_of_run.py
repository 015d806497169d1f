"""The level at which the Follower of a run perceives, in sessions and in instances."""

from collections.abc import Iterable
from dataclasses import replace

from tatc.base.errors import BadInput
from tatc.evaluation.instances.instance_players import player_class
from tatc.evaluation.runs.eval_options import TATC, EvalOptions
from tatc.session.agents.dialogue_readers import recalls_names
from tatc.session.agents.perception_levels import level_for_follower, perceives
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.runner import setup_with_perception


def with_perception(options: EvalOptions) -> EvalOptions:
    """Return the options with the level at which the Follower perceives, if it does."""
    setup = options.setup
    if options.kind == TATC:
        return replace(options, setup=setup_with_perception(setup))
    level = level_for_follower(setup.perception, player_class(setup.follower), setup.follower)
    return replace(options, setup=replace(setup, perception=level))


def with_perception_if_any(options: EvalOptions) -> EvalOptions:
    """Return the options with the level, and with none for a Follower that does not perceive."""
    if perceives(player_class(options.setup.follower)):
        return with_perception(options)
    return replace(options, setup=replace(options.setup, perception=None))


def check_one_perceives(options: EvalOptions, followers: list[str]) -> None:
    """Check that a level is named only if one of several Followers perceives."""
    if options.setup.perception is None or any(perceives(player_class(f)) for f in followers):
        return
    why = "none of the Followers perceives: they use no percepts"
    raise BadInput(why, where="--perception", fix="leave it out, or name another --follower")


# The memory of names that the Followers of a comparison know.


def with_memory_if_any(setup: SessionSetup) -> SessionSetup:
    """Return the setup, without its memory for a Follower that recalls no names."""
    if setup.memory is None or recalls_names(player_class(setup.follower)):
        return setup
    return replace(setup, memory=None)


def check_one_recalls(setup: SessionSetup, followers: Iterable[str]) -> None:
    """Check that a memory is named only if one of several Followers can recall names from it."""
    if setup.memory is None or any(recalls_names(player_class(each)) for each in followers):
        return
    why = "none of the Followers reads dialogue that could recall a name"
    raise BadInput(why, where="--memory", fix="leave it out, or name --follower listener")
