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

    def act(self, seen: Observation) -> Action:
        """Return the next action: a primitive, a Text to the Commander, or Stop."""
        ...


@dataclass(frozen=True, slots=True)
class Deed:
    """What the Follower once did, with success; an interaction, to what type."""

    verb: Verb
    noun: str | None = None


Event = Utterance | Deed
"""What a session consists of for one who comes later."""

Frames = Callable[[], Sequence[Frame]]
"""Draws what the Follower saw before each of the deeds, the oldest first."""


@runtime_checkable
class Entrant(Protocol):
    """A Follower that can take a session over, as an EDH instance asks."""

    def enter(self, events: Sequence[Event], frames: Frames) -> None:
        """Begin after these events, the oldest first, instead of at the start."""
        ...
