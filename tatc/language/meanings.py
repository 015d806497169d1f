"""What the agents can mean, whatever the grain: steps, questions, reports, ends."""

import re
from dataclasses import dataclass
from enum import StrEnum

from tatc.actions import INTERACTIONS, MOTIONS, Action, Click, Verb

NOUN = re.compile(r"[A-Z][A-Za-z0-9]*")
"""What names an object type, as TEACh spells it."""


class Wording(StrEnum):
    """The grain at which the Commander speaks: see `tatc.language`."""

    ACTIONS = "actions"
    STEPS = "steps"
    GOALS = "goals"


@dataclass(frozen=True, slots=True)
class Step:
    """One primitive as it is spoken; an interaction names its object and its click.

    A click has two decimals, because that is what is said: see `spoken_click`.
    """

    verb: Verb
    noun: str | None = None
    click: Click | None = None

    def __post_init__(self) -> None:
        """Refuse what could not be said."""
        if self.verb not in (*MOTIONS, *INTERACTIONS):
            raise ValueError(f"{self.verb!r} is not a primitive of the language")
        if (self.verb in INTERACTIONS) != (self.click is not None):
            raise ValueError(f"{self.verb}: a click belongs to interactions alone")
        if (self.noun is None) != (self.click is None):
            raise ValueError(f"{self.verb}: a click and its object go together")
        if self.noun is not None and not NOUN.fullmatch(self.noun):
            raise ValueError(f"{self.noun!r} is not the name of an object type")
        if self.click is not None and spoken_click(self.click) != self.click:
            raise ValueError(f"{self.click} is not a click of two decimals below 1")

    @property
    def action(self) -> Action:
        """The action that the Follower takes for this step."""
        return Action(self.verb, self.click)


@dataclass(frozen=True, slots=True)
class Stretch:
    """What the Commander asks for: primitives to carry out one after the other."""

    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        """Refuse silence: it could not be told from no utterance."""
        if not self.steps:
            raise ValueError("a stretch has at least one step")


@dataclass(frozen=True, slots=True)
class Question:
    """The Follower has nothing left to do."""


@dataclass(frozen=True, slots=True)
class Report:
    """The Follower could not do a step, and why; it waits for something else."""

    step: Step
    why: str

    def __post_init__(self) -> None:
        """Keep the reason to one line without blanks around it."""
        if " ".join(self.why.split()) != self.why:
            raise ValueError(f"a reason is one line of single blanks: {self.why!r}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was said is not in the language; `word` is the first that is not."""

    word: str


@dataclass(frozen=True, slots=True)
class Done:
    """The Commander says that the task is complete."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The Commander stops without success, and why."""

    why: str


@dataclass(frozen=True, slots=True)
class Unseen:
    """The Follower was told something that it would have to see; `words` is that."""

    words: str


def spoken_click(click: Click) -> Click:
    """Return the click that is said for this one: two decimals, at most 0.99."""
    x, y = (min(0.99, max(0.0, round(v, 2))) for v in (click.x, click.y))
    return Click(x, y)
