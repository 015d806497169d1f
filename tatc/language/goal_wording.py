"""The wording `goals`: what a stretch is for, not how to do it.

"wash the mug", "bring the mug to the side table".  No goal reads like a phrase of the
wording `steps`, so a listener can tell the two apart.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from tatc.home.actions import OBJECT_TYPE_PATTERN
from tatc.language import meanings, object_names


class GoalVerb(StrEnum):
    """What is wanted; the value is its wording, with {} for the object and the place."""

    GET = "get the {}"
    BRING = "bring the {} to the {}"
    PUT_DOWN = "find room for the {}"
    CLEAR = "clear away the {}"
    UNCOVER = "make the {} accessible"
    WASH = "wash the {}"
    FILL = "fill the {} with water"
    EMPTY = "empty the {}"
    EMPTY_INTO = "empty the {} into the {}"
    WATER = "use the {} to water the {}"
    BREW = "make coffee in the {}"
    HEAT = "heat the {} with the {}"
    CUT = "cut up the {}"
    SWITCH_ON = "switch on the {}"
    SWITCH_OFF = "switch off the {}"
    LEAVE_OPEN = "leave the {} open"
    LEAVE_CLOSED = "leave the {} closed"

    @property
    def noun_count(self) -> int:
        """The number of object types that its words name."""
        return self.value.count("{}")


@dataclass(frozen=True, slots=True)
class SpokenGoal:
    """One goal; `second_type` is given exactly where the words of `verb` name two types."""

    verb: GoalVerb
    object_type: str
    second_type: str | None = None

    def __post_init__(self) -> None:
        if (self.verb.noun_count == 2) != (self.second_type is not None):
            raise ValueError(f"{self.verb.name}: wrong number of nouns")
        for name in (self.object_type, self.second_type):
            if name is not None and not OBJECT_TYPE_PATTERN.fullmatch(name):
                raise ValueError(f"{name!r} is not the name of an object type")


@dataclass(frozen=True, slots=True)
class GoalStretch:
    """What the Commander asks for: goals, to be reached one after the other."""

    goals: tuple[SpokenGoal, ...]

    def __post_init__(self) -> None:
        if not self.goals:
            raise ValueError("a stretch has at least one goal")


_GOAL_PATTERNS = tuple(
    (verb, re.compile(verb.value.replace("{}", f"({object_names.TYPE_WORDS_PATTERN})")))
    for verb in GoalVerb
)


def say_goals(stretch: GoalStretch) -> str:
    """Return the words for goals."""
    return ", ".join(map(_say_goal, stretch.goals))


def _say_goal(goal: SpokenGoal) -> str:
    nouns = filter(None, (goal.object_type, goal.second_type))
    return goal.verb.value.format(*map(object_names.words_for_type, nouns))


def hear_goals(text: str) -> GoalStretch | meanings.NotUnderstood:
    """Return the goals that a text means, or the first words that mean none."""
    heard: list[SpokenGoal] = []
    for words in text.split(", "):
        goal = _hear_goal(words)
        if goal is None:
            return meanings.NotUnderstood(words)
        heard.append(goal)
    return GoalStretch(tuple(heard))


def _hear_goal(words: str) -> SpokenGoal | None:
    for verb, pattern in _GOAL_PATTERNS:
        if found := pattern.fullmatch(words):
            nouns = tuple(map(object_names.type_from_words, found.groups()))
            if all(map(OBJECT_TYPE_PATTERN.fullmatch, nouns)):
                return SpokenGoal(verb, *nouns)
    return None
