"""The words of the questions that an understood dialogue leaves open."""

from tatc.language.object_names import words_for_type
from tatc.understanding.goal import Question

_TEXT_BY_ABOUT = {
    "goal": "What shall I do?",
    "impossible goal": "I do not know how to do that. What shall I do instead?",
    "container": "Shall I use a plate or a bowl?",
    "table": "Where shall I serve it?",
    "one place": "Shall they all be in one and the same place?",
}


def question_about(about: str) -> Question:
    """Return the question about a part that was left open."""
    if about.startswith("count of "):
        food = words_for_type(about.removeprefix("count of "))
        return Question(about, f"How many slices of {food} would you like?")
    if about.startswith("word "):
        return Question(about, f"What do you mean by {about.removeprefix('word ')!r}?")
    return Question(about, _TEXT_BY_ABOUT[about])
