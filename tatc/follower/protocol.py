"""What every Follower does, rule-based or learned."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tatc.actions import Action, Frame, Observation, Utterance, Verb


class Follower(Protocol):
    """An agent that alone can act, and knows only what it is told and sees."""

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        ...

    def act(self, observation: Observation) -> Action:
        """Return the next action: a primitive, a Text to the Commander, or Stop."""
        ...


@dataclass(frozen=True, slots=True)
class PastAction:
    """What the Follower once did, with success; an interaction, to what type."""

    verb: Verb
    object_type: str | None = None


HistoryEvent = Utterance | PastAction
"""What a session consists of for one who comes later."""

FrameSource = Callable[[], Sequence[Frame]]
"""Draws what the Follower saw before each of the deeds, the oldest first."""


@runtime_checkable
class ResumableFollower(Protocol):
    """A Follower that can take a session over, as an EDH instance asks."""

    def begin_after(self, events: Sequence[HistoryEvent], frames: FrameSource) -> None:
        """Begin after these events, the oldest first, instead of at the start."""
        ...
