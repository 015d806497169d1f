"""The parts of a goal that a dialogue can leave open, by the names that questions give them."""

from enum import StrEnum


class OpenPart(StrEnum):
    """What nobody said; for the count of a food there is `count_part`."""

    GOAL = "goal"
    IMPOSSIBLE_GOAL = "impossible goal"
    CONTAINER = "container"
    TABLE = "table"
    ONE_PLACE = "one place"


COUNT_PREFIX = "count of "
"""How the names of counts begin."""


def count_part(food: str) -> str:
    """Return the name of how many slices of a food are wanted."""
    return f"{COUNT_PREFIX}{food}"
