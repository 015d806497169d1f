"""The contract of Followers: what they receive and what they return.

A Follower acts in the home and knows only what it hears and perceives.  Whoever writes one needs
this module, `tatc.home.actions` and `tatc.home.observation`, and no other part of tatc.  Any class
with `begin` and `act` is a Follower; the other protocols here are optional, and `AgentTraits`
(`tatc.home.agent_traits`) says what a class wants to be given.

A session begins with the Follower's turn, which lasts until it says something; then the Commander
speaks, and the Follower goes on.  Each primitive action counts as a step, whether it succeeds or
not.  A session ends after 1000 steps, 30 failed ones or 1000 utterances, unless it says otherwise,
or when either agent returns Stop.  Whatever ended it, it is a success if the task is done then.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tatc.home import actions, percepts
from tatc.home.observation import Frame, Observation


class Follower(Protocol):
    """The agent that acts in the home; it knows only what it hears and perceives.

    One instance may play many sessions, one after another.  What it raises ends the session with an
    `AgentCrash` that names error, file and line; tatc's own errors (`TatcError`) pass unchanged.
    """

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        ...

    def act(self, observation: Observation) -> actions.Action:
        """Return the next action.

        - A motion or an interaction is carried out, and the next observation has its result.  An
          interaction needs a `click` in fractions of the view from its upper left corner; it acts
          on what the click's pixel shows, within 1.5 metres.
        - `TEXT` says `text` to the Commander, in any words, and hands it the turn.  Utterances are
          no steps.
        - `STOP` ends the session.

        A verb that is no Follower's, or an interaction without a click, counts as a failed step.

        The observation has what was said since the last call, oldest first, how the last primitive
        went (None before the first), and the views that can be asked for.  `frame`, `segments` and
        `percepts` are None, or return None, where the session has no such view; they show the home
        as it is in this turn and must not be called later.
        """
        ...


@dataclass(frozen=True, slots=True)
class PastAction:
    """A successful action of the past.

    `object_type` is that of the object acted on, None for a motion.  `number` is that object's
    number in views; None for a motion, and without perception at the level truth.  `click` is where
    it was clicked in the view before the action.
    """

    verb: actions.Verb
    object_type: str | None = None
    number: int | None = None
    click: actions.Click | None = None


HistoryEvent = actions.Utterance | PastAction
"""One event of a session, as a Follower that takes it over is told."""
FrameSource = Callable[[], Sequence[Frame]]
"""Draws the frame before each past action, the oldest first."""
ViewSource = Callable[[], Sequence[percepts.View]]
"""Returns what was in view before each past action, the oldest first, at the run's level."""


@runtime_checkable
class ResumableFollower(Protocol):
    """A Follower that can take over a session, as an EDH instance requires."""

    def begin_after(self, events: Sequence[HistoryEvent], frames: FrameSource) -> None:
        """Begin in the middle of a session, after `begin`.

        `events` are what was said and done so far, the oldest first; failed actions are left out.
        `frames` draws the frames before the past actions, for a Follower that needs them.
        """
        ...


class PerceivingFollower(Protocol):
    """A Follower that perceives and can take over a session; it is shown what was in view.

    Its traits say that it perceives.  All views of a session, past and present, are in one frame.
    """

    def begin_after(
        self, events: Sequence[HistoryEvent], frames: FrameSource, views: ViewSource
    ) -> None:
        """Begin in the middle of a session, as `ResumableFollower` does.

        `views` returns what was in view before each past action; it replays them when it is called.
        """
        ...


@runtime_checkable
class UnderstandingFollower(Protocol):
    """A Follower that can say what it takes its goal to be."""

    def goal_words(self) -> tuple[str, ...]:
        """Return its goal as it understands it, a line for each part; empty where it has none."""
        ...
