"""What the Follower asks about its goal, and how it names what it looks for."""

from enum import StrEnum

from tatc.follower.listener.instance_tracking import affordances_of
from tatc.language.object_names import words_for_type
from tatc.language.understanding import Understanding
from tatc.language.understanding.goal import COUNT_PREFIX, UNAVAILABLE_PREFIX, OpenPart

MAX_WANTED_NAMED = 3
"""Types that are named where several are looked for, at most."""
RESERVED_REPORTS = 2
"""How many reports are left to make after a question about the goal."""
_WORTH_ASKING = (
    COUNT_PREFIX,
    UNAVAILABLE_PREFIX,
    OpenPart.FILLING,
    OpenPart.CONTAINER,
    OpenPart.TABLE,
)
"""Parts that are wrong if they are guessed wrongly; one place for all things never is."""


def lost_words(missing: frozenset[str]) -> str:
    """Return how the Follower asks for what it cannot find, "" where nothing is missing.

    Of several types it names one that people carry, by its shortest name: a knife, not slices.
    """
    names = sorted(missing, key=lambda name: (not affordances_of(name).pickupable, len(name), name))
    if not names:
        return ""
    return f"I cannot find any {words_for_type(names[0])}. Where should I look?"


def search_words(wanted: frozenset[str]) -> str:
    """Return what a look is for: "look for apple or bread"."""
    names = sorted(wanted)[:MAX_WANTED_NAMED]
    return "look for " + " or ".join(words_for_type(each) for each in names)


class GoalQuestions:
    """Chooses what to ask about a goal; nothing is asked twice in a session."""

    def __init__(self, *, is_answered: bool) -> None:
        """Begin; where nobody would answer, nothing is asked."""
        self._is_answered = is_answered
        self._asked: set[str] = set()

    def next(self, understood: Understanding | None, questions_left: int) -> str | None:
        """Return the next question that the budget allows; None if there is none."""
        if understood is None or not self._is_answered or questions_left <= RESERVED_REPORTS:
            return None
        for question in understood.questions:
            if question.about not in self._asked and question.about.startswith(_WORTH_ASKING):
                self._asked.add(question.about)
                return question.text
        return None


# Why the Follower stops, and what it says then.

DONE_WORDS = "I think that is done. Is anything missing?"
"""What the Follower says when it takes its goal for done."""
FAILED_WORDS = "I could not do all of it. Where should I look?"
"""What the Follower says when nothing is left to try, and it has found all that it needs."""
PUT_DOWN_WORDS = "put down what is held"
"""What a stretch is for that empties the hand."""


class ListenerEnd(StrEnum):
    """Why the Follower stopped."""

    NO_GOAL = "no goal was understood"
    NO_PERCEPTS = "the session gives no percepts"
    DONE = "the goal is done, as far as seen"
    NOTHING_LEFT = "nothing is left to try"
    BUDGET = "the budget of decisions is spent"
