"""The conditions of a run that change what its figures mean, in words."""

from collections.abc import Mapping
from typing import Any

from tatc.evaluation.runs.eval_options import TRUE_GOAL
from tatc.evaluation.runs.instance_dialogue import DialogueSource
from tatc.session.agents.agent_names import is_model_agent, model_in_agent_name
from tatc.session.agents.settings import phrases_of_identity


def perception_of_run(options: Mapping[str, Any]) -> str:
    """Return the level at which a run's Follower perceived, "" if it did not."""
    return options.get("setup", {}).get("perception") or ""


def conditions_of_run(options: Mapping[str, Any]) -> str:
    """Return what a run's options say besides the usual, each after a comma; "" for nothing.

    Runs of before have no such options.
    """
    setup: Mapping[str, Any] = options.get("setup", {})
    feedback = options.get("feedback", 0)
    dialogue = options.get("dialogue", DialogueSource.OWN)
    model: Any = setup.get("model")
    said = phrases_of_identity(setup)
    heard = [said.pop(name, "") for name in ("perception", "language")]
    parts = [
        *heard,
        "the true goal given (an upper bound)" if options.get("goal") == TRUE_GOAL else "",
        *said.values(),
        _part_of_model(options, model["name"]) if model else "",
        f"{feedback} rounds of feedback" if feedback else "",
        f"control: {dialogue} dialogue" if dialogue != DialogueSource.OWN else "",
    ]
    return "".join(f", {part}" for part in parts if part)


def _part_of_model(options: Mapping[str, Any], name: str) -> str:
    """Return what a language model did in a run; an agent's own name may name another model."""
    agents = [options["setup"].get(role, "") for role in ("commander", "follower")]
    played = [agent for agent in agents if is_model_agent(agent)]
    if not played:
        return f"dialogue read by {name}"
    names = dict.fromkeys(model_in_agent_name(agent) or name for agent in played)
    return f"played by {', '.join(names)}"
