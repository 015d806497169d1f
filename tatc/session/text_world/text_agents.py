"""Agents that read text and choose tool calls: for a model in either role of any session.

A chooser is whatever decides: a program, a person, a language model.  Calls that are refused are
shown to it with the reason, and it chooses again, a bounded number of times.
"""

from typing import Protocol

from tatc.commander import CommanderView, Decision, Oracle
from tatc.home import actions, agent_traits
from tatc.home.observation import Observation
from tatc.session.session_types import AgentNotes
from tatc.session.text_world import commander_interface, follower_interface, wording
from tatc.session.text_world.reading import Reading
from tatc.session.text_world.tools import Grain, Refused, ToolSpec
from tatc.tdl import Task

MAX_CALLS_PER_ACTION = 8
"""Calls that a chooser may make for one action, those refused or answered at once included; then
the agent stops."""
MAX_ANSWERS_WITHOUT_CALL = 3
"""Answers of a model in a row that hold no tool call, after which its session ends."""


class Chooser(Protocol):
    """Decides on tool calls."""

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        ...

    def choose(self, reading: Reading, tools: tuple[ToolSpec, ...]) -> tuple[object, object]:
        """Return the name and the arguments of the next call; whatever they are, it is answered."""
        ...


TEXT_FOLLOWER_TRAITS = agent_traits.AgentTraits(
    perceives=True, view_side_pixels=follower_interface.TEXT_VIEW_SIDE_PIXELS, notes=True
)
"""Its text is made from percepts."""
TEXT_COMMANDER_TRAITS = agent_traits.AgentTraits(notes=True)


class TextAgent:
    """What all agents of the text interface have."""

    @property
    def notes(self) -> AgentNotes:
        """What a record says of the text interface."""
        version = f"{wording.TEXT_WORLD_VERSION} {wording.wording_hash()}"
        return AgentNotes(options=(("text_world", version),))


class TextFollower(TextAgent):
    """A Follower whose chooser reads what it perceives and calls tools."""

    traits = TEXT_FOLLOWER_TRAITS

    def __init__(self, chooser: Chooser, grain: Grain = Grain.GO_TO) -> None:
        """Let a chooser decide."""
        self._chooser, self._grain = chooser, grain
        self.interface = follower_interface.FollowerInterface(grain)

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self.interface = follower_interface.FollowerInterface(self._grain)
        self._chooser.begin()

    def act(self, observation: Observation) -> actions.Action:
        """Return the next action of the last call, or of the next one."""
        side = self.interface
        side.observe(observation)
        for _ in range(MAX_CALLS_PER_ACTION):
            if (action := side.next_action()) is not None:
                return action
            side.call(*self._chooser.choose(side.reading, side.tools))
        return side.next_action() or actions.Action(actions.Verb.STOP)


class TextCommander(TextAgent):
    """A Commander whose chooser reads task and answers, and calls tools."""

    traits = TEXT_COMMANDER_TRAITS
    decisions: tuple[Decision, ...] = ()  # the chooser's reasons are its own

    def __init__(self, chooser: Chooser, *, without: tuple[str, ...] = ()) -> None:
        """Let a chooser decide, who is not offered the tools named in `without`."""
        self._chooser, self._without = chooser, without
        self.interface: commander_interface.CommanderInterface | None = None

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Begin a session of a task, and forget the last one."""
        self.interface = commander_interface.CommanderInterface(oracle, task, without=self._without)
        self._chooser.begin()

    def act(self, view: CommanderView) -> actions.Action:
        """Return the action of the next call that has one."""
        side = self.interface
        assert side is not None, "begin comes first"
        side.observe(view)
        for _ in range(MAX_CALLS_PER_ACTION):
            done = side.call(*self._chooser.choose(side.reading, side.tools))
            if done is not None and not isinstance(done, Refused):
                return done
        return actions.Action(actions.Verb.STOP)
