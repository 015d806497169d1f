"""What the Follower asks a simulated user, and where things are."""

from dataclasses import dataclass

from tatc.language.object_names import location_words, words_for_type
from tatc.state import ObjectState, Snapshot
from tatc.tdl.properties import is_of_type_or_class, parent_receptacles_of
from tatc.understanding.clause_reader import read_clauses
from tatc.understanding.tokens import read_terms

_END_WORDS = frozenset("done finished complete completed miss missed satisfied anything".split())
_GOAL_PHRASES = ("what shall", "what should", "what can", "what would you like", "what is my")


@dataclass(frozen=True, slots=True)
class Heard:
    """What an utterance of the Follower asks.

    `asks_about` is "goal", "where", "container", "table", "one place", "end", "count of Tomato"
    or such; "" where it asks nothing.  `things` is the type or class that it is about; "" for none
    ("where should I look?").
    """

    asks_about: str
    things: str = ""


def hear_question(text: str) -> Heard:
    """Return what the Follower asks; any text is taken."""
    lower = text.lower()
    clauses = read_clauses(read_terms(text, 0))
    marks = {mark for clause in clauses for mark in clause.marks}
    named = [phrase.what for clause in clauses for phrase in clause.phrases if phrase.what]
    if "how_many" in marks and named:
        return Heard(f"count of {'Bread' if named[-1] == 'toast' else named[-1]}", named[-1])
    if "plate or a bowl" in lower or "plate or bowl" in lower:
        return Heard("container")
    if "where shall i serve" in lower:
        return Heard("table")
    if "same place" in lower:
        return Heard("one place")
    if "where" in marks or lower.rpartition(". ")[2].startswith("where "):
        return Heard("where", named[-1] if named else "")
    if any(phrase in lower for phrase in _GOAL_PHRASES):
        return Heard("goal")
    if _END_WORDS & set(lower.replace("?", " ").replace(".", " ").replace(",", " ").split()):
        return Heard("end")
    return Heard("")


def where_words(snapshot: Snapshot, things: str) -> str:
    """Return where things of a type or class are: in or on what, for three of them at most.

    Of one that the Follower holds, this is said.
    """
    found = [each for each in snapshot.objects if is_of_type_or_class(each, things)]
    places = dict.fromkeys(
        place for each in found if (place := _place_words(each, snapshot)) is not None
    )
    if any(each.isPickedUp for each in found):
        return f"You hold the {words_for_type(things)}."
    if not places:
        return f"I do not know where a {words_for_type(things)} is."
    first, *others = list(places)[:3]
    more = "".join(f" There is one {each}." for each in others)
    return f"The {words_for_type(things)} is {first}.{more}"


def _place_words(obj: ObjectState, snapshot: Snapshot) -> str | None:
    """Return words such as "in the fridge"; None where nothing holds the object."""
    for parent in parent_receptacles_of(obj, snapshot):
        holder = snapshot.get(parent)
        if holder is not None:
            return location_words(holder.objectType)
    return None
