"""The level at which the Follower of a run perceives, in sessions and in instances."""

from collections.abc import Iterable
from dataclasses import replace

from tatc.base.errors import BadInput
from tatc.evaluation.instances.instance_players import player_class
from tatc.evaluation.runs.eval_options import TATC, EvalOptions
from tatc.home.agent_traits import traits_of
from tatc.session.agents.resolve import level_for_follower, resolve_agents
from tatc.session.agents.session_setup import SessionSetup


def with_perception(options: EvalOptions) -> EvalOptions:
    """Return the options with the level at which the Follower perceives, if it does."""
    setup = options.setup
    if options.kind == TATC:
        return replace(options, setup=resolve_agents(setup).setup)
    level = level_for_follower(setup.perception, player_class(setup.follower), setup.follower)
    return replace(options, setup=replace(setup, perception=level))


def for_follower(options: EvalOptions) -> EvalOptions:
    """Return the options with the level, and without what the Follower does not use.

    That is a level for one that does not perceive, and named goals for one that recalls none.
    """
    setup, traits = options.setup, traits_of(player_class(options.setup.follower))
    if not traits.recalls_names:
        setup = setup.with_settings(goals=None)
    if traits.perceives:
        return with_perception(replace(options, setup=setup))
    return replace(options, setup=replace(setup, perception=None))


def check_one_uses(setup: SessionSetup, followers: Iterable[str]) -> None:
    """Check that a level or named goals are given only if one of several Followers uses them."""
    traits = [traits_of(player_class(each)) for each in followers]
    if setup.perception is not None and not any(each.perceives for each in traits):
        why = "none of the Followers perceives: they use no percepts"
        raise BadInput(why, where="--perception", fix="leave it out, or name another --follower")
    if setup.get("goals") is not None and not any(each.recalls_names for each in traits):
        why = "none of the Followers reads dialogue that could recall a name"
        raise BadInput(why, where="--goals", fix="leave it out, or name --follower listener")
