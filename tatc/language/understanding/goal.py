"""The values that understanding a dialogue gives; all are immutable."""

from dataclasses import dataclass
from enum import StrEnum

from tatc.language.understanding.goal_content import GoalContent
from tatc.language.understanding.requests import PlaceHint
from tatc.language.understanding.tokens import Span
from tatc.tdl import Task


class ReadBy(StrEnum):
    """Who read the goal: the lexicon, a model, or the lexicon because a model failed."""

    LEXICON = "lexicon"
    MODEL = "model"
    FALLBACK = "lexicon in place of the model"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words on which a part of the goal rests, and those words as they were typed."""

    part: str
    spans: tuple[Span, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What was left open: `about` is a short name of it, such as "count of Tomato"."""

    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to be done: as content, and as a task whose progress can be checked.

    `library_task` is the name and the parameters of the shipped task that asks for the same,
    None if the goal was composed of several.
    """

    content: GoalContent
    task: Task
    library_task: tuple[str, tuple[str, ...]] | None


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a dialogue means.

    `goal` is None if nothing is asked for, or nothing that can be done; then `questions` has
    at least one.  `confidence` is from 0 to 1.
    """

    goal: Goal | None
    hints: tuple[PlaceHint, ...]
    evidence: tuple[Evidence, ...]
    confidence: float
    questions: tuple[Question, ...]
    read_by: ReadBy = ReadBy.LEXICON

    def hints_for(self, object_type: str) -> tuple[PlaceHint, ...]:
        """Return the hints about things of a type, the newest first."""
        return tuple(each for each in reversed(self.hints) if each.things == object_type)
