"""The words of the questions that an understood dialogue leaves open."""

from tatc.language.object_names import words_for_type
from tatc.language.understanding.goal import Question
from tatc.language.understanding.open_parts import COUNT_PREFIX, UNAVAILABLE_PREFIX, OpenPart

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
