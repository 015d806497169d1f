"""The interface of Commanders: what they are given and what they return."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tatc.commander.decision import Decision
from tatc.commander.oracle import Oracle
from tatc.home.actions import Action, Utterance
from tatc.tdl import Progress, Task


@dataclass(frozen=True, slots=True)
class CommanderView:
    """What a Commander is given for one action.

    `utterances` are those since its last action, oldest first.  `progress` is the result of
    a progress check if its last action was one, else None.
    """

    utterances: tuple[Utterance, ...]
    progress: Progress | None


class Commander(Protocol):
    """An agent that knows the task and may ask the oracle, but cannot act."""

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a new session of a task in the oracle's home, and forget the last one."""
        ...

    def act(self, view: CommanderView) -> Action:
        """Return a progress check or an utterance; Stop ends the session."""
        ...

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The reasons for this session's utterances, in order."""
        ...


@runtime_checkable
class InterjectingCommander(Protocol):
    """A Commander that may also speak between the Follower's actions, as people do."""

    def interject(self) -> Action | None:
        """Return what to do before the Follower's next action, None for nothing.

        It is called again until it returns None.
        """
        ...
