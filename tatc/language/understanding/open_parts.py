"""The parts of a goal that a dialogue can leave open, by the names that questions give them."""

from enum import StrEnum

from tatc.language.object_names import words_for_type
from tatc.language.understanding.goal import Question


class OpenPart(StrEnum):
    """What nobody said; there are `count_part` for foods and `unavailable_part` besides."""

    GOAL = "goal"
    IMPOSSIBLE_GOAL = "impossible goal"
    FILLING = "filling"
    CONTAINER = "container"
    TABLE = "table"
    ONE_PLACE = "one place"


COUNT_PREFIX = "count of "
"""How the names of counts begin."""


UNAVAILABLE_PREFIX = "no "
"""How the names of what no home has begin."""


def unavailable_part(words: str) -> str:
    """Return the name of something that was asked for and that no home has, such as tea."""
    return f"{UNAVAILABLE_PREFIX}{words}"


def count_part(food: str) -> str:
    """Return the name of how many slices of a food are wanted."""
    return f"{COUNT_PREFIX}{food}"


# The words of the questions that an understood dialogue leaves open.

_TEXT_BY_PART = {
    OpenPart.GOAL: "What shall I do?",
    OpenPart.IMPOSSIBLE_GOAL: "I do not know how to do that. What shall I do instead?",
    OpenPart.FILLING: "What shall I put in it?",
    OpenPart.CONTAINER: "Shall I use a plate or a bowl?",
    OpenPart.TABLE: "Where shall I serve it?",
    OpenPart.ONE_PLACE: "Shall they all be in one and the same place?",
}


def question_about(about: str) -> Question:
    """Return the question about a part that was left open."""
    if about.startswith(COUNT_PREFIX):
        food = words_for_type(about.removeprefix(COUNT_PREFIX))
        return Question(about, f"How many slices of {food} would you like?")
    if about.startswith(UNAVAILABLE_PREFIX):
        words = about.removeprefix(UNAVAILABLE_PREFIX)
        return Question(about, f"I know of no {words} here. What shall I do instead?")
    return Question(about, _TEXT_BY_PART[OpenPart(about)])
