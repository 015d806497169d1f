"""What every Commander does, and what it is given."""

from dataclasses import dataclass
from typing import Protocol

from tatc.actions import Action, Utterance
from tatc.commander.decision import Decision
from tatc.state import Pose, Snapshot
from tatc.tdl import Progress, Task


class Oracle(Protocol):
    """What a Commander may ask about the home; any simulator answers it."""

    def snapshot(self) -> Snapshot:
        """Return all objects and both agents as they are now."""
        ...

    def reachable(self) -> tuple[Pose, ...]:
        """Return where the Follower's body can stand and get to."""
        ...


@dataclass(frozen=True, slots=True)
class CommanderView:
    """What a Commander gets for one action.

    `utterances` are those since its last action, oldest first.  `progress` is the
    answer where its last action was a progress check, else None.
    """

    utterances: tuple[Utterance, ...]
    progress: Progress | None


class Commander(Protocol):
    """An agent that knows the task and may ask the oracle, but cannot act."""

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Forget everything: a new session of this task starts in the oracle's home."""
        ...

    def act(self, view: CommanderView) -> Action:
        """Return a progress check or what it says; Stop ends the session."""
        ...

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Why each utterance of this session was made, in order."""
        ...
