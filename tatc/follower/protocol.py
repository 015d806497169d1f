"""The interface of every Follower, rule-based or learned."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tatc.home.actions import Action, Utterance, Verb
from tatc.home.observation import Frame, Observation
from tatc.home.percepts import View


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
    """A successful action of the past.

    `object_type` is that of the object acted on, None for a motion.  `number` is that object's
    number in views; None for a motion, and without perception at the level truth.
    """

    verb: Verb
    object_type: str | None = None
    number: int | None = None


HistoryEvent = Utterance | PastAction
"""One event of a session, as a Follower that takes it over is told."""

FrameSource = Callable[[], Sequence[Frame]]
"""Draws the frame before each past action, the oldest first."""

ViewSource = Callable[[], Sequence[View]]
"""Returns what was in view before each past action, the oldest first, at the run's level."""


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


@runtime_checkable
class UnderstandingFollower(Protocol):
    """A Follower that can say what it takes its goal to be."""

    def goal_words(self) -> tuple[str, ...]:
        """Return its goal as it understands it, a line for each part; empty where it has none."""
        ...


class PerceivingFollower(Protocol):
    """A Follower that perceives and can take over a session; it is shown what was in view.

    Its traits say that it perceives.  All views of a session, past and present, are in one frame.
    """

    def begin_after(
        self, events: Sequence[HistoryEvent], frames: FrameSource, views: ViewSource
    ) -> None:
        """Begin in the middle of a session.

        Args:
            events: what was said and done so far, the oldest first.
            frames: draws the frames of the past actions.
            views: returns the views of the past actions; it replays them when it is called.

        """
        ...
