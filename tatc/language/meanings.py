"""What the agents can mean in every wording: steps, questions, reports and ends."""

import re
from dataclasses import dataclass
from enum import StrEnum

from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Click, Verb

OBJECT_TYPE_PATTERN = re.compile(r"[A-Z][A-Za-z0-9]*")
"""The name of an object type, as TEACh spells it."""


class Wording(StrEnum):
    """How much detail the Commander's words have: see `tatc.language`."""

    ACTIONS = "actions"
    STEPS = "steps"
    GOALS = "goals"


@dataclass(frozen=True, slots=True)
class PrimitiveStep:
    """One primitive as it is spoken; an interaction names its object type and its click.

    A click has two decimals, because two are spoken: see `round_click`.
    """

    verb: Verb
    object_type: str | None = None
    click: Click | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for what the language cannot say."""
        if self.verb not in (*MOTION_VERBS, *INTERACTION_VERBS):
            raise ValueError(f"{self.verb!r} is not a primitive of the language")
        if (self.verb in INTERACTION_VERBS) != (self.click is not None):
            raise ValueError(f"{self.verb}: a click belongs to interactions alone")
        if (self.object_type is None) != (self.click is None):
            raise ValueError(f"{self.verb}: a click and its object go together")
        if self.object_type is not None and not OBJECT_TYPE_PATTERN.fullmatch(self.object_type):
            raise ValueError(f"{self.object_type!r} is not the name of an object type")
        if self.click is not None and round_click(self.click) != self.click:
            raise ValueError(f"{self.click} is not a click of two decimals below 1")

    @property
    def action(self) -> Action:
        """The action that the Follower takes for this step."""
        return Action(self.verb, self.click)


@dataclass(frozen=True, slots=True)
class Stretch:
    """What the Commander asks for: primitives to carry out one after the other."""

    steps: tuple[PrimitiveStep, ...]

    def __post_init__(self) -> None:
        """Raise ValueError for an empty stretch, which would be no utterance."""
        if not self.steps:
            raise ValueError("a stretch has at least one step")


@dataclass(frozen=True, slots=True)
class InstructionRequest:
    """The Follower has nothing left to do."""


@dataclass(frozen=True, slots=True)
class FailureReport:
    """The Follower could not do a step, for this reason, and waits for an instruction."""

    step: PrimitiveStep
    reason: str

    def __post_init__(self) -> None:
        """Raise ValueError unless the reason is one line of single blanks."""
        if " ".join(self.reason.split()) != self.reason:
            raise ValueError(f"a reason is one line of single blanks: {self.reason!r}")


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
    """The Follower would have to see to follow these `words`, and cannot."""

    words: str


def round_click(click: Click) -> Click:
    """Return a click as it is spoken: with two decimals, each at most 0.99."""
    x, y = (min(0.99, max(0.0, round(v, 2))) for v in (click.x, click.y))
    return Click(x, y)
