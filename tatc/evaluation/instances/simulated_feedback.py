"""A user who looks at what a Follower did in an instance, and says what is still missing.

HELPER's runs with feedback did this too (Sarch et al. 2023, section 4.3): when the agent takes
itself for done, the answer comes from the task's progress check.  The words are tatc's own.
"""

from tatc.language.object_names import words_for_type
from tatc.tdl import ProblemKey, Progress

MAX_WISHES = 3
"""What one answer asks for, at most: people do not list everything either."""
SLICED_SUFFIX = "Sliced"
"""What the types of slices end in."""
ALL_DONE = "That is all. Thank you!"
NOT_YET = "Something is still missing."

_WISH_BY_PROPERTY = {
    "isDirty": "Please wash the {thing}.",
    "isCooked": "Please cook the {thing}.",
    "simbotIsCooked": "Please cook the {thing}.",
    "simbotIsBoiled": "Please boil the {thing}.",
    "isFilledWithLiquid": "Please fill the {thing} with water.",
    "simbotIsFilledWithWater": "Please fill the {thing} with water.",
    "simbotIsFilledWithCoffee": "Please fill the {thing} with coffee.",
}


class SimulatedUser:
    """Answers what a Follower says, for a number of rounds."""

    def __init__(self, rounds: int) -> None:
        """Answer this many times."""
        self._rounds_left = rounds

    def answer(self, progress: Progress) -> str | None:
        """Return what is still missing, in words; None once all rounds are spent."""
        if not self._rounds_left:
            return None
        self._rounds_left -= 1
        return feedback_words(progress)


def feedback_words(progress: Progress) -> str:
    """Return what a progress check finds missing as requests, each different one once."""
    if progress.success:
        return ALL_DONE
    wishes = dict.fromkeys(_wish(key) for key in progress.problem_keys())
    return " ".join([*wishes][:MAX_WISHES]) or NOT_YET


def _wish(key: ProblemKey) -> str:
    thing = words_for_type(key.object_type)
    wish = _WISH_BY_PROPERTY.get(key.property_name)
    if key.property_name == "parentReceptacles":
        return f"Please put the {thing} {_place(key)}."
    if key.property_name == "objectType" and str(key.desired).endswith(SLICED_SUFFIX):
        return f"Please slice the {thing}."
    if key.property_name == "isToggled":
        return f"Please turn {'on' if key.desired else 'off'} the {thing}."
    if key.property_name == "isOpen":
        return f"Please {'open' if key.desired else 'close'} the {thing}."
    return NOT_YET if wish is None else wish.format(thing=thing)


def _place(key: ProblemKey) -> str:
    return f"on the {words_for_type(str(key.desired))}"
