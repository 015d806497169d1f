"""Primitive steps as planners build them and language words them, and reports of their failures."""

import re
from dataclasses import dataclass

from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Click, Verb

OBJECT_TYPE_PATTERN = re.compile(r"[A-Z][A-Za-z0-9]*")
"""The name of an object type, as TEACh spells it."""


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
class FailureReport:
    """The Follower could not do a step, for this reason, and waits for an instruction."""

    step: PrimitiveStep
    reason: str

    def __post_init__(self) -> None:
        """Raise ValueError unless the reason is one line of single blanks."""
        if " ".join(self.reason.split()) != self.reason:
            raise ValueError(f"a reason is one line of single blanks: {self.reason!r}")


def round_click(click: Click) -> Click:
    """Return a click as it is spoken: with two decimals, each at most 0.99."""
    x, y = (min(0.99, max(0.0, round(v, 2))) for v in (click.x, click.y))
    return Click(x, y)
