"""What the Follower asks a simulated user."""

from dataclasses import dataclass
from enum import StrEnum

from tatc.language.understanding.clause_reader import read_clauses
from tatc.language.understanding.open_parts import OpenPart, count_part
from tatc.language.understanding.tokens import read_terms

_END_WORDS = frozenset("done finished complete completed miss missed satisfied anything".split())
_GOAL_PHRASES = ("what shall", "what should", "what can", "what would you like", "what is my")


class Topic(StrEnum):
    """What a Follower asks about besides the parts of the goal; NOTHING where it asks nothing."""

    WHERE = "where"
    END = "end"
    NOTHING = ""


@dataclass(frozen=True, slots=True)
class FollowerQuestion:
    """What an utterance of the Follower asks.

    `asks_about` is an `OpenPart` of the goal, the `count_part` of a food, or another `Topic`.
    `things` is the type or class that it is about; "" for none ("where should I look?").
    """

    asks_about: str
    things: str = ""


def hear_question(text: str) -> FollowerQuestion:
    """Return what the Follower asks; any text is taken."""
    lower = text.lower()
    clauses = read_clauses(read_terms(text, 0))
    marks = {mark for clause in clauses for mark in clause.marks}
    named = [phrase.what for clause in clauses for phrase in clause.phrases if phrase.what]
    if "how_many" in marks and named:
        food = "Bread" if named[-1] == "toast" else named[-1]
        return FollowerQuestion(count_part(food), named[-1])
    if "plate or a bowl" in lower or "plate or bowl" in lower:
        return FollowerQuestion(OpenPart.CONTAINER)
    if "where shall i serve" in lower:
        return FollowerQuestion(OpenPart.TABLE)
    if "same place" in lower:
        return FollowerQuestion(OpenPart.ONE_PLACE)
    if "where" in marks or lower.rpartition(". ")[2].startswith("where "):
        return FollowerQuestion(Topic.WHERE, named[-1] if named else "")
    if any(phrase in lower for phrase in _GOAL_PHRASES):
        return FollowerQuestion(OpenPart.GOAL)
    if _END_WORDS & set(lower.replace("?", " ").replace(".", " ").replace(",", " ").split()):
        return FollowerQuestion(Topic.END)
    return FollowerQuestion(Topic.NOTHING)
