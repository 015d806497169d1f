"""Checks of the conditions under which instances are played, as a user names them."""

from typing import Any

from tatc.base.errors import BadInput, UnknownName
from tatc.evaluation.instances.instance_players import MODEL_METHODS, player_class
from tatc.evaluation.runs.eval_options import TATC, TRUE_GOAL, UNDERSTOOD_GOAL, EvalOptions
from tatc.evaluation.runs.instance_dialogue import DialogueSource
from tatc.home.agent_traits import traits_of
from tatc.session.agents.agent_names import is_model_agent
from tatc.session.agents.resolve import check_reads


def parse_dialogue_source(text: str) -> DialogueSource:
    """Return the source of dialogue of this name."""
    if text not in list(DialogueSource):
        raise UnknownName("dialogue", text, (*DialogueSource,), fix="name own, other or empty")
    return DialogueSource(text)


def check_conditions(options: EvalOptions) -> None:
    """Check that goal, feedback and dialogue go with what is run and with its Follower."""
    if options.kind != TATC and options.setup.get("questions") is not None:
        why = "--questions is for sessions: in instances a question spends a round of --feedback"
        raise BadInput(why, fix="leave it out")
    if options.goal not in (UNDERSTOOD_GOAL, TRUE_GOAL):
        names = (UNDERSTOOD_GOAL, TRUE_GOAL)
        raise UnknownName("goal", options.goal, names, fix="name understood or true")
    model = options.setup.model
    if options.kind != TATC and is_model_agent(options.setup.follower):
        why = "no language model plays in instances"
        raise BadInput(why, fix="leave out --kind, or name --follower listener")
    if model is not None and options.goal == TRUE_GOAL:
        raise BadInput("--goal true leaves a model nothing to read", fix="leave out --model")
    if model is not None and options.kind != TATC:
        check_reads(player_class(options.setup.follower), options.setup.follower)
    asked = {
        "--goal true": options.goal == TRUE_GOAL,
        "--feedback": options.feedback > 0,
        "--dialogue": options.dialogue is not DialogueSource.OWN,
    }
    named = next((option for option, is_named in asked.items() if is_named), None)
    if named is None:
        return
    if options.kind == TATC:
        raise BadInput(f"{named} is for instances", fix="add --kind edh or tfd, or leave it out")
    made: Any = player_class(options.setup.follower)
    if made is None or all(hasattr(made, method) for method in MODEL_METHODS):
        why = f"{named} is for Followers, not for models with TEACh's interface"
        raise BadInput(why, fix="leave it out")
    if options.goal == TRUE_GOAL and not traits_of(made).takes_goal:
        why = f"the Follower {options.setup.follower} accepts no goal"
        raise BadInput(why, where="--goal", fix="leave it out, or name another --follower")
