"""What a Follower believes at one moment, as immutable values: what programs may show of it.

All positions are in its own frame (`tatc.home.percepts`), raised so that the floor is at 0.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from tatc.home import actions, body, state
from tatc.language.understanding import Evidence, Goal, GoalContent, PlaceHint
from tatc.tdl import Task

START_HEIGHT_METRES = body.POSITION_ABOVE_FLOOR_METRES
"""How high above the floor the body's position is at the start, metres."""


class GoalSource(StrEnum):
    """Where a goal comes from."""

    UNDERSTOOD = "understood"
    GIVEN = "given"
    EDITED = "edited"
    ORDERED = "ordered"


@dataclass(frozen=True, slots=True)
class BelievedGoal:
    """A goal, and what it rests on.

    `content` is None where only the task is known.  `evidence` and `confidence` (0 to 1) are
    those of a goal that was understood; of another they are empty and None.
    """

    task: Task
    source: GoalSource
    content: GoalContent | None = None
    evidence: tuple[Evidence, ...] = ()
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Belief:
    """What a Follower believes, and what it is about to do.

    `snapshot` has the objects that it has seen, in the order of first sight and as it expects
    them to be now; `seen_cells` are the cells of the grid in which it has seen anything.
    `view_count` grows with every view, so that of two beliefs the later one is known.  `goal`
    is None before anything was understood.  `open_questions` are what the words left open,
    `hints` where things are said to be.  `said` is what the Follower has said so far, and
    `utterances_left` how often it may still speak, None for as often as it likes.  `stretches`
    say what all so far are for, the present one last, and `next_steps` what remains of that one,
    with the step that it has just begun.  `end` says why it has stopped, "" while it goes on.
    """

    snapshot: state.Snapshot
    seen_cells: frozenset[actions.Cell]
    view_count: int
    goal: BelievedGoal | None
    open_questions: tuple[str, ...]
    hints: tuple[PlaceHint, ...]
    said: tuple[str, ...]
    utterances_left: int | None
    stretches: tuple[str, ...]
    next_steps: tuple[actions.PrimitiveStep, ...]
    end: str = ""


@runtime_checkable
class BelievingFollower(Protocol):
    """A Follower whose belief can be shown, and whose goal can be set."""

    def current_belief(self) -> Belief:
        """Return what it believes since it acted last; asking changes nothing."""
        ...

    def set_goal(self, goal: Goal) -> None:
        """Do this goal from now on, whatever was said and will be."""
        ...
