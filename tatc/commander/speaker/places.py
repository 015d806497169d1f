"""Where things are, as a person who looks for the Follower says it."""

from tatc.home.state import ObjectState, Snapshot
from tatc.home.type_facts import KNIFE_TYPES, WHOLE_TYPE_BY_PIECE
from tatc.language.object_names import location_words, words_for_type
from tatc.tdl import ProblemKey, Progress
from tatc.tdl.properties import is_of_type_or_class, parent_receptacles_of

_MAX_PLACES = 3  # told of one kind of things


class Places:
    """Tells places in a home, given how it was at the start and how it is now.

    A drawer leaves behind what was in it when the session began, and is then no parent of it any
    more.  People say that it is in the drawer all the same.
    """

    def __init__(self, start: Snapshot, now: Snapshot) -> None:
        """Take the home at the start and now."""
        self._start, self._now = start, now

    def where(self, things: str) -> str:
        """Return where things of a type or class are, what lies open first; or that nobody knows.

        Of one that the Follower holds, this is said.
        """
        name = words_for_type(things)
        found = self._things(things)
        if not found and things in KNIFE_TYPES:
            found = self._things(*KNIFE_TYPES)  # any of them cuts
        if any(each.isPickedUp for each in found):
            return f"You hold the {name}."
        holders = [holder for each in found if (holder := self._holder(each)) is not None]
        holders.sort(key=lambda each: each.affordances.openable)
        places = [*dict.fromkeys(location_words(each.objectType) for each in holders)]
        if not places:
            return f"I do not know where a {name} is."
        first, *others = places[:_MAX_PLACES]
        return f"The {name} is {first}." + "".join(f" There is one {each}." for each in others)

    def of_object(self, object_id: str) -> tuple[str, str] | None:
        """Return words for an object and its place; None where nothing holds it."""
        obj = self._now.get(object_id)
        holder = None if obj is None or obj.isPickedUp else self._holder(obj)
        if obj is None or holder is None:
            return None
        return words_for_type(obj.objectType), location_words(holder.objectType)

    def _things(self, *kinds: str) -> list[ObjectState]:
        return [
            obj
            for obj in self._now.objects
            if any(is_of_type_or_class(obj, kind) for kind in kinds)
        ]

    def _holder(self, obj: ObjectState) -> ObjectState | None:
        parents = parent_receptacles_of(obj, self._now)
        before = self._start.get(obj.objectId)
        if not parents and before is not None and before.position == obj.position:
            parents = parent_receptacles_of(before, self._start)
        return next((found for each in parents if (found := self._now.get(each))), None)


# What is missing when the Follower believes that it is done, as a person would say it.

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
