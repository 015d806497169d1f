"""Agents that a language model plays, made as a setup says."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tatc.base.errors import BadInput
from tatc.home.actions import Role
from tatc.session.agents.agent_names import MODEL_AGENT, is_model_agent, model_in_agent_name

if TYPE_CHECKING:
    from tatc.language.llm import ChatClient, ModelSettings
    from tatc.session.agents.session_setup import SessionSetup


def model_commander(made: Callable[..., Any], setup: "SessionSetup") -> Callable[[], Any]:
    """Return what makes the Commander of a setup that a model plays."""
    speech = setup.play.speech_to(setup.follower)
    return partial(_player(made, Role.COMMANDER, setup), speech=speech)


def model_follower(made: Callable[..., Any], setup: "SessionSetup") -> Callable[[], Any]:
    """Return what makes the Follower of a setup that a model plays."""
    return _player(made, Role.FOLLOWER, setup)


def models_that_play(setup: "SessionSetup") -> "tuple[ModelSettings, ...]":
    """Return the models that are asked to play an agent, each once."""
    if setup.model is None:
        return ()
    names = (setup.commander, setup.follower)
    return tuple(dict.fromkeys(_named(setup.model, name) for name in names if is_model_agent(name)))


def with_model_for_players(setup: "SessionSetup") -> "SessionSetup":
    """Return the setup without its model if that plays neither agent."""
    return setup if setup.has_model_agent else replace(setup, model=None)


def _player(made: Callable[..., Any], role: Role, setup: "SessionSetup") -> partial[Any]:
    name = setup.commander if role is Role.COMMANDER else setup.follower
    recorded = setup.recorded_answers
    client: ChatClient | None = None
    if setup.model is not None:
        from tatc.language.llm import chat_client

        settings = _named(setup.model, name)
        client, model = chat_client(settings), settings.model
    elif recorded is not None:
        model = next((call.model for call in recorded.of(role)), MODEL_AGENT)
    else:
        why = f"the {role.name.title()} {name} needs a model to ask"
        raise BadInput(why, fix="name it with --model, and its endpoint with --base-url")
    return partial(made, model, client, setup.play, recorded)


def _named(model: "ModelSettings", agent_name: str) -> "ModelSettings":
    """Return the settings with the model that an agent's name holds, if it holds one."""
    return replace(model, model=model_in_agent_name(agent_name) or model.model)
