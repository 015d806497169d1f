"""The interface of every Follower, rule-based or learned."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tatc.actions import Action, Frame, Observation, Utterance, Verb


class Follower(Protocol):
    """The agent that acts in the world; it knows only what it hears and sees."""

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        ...

    def act(self, observation: Observation) -> Action:
        """Return the next action: a primitive action, a Text to the Commander, or Stop.

        Args:
            observation: what was said since the last call, how the last action went, and
                the views that can be asked for.

        """
        ...


@dataclass(frozen=True, slots=True)
class PastAction:
    """A successful action of the past; `object_type` is None for a motion."""

    verb: Verb
    object_type: str | None = None


HistoryEvent = Utterance | PastAction
"""One event of a session, as a Follower that takes it over is told."""

FrameSource = Callable[[], Sequence[Frame]]
"""Draws the frame before each past action, the oldest first."""


@runtime_checkable
class ResumableFollower(Protocol):
    """A Follower that can take over a session, as an EDH instance requires."""

    def begin_after(self, events: Sequence[HistoryEvent], frames: FrameSource) -> None:
        """Begin in the middle of a session.

        Args:
            events: what was said and done so far, the oldest first.
            frames: draws the frames of the past actions, if the Follower needs them.

        """
        ...
