"""The agents of a setup, found once: what makes each, and at which level the Follower perceives."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tatc.base.errors import BadInput, UnknownName
from tatc.commander import Commander
from tatc.follower import Follower
from tatc.home.actions import Role
from tatc.home.agent_traits import traits_of
from tatc.home.percepts import PerceptionLevel
from tatc.language import Wording
from tatc.session.agents.agent_crash import crashes_blamed_on
from tatc.session.agents.agent_names import MODEL_AGENT, is_model_agent, model_in_agent_name
from tatc.session.agents.agents import commander_factory, follower_factory
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.agents.settings import SETTINGS, agent_settings, group_of
from tatc.session.worlds import EMBEDDED_WORLD

if TYPE_CHECKING:
    from tatc.language.llm import ChatClient, ModelSettings
from tatc.session.agents.agents import check_reads

CommanderArgument = str | Commander | Callable[[], Commander]
"""A name or `module:Class`, an instance, or what makes one without arguments (a class too)."""
FollowerArgument = str | Follower | Callable[[], Follower]
"""A name or `module:Class`, an instance, or what makes one without arguments (a class too)."""


@dataclass(frozen=True, slots=True)
class AgentOverrides:
    """What makes the agents of a session in place of their names; None: the name in the setup."""

    commander: Callable[[], Commander] | None = None
    follower: Callable[[], Follower] | None = None


NO_OVERRIDES = AgentOverrides()
"""Both agents are those that the setup names."""


@dataclass(frozen=True, slots=True)
class ResolvedAgents:
    """What makes the agents of a setup, whose `perception` is the level of its Follower."""

    setup: SessionSetup
    make_commander: Callable[[], Commander]
    make_follower: Callable[[], Follower]

    def make(self) -> tuple[Commander, Follower]:
        """Return the two agents, for one session.

        Raises:
            AgentCrash: an agent raised an error while it was being made.

        """
        with crashes_blamed_on(Role.COMMANDER):
            commander = self.make_commander()
        with crashes_blamed_on(Role.FOLLOWER):
            follower = self.make_follower()
        level_for_follower(self.setup.perception, follower, self.setup.follower)
        return commander, follower


def resolve_agents(setup: SessionSetup, overrides: AgentOverrides = NO_OVERRIDES) -> ResolvedAgents:
    """Find the agents of a setup, and check that they take what it says of them."""
    if setup.agents_from is not None:
        setup.agents_from.check(setup.commander, setup.follower)
    make_commander = _find_commander(setup, overrides)
    make_follower = find_follower(setup, overrides)
    level = level_for_follower(setup.perception, make_follower, setup.follower)
    if level is not None and setup.sim != EMBEDDED_WORLD:
        why = f"{setup.follower} perceives in tatc's own world alone"
        raise BadInput(why, fix="leave out --sim, or name another --follower")
    return ResolvedAgents(replace(setup, perception=level), make_commander, make_follower)


def _find_commander(setup: SessionSetup, overrides: AgentOverrides) -> Callable[[], Commander]:
    if overrides.commander is None:
        make = commander_factory(setup.commander, setup.wording)
    elif setup.wording != Wording.ACTIONS:
        why = f"a wording is for the rule Commander, not for {setup.commander}"
        raise BadInput(why, fix="leave out wording, or give the class's instance its own")
    else:
        make = overrides.commander
    if is_model_agent(setup.commander):
        speech = setup.play.speech_to(setup.follower)
        make = partial(_model_player(make, Role.COMMANDER, setup), speech=speech)
    return with_settings(make, Role.COMMANDER, setup)


def find_follower(
    setup: SessionSetup, overrides: AgentOverrides = NO_OVERRIDES
) -> Callable[[], Follower]:
    """Return what makes the Follower of a setup, whoever commands it."""
    make = overrides.follower or follower_factory(setup.follower)
    make, goals = with_settings(make, Role.FOLLOWER, setup), setup.get("goals")
    if is_model_agent(setup.follower):
        if goals is not None:
            check_reads(make, setup.follower, SETTINGS["goals"].option)
        return _model_player(make, Role.FOLLOWER, setup)
    model = None if is_model_agent(setup.commander) else setup.model
    if model is None and goals is None and setup.language is None:
        return make
    from tatc.session.agents.dialogue_readers import with_reading  # a lexicon, which takes long

    directives = setup.language is not None
    return with_reading(make, setup.follower, model, goals, directives=directives)


def with_settings(make: Callable[..., Any], role: Role, setup: SessionSetup) -> Callable[[], Any]:
    """Return what makes an agent with the settings of its role that are given.

    Raises:
        BadInput: its class does not take one of them.

    """
    values, name = dict(setup.settings), setup.get(role.name.lower())
    given = {
        each.name: values[each.name]
        for each in agent_settings()
        if each.is_argument and each.role is role and each.name in values
    }
    for setting in given.keys() - set(traits_of(make).settings):
        each = SETTINGS[setting]
        why = each.lacking or f"the {role.name.title()} {{}} takes no such setting"
        where = ", ".join(mate.option for mate in group_of(each))
        raise BadInput(why.format(name), where=where, fix=each.fix)
    return partial(make, **given) if given else make


def agent_name(agent: object) -> str:
    """Return how a record names an agent: its name, or `module:Class`."""
    if isinstance(agent, str):
        return agent
    made_of: Any = agent if hasattr(agent, "__qualname__") else type(agent)
    return f"{made_of.__module__}:{made_of.__qualname__}"


def agent_maker(agent: Any, noun: str) -> Callable[[], Any] | None:
    """Return what makes an agent that is not given by name; None for a name.

    An instance makes itself: its `begin` starts each session.
    """
    if isinstance(agent, str):
        return None
    if isinstance(agent, type):
        if not _is_agent(agent):
            raise _no_agent(agent, noun)
        return agent
    if _is_agent(agent):
        return _AgentMaker(lambda: agent, agent)
    if not callable(agent):
        raise _no_agent(agent, noun)

    def make() -> Any:
        made: object = agent()
        if not _is_agent(made):
            raise _no_agent(made, noun)
        return made

    return _AgentMaker(make, agent)


class _AgentMaker:
    """Makes an agent without arguments, and has the traits of what it was given."""

    def __init__(self, make: Callable[[], Any], agent: Any) -> None:
        self._make = make
        # Whatever its class takes: it is made already, or by a function of the user's.
        self.traits = replace(traits_of(agent), settings=(), reads=False, recalls_names=False)

    def __call__(self) -> Any:
        """Return the agent."""
        return self._make()


def _is_agent(given: object) -> bool:
    return all(callable(getattr(given, name, None)) for name in ("begin", "act"))


def _no_agent(given: object, noun: str) -> BadInput:
    return BadInput(
        f"is no {noun}: it lacks `begin` or `act`",
        where=agent_name(given),
        fix="give a name, a class, a function that makes one, or an instance",
    )


# At which level a Follower perceives: as the user says, or truth for one that perceives.


def parse_perception_level(text: str | None) -> PerceptionLevel | None:
    """Return the level of this name; None for None."""
    if text is None or text in list(PerceptionLevel):
        return None if text is None else PerceptionLevel(text)
    fix = "name truth or masks"
    if text == "frames":
        why = "perception from frames needs a detector of objects in RGB images, and tatc has none"
        raise BadInput(why, where="--perception", fix=fix)
    raise UnknownName("perception level", text, (*PerceptionLevel,), fix=fix)


def level_for_follower(
    level: PerceptionLevel | None, made: Any, name: str
) -> PerceptionLevel | None:
    """Return the level at which a Follower perceives: `TRUTH` if none is named.

    Args:
        level: the level that the user names; None for the Follower's own.
        made: the Follower, or what makes it.
        name: how the user names it.
    """
    if traits_of(made).perceives:
        return level or PerceptionLevel.TRUTH
    if level is not None:
        why = f"the Follower {name} does not perceive: it uses no percepts"
        raise BadInput(why, where="--perception", fix="leave it out, or name another --follower")
    return None


# Agents that a language model plays.


def models_that_play(setup: SessionSetup) -> "tuple[ModelSettings, ...]":
    """Return the models that are asked to play an agent, each once."""
    if setup.model is None:
        return ()
    names = (setup.commander, setup.follower)
    return tuple(dict.fromkeys(_named(setup.model, name) for name in names if is_model_agent(name)))


def with_model_for_players(setup: SessionSetup) -> SessionSetup:
    """Return the setup without its model if that plays neither agent."""
    return setup if setup.has_model_agent else replace(setup, model=None)


def _model_player(make: Callable[..., Any], role: Role, setup: SessionSetup) -> partial[Any]:
    """Return what makes the agent of a role that a model plays."""
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
    return partial(make, model, client, setup.play, recorded)


def _named(model: "ModelSettings", agent_name: str) -> "ModelSettings":
    """Return the settings with the model that an agent's name holds, if it holds one."""
    return replace(model, model=model_in_agent_name(agent_name) or model.model)
