"""What the agents can mean, as values; goals and phrases stand beside their own wordings."""

from dataclasses import dataclass
from enum import StrEnum

from tatc.home.actions import PrimitiveStep


class Wording(StrEnum):
    """How much detail the Commander's words have: see `tatc.language`."""

    ACTIONS = "actions"
    STEPS = "steps"
    BEARINGS = "bearings"
    GOALS = "goals"


@dataclass(frozen=True, slots=True)
class Stretch:
    """What the Commander asks for: primitives to carry out one after the other."""

    steps: tuple[PrimitiveStep, ...]

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a stretch has at least one step")


@dataclass(frozen=True, slots=True)
class InstructionRequest:
    """The Follower has nothing left to do."""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """The text is not in the language; `words` are the first that are not."""

    words: str


@dataclass(frozen=True, slots=True)
class TaskDone:
    """The Commander says that the task is complete."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The Commander stops without success, for this reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class CannotSee:
    """The Follower would have to see to follow these `words`, and cannot.

    One that `needs_help` sees, but does not find how to reach the goals that the words name.
    """

    words: str
    needs_help: bool = False
