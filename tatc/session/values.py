"""What goes into a session and comes out of it: limits, events, the result."""

from dataclasses import dataclass

from tatc.actions import ActionResult, Role
from tatc.records import Interaction
from tatc.records.record import Decision, End
from tatc.state import Snapshot
from tatc.tdl import Progress


@dataclass(frozen=True, slots=True)
class Limits:
    """When a session is stopped: TATC's limits count the Follower's primitives.

    `words` bounds the utterances, so that agents who only talk come to an end.
    """

    steps: int = 1000
    failures: int = 30
    words: int = 1000


TATC_LIMITS = Limits()
"""The benchmark's limits."""


@dataclass(frozen=True, slots=True)
class Event:
    """One logged action as it happens.

    `result` is None for words and checks, `progress` is the answer to a check.
    """

    done: Interaction
    result: ActionResult | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class SessionResult:
    """What came of a session: how it ended, what was done, and the last check."""

    end: End
    progress: Progress
    start: Snapshot
    final: Snapshot
    interactions: tuple[Interaction, ...]
    decisions: tuple[Decision, ...]
    failures: int

    @property
    def success(self) -> bool:
        """Whether the task was complete at the end."""
        return self.end is End.SUCCESS

    def actions(self, role: Role) -> int:
        """Return how many logged interactions an agent made, failed ones too."""
        return sum(done.role is role for done in self.interactions)
