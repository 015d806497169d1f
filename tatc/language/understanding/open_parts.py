"""The parts of a goal that a dialogue can leave open, by the names that questions give them."""

from enum import StrEnum


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
