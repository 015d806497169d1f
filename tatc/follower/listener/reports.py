"""Why the Follower stops, and what it says then."""

from enum import StrEnum

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
