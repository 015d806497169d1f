"""What is missing when the Follower believes that it is done, as a person would say it."""

from tatc.commander.speaker.places import Places
from tatc.home.types.facts import WHOLE_TYPE_BY_PIECE
from tatc.tdl import ProblemKey, Progress

MAX_MISSING = 2
"""What is said to be missing at once, at most: people do not list everything."""


def missing_words(progress: Progress, places: Places) -> str:
    """Return what a progress check misses and where it is; "" where nobody could tell."""
    said = dict.fromkeys(
        words for key in progress.problem_keys() if (words := _missing_thing(key, places))
    )
    return " ".join([*said][:MAX_MISSING])


def _missing_thing(key: ProblemKey, places: Places) -> str:
    """Return words for one thing; "" for slices, which the Follower has cut itself."""
    if key.object_type in WHOLE_TYPE_BY_PIECE:
        return ""
    found = places.of_object(key.object_id)
    if found is None:
        return ""
    thing, place = found
    if key.property_name == "isDirty":
        return f"The {thing} {place} is still dirty."
    return f"There is still a {thing} {place}."
