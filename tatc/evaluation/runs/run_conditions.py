"""The conditions of a run: checked, fitted to its Follower, and told in words."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tatc.base.errors import BadInput, UnknownName
from tatc.evaluation.instances.instance_players import MODEL_METHODS, player_class
from tatc.evaluation.runs import eval_options
from tatc.home.agent_traits import traits_of
from tatc.session.agents import agent_names, settings
from tatc.session.agents.session_setup import SessionSetup, level_for_follower, resolve_agents


def check_conditions(options: eval_options.EvalOptions) -> None:
    """Check that goal, feedback and dialogue go with what is run and with its Follower."""
    _check_dialogue(options)
    if options.kind != eval_options.TATC and options.setup.get("questions") is not None:
        why = "--questions is for sessions: in instances a question spends a round of --feedback"
        raise BadInput(why, fix="leave it out")
    UnknownName.check("goal", options.goal, (eval_options.UNDERSTOOD_GOAL, eval_options.TRUE_GOAL))
    if options.kind != eval_options.TATC and options.setup.has_model_agent:
        why = "no language model plays in instances"
        raise BadInput(why, fix="leave out --kind, or name --follower listener")
    asked = {
        "--goal true": options.goal == eval_options.TRUE_GOAL,
        "--feedback": options.feedback > 0,
        "--dialogue": options.dialogue is not eval_options.DialogueSource.OWN,
    }
    named = next((option for option, is_named in asked.items() if is_named), None)
    if named is None or (named == "--dialogue" and options.kind == eval_options.TATC):
        return
    if options.kind == eval_options.TATC:
        raise BadInput(f"{named} is for instances", fix="add --kind edh or tfd, or leave it out")
    made: Any = player_class(options.setup.follower)
    if made is None or all(hasattr(made, method) for method in MODEL_METHODS):
        why = f"{named} is for Followers, not for models with TEACh's interface"
        raise BadInput(why, fix="leave it out")
    if options.goal == eval_options.TRUE_GOAL and not traits_of(made).takes_goal:
        why = f"the Follower {options.setup.follower} accepts no goal"
        raise BadInput(why, where="--goal", fix="leave it out, or name another --follower")


def _check_dialogue(options: eval_options.EvalOptions) -> None:
    """Check that what is said goes with what is run."""
    said, of_sessions = options.dialogue, eval_options.DIALOGUES_OF_SESSIONS
    if options.kind == eval_options.TATC and said not in of_sessions:
        raise BadInput("--dialogue is for instances", fix="add --kind edh or tfd, or leave it out")
    if options.kind != eval_options.TATC and said in of_sessions[1:]:
        why = f"--dialogue {said} is for sessions"
        raise BadInput(why, fix="name other or empty, or leave out --kind")


def with_perception(options: eval_options.EvalOptions) -> eval_options.EvalOptions:
    """Return the options with the level at which the Follower perceives, if it does."""
    setup = options.setup
    if options.kind == eval_options.TATC:
        return replace(options, setup=resolve_agents(setup).setup)
    level = level_for_follower(setup.perception, player_class(setup.follower), setup.follower)
    return replace(options, setup=replace(setup, perception=level))


def for_follower(options: eval_options.EvalOptions) -> eval_options.EvalOptions:
    """Return the options without a level or named goals where the Follower does not use them."""
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


def conditions_of_run(options: Mapping[str, Any]) -> str:
    """Return what a run's options say besides the usual, each after a comma; "" for nothing."""
    setup: Mapping[str, Any] = options.get("setup", {})
    feedback = options.get("feedback", 0)
    dialogue = options.get("dialogue", eval_options.DialogueSource.OWN)
    model: Any = setup.get("model")
    said = settings.phrases_of_identity(setup)
    heard = [said.pop(name, "") for name in ("perception", "language")]
    is_given = options.get("goal") == eval_options.TRUE_GOAL
    parts = [
        *heard,
        "the true goal given (an upper bound)" if is_given else "",
        *said.values(),
        _part_of_model(options, model["name"]) if model else "",
        f"{feedback} rounds of feedback" if feedback else "",
        _DIALOGUE_WORDS.get(dialogue, ""),
    ]
    return "".join(f", {part}" for part in parts if part)


_DIALOGUE_WORDS = {
    eval_options.DialogueSource.OTHER: "control: other dialogue",
    eval_options.DialogueSource.EMPTY: "control: empty dialogue",
    eval_options.DialogueSource.ASKS: "questions alone are answered",
    eval_options.DialogueSource.SILENT: "the task's one line alone is said",
}


def _part_of_model(options: Mapping[str, Any], name: str) -> str:
    """Return what a language model did in a run; an agent's own name may name another model."""
    agents = [options["setup"].get(role, "") for role in ("commander", "follower")]
    played = [agent for agent in agents if agent_names.is_model_agent(agent)]
    names = dict.fromkeys(agent_names.model_in_agent_name(agent) or name for agent in played)
    return f"played by {', '.join(names)}"
