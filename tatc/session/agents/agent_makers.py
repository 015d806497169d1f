"""Agents as Python code gives them: by name, or as a class, a factory or an instance."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any

from tatc.base.errors import BadInput
from tatc.commander import Commander
from tatc.follower import Follower
from tatc.language import Wording
from tatc.session.agents.agent_names import is_model_agent
from tatc.session.agents.agents import commander_factory, follower_factory
from tatc.session.agents.dialogue_readers import check_reads, with_reading
from tatc.session.agents.model_players import model_commander, model_follower
from tatc.session.agents.perception_levels import perceives

if TYPE_CHECKING:
    from tatc.commander.speaker import SpeakingStyle
    from tatc.session.agents.session_setup import SessionSetup

CommanderArgument = str | Commander | Callable[[], Commander]
"""A name or `module:Class`, an instance, or what makes one without arguments (a class too)."""
FollowerArgument = str | Follower | Callable[[], Follower]
"""A name or `module:Class`, an instance, or what makes one without arguments (a class too)."""


@dataclass(frozen=True, slots=True)
class AgentMakers:
    """What makes the agents of a session in place of their names; None: the name in the setup."""

    commander: Callable[[], Commander] | None = None
    follower: Callable[[], Follower] | None = None

    def resolve(
        self, setup: "SessionSetup"
    ) -> tuple[Callable[[], Commander], Callable[[], Follower]]:
        """Return what makes each agent: what is held here, else what the setup names."""
        if setup.agents_from is not None:
            setup.agents_from.check(setup.commander, setup.follower)
        if self.commander is None:
            commander = commander_factory(setup.commander, setup.wording)
        elif setup.wording != Wording.ACTIONS:
            why = f"a wording is for the rule Commander, not for {setup.commander}"
            raise BadInput(why, fix="leave out wording, or give the class's instance its own")
        else:
            commander = self.commander
        if is_model_agent(setup.commander):
            commander = model_commander(commander, setup)
        if setup.speaking is not None:
            commander = _with_style(commander, setup.commander, setup.speaking)
        return commander, self.resolve_follower(setup)

    def resolve_follower(self, setup: "SessionSetup") -> Callable[[], Follower]:
        """Return what makes the Follower, whoever commands it."""
        follower = self.follower or follower_factory(setup.follower)
        if setup.questions is not None:
            follower = _with_questions(follower, setup.follower, setup.questions)
        if is_model_agent(setup.follower):
            if setup.memory is not None:
                check_reads(follower, setup.follower, "--memory")
            return model_follower(follower, setup)
        model = None if is_model_agent(setup.commander) else setup.model
        directives = setup.language is not None
        return with_reading(follower, setup.follower, model, setup.memory, directives=directives)


def _with_style(
    made: Callable[..., Commander], name: str, style: "SpeakingStyle"
) -> Callable[[], Commander]:
    """Return what makes a Commander that speaks in this style."""
    if not isinstance(made, type) or "style" not in signature(made).parameters:
        why = f"the Commander {name} is no simulated user, whose words are drawn"
        fix = "leave them out, or name --commander speaker"
        raise BadInput(why, where="--speaker-seed, --typos", fix=fix)
    return partial(made, style=style)


def takes_questions(made: Callable[..., Follower]) -> bool:
    """Return whether what makes a Follower takes a number of questions."""
    return isinstance(made, type) and "questions" in signature(made).parameters


def _with_questions(
    made: Callable[..., Follower], name: str, questions: int
) -> Callable[[], Follower]:
    """Return what makes a Follower that speaks so often at most."""
    if not takes_questions(made):
        why = f"the Follower {name} has no budget of questions"
        raise BadInput(why, where="--questions", fix="leave it out, or name another --follower")
    return partial(made, questions=questions)


AGENTS_BY_NAME = AgentMakers()
"""Both agents are those that the setup names."""


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
    if not isinstance(agent, type) and _is_agent(agent):
        return _AgentMaker(lambda: agent, perceives(agent))
    if not callable(agent) or (isinstance(agent, type) and not _is_agent(agent)):
        raise _no_agent(agent, noun)

    def make() -> Any:
        made: object = agent()
        if not _is_agent(made):
            raise _no_agent(made, noun)
        return made

    return _AgentMaker(make, perceives(agent))


@dataclass(frozen=True, slots=True)
class _AgentMaker:
    """Makes an agent, and says whether it perceives."""

    make: Callable[[], Any]
    perceives: bool

    def __call__(self) -> Any:
        """Return the agent."""
        return self.make()


def _is_agent(given: object) -> bool:
    return all(callable(getattr(given, name, None)) for name in ("begin", "act"))


def _no_agent(given: object, noun: str) -> BadInput:
    return BadInput(
        f"is no {noun}: it lacks `begin` or `act`",
        where=agent_name(given),
        fix="give a name, a class, a function that makes one, or an instance",
    )
