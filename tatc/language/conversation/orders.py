"""Reads orders for single things: "take the mug, then open the fridge" is two of them.

A piece of an utterance that begins with a verb of `orders.toml` is an order; its nouns are read as
those of any dialogue.  Dishes and other tasks are none: those are understood as in any dialogue.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

from tatc.base.files import package_table
from tatc.home import assets, type_facts
from tatc.language.conversation import dialogue_acts
from tatc.language.object_names import preposition_for, words_for_type
from tatc.language.understanding import Goal, clause_reader, clauses, goal_tasks, goals, tokens
from tatc.tdl.properties import object_classes_of

PUT_DOWN, PICK_UP, PUT, GO_TO, LOOK_AT = "put down", "pick up", "put", "go to", "look at"
_BIN_TYPE = "GarbageCan"
_BREAKS = re.compile(r"[.!?;\n]+|,|&|\b(?:and then|and|then|after that|but)\b", re.IGNORECASE)
_EDGES = re.compile(r"^[\s,.!?;&]+|[\s,.!?;&]+$|\s+(?:and|then|but)\s*$", re.IGNORECASE)
_BELONGS_TO_DISH = re.compile(r"\b(?:it|them|plate|bowl|slices?)\b", re.IGNORECASE)
_DENIAL = re.compile(r"(?:please )?(?:do not|don't|never|no need to|you needn't) (.+)")
_CORRECTION = re.compile(r"^(?:no|not|nope|sorry|oops|actually|i meant?)\b|\binstead$")
_MAX_PIECES = 20


@dataclass(frozen=True, slots=True)
class Order:
    """An order: a `skill` of `orders.toml` done with `count` of a `thing` (a type or class).

    All of them are meant if `count` is None.  `place` is where they are put, "" for nowhere.
    """

    skill: str
    thing: str = ""
    count: int | None = 1
    place: str = ""

    @property
    def goal(self) -> Goal | None:
        """What holds once it is done, None for what nobody can do, or no task can say."""
        needed = _table()["needs"].get(self.skill, "")
        if not self.thing or (needed and not _allows(self.thing, needed)):
            return None
        chore = goals.Chore(_table()["chores"].get(self.skill, self.skill))
        place = _BIN_TYPE if self.skill == "throw away" else self.place or None
        wanted = goals.ChoreWanted(chore, self.thing, self.count, place)
        return goal_tasks.goal_for(goals.GoalContent(chores=(wanted,)))

    def told(self, *, done: bool = False) -> str:
        """Return the order in plain words: "put 2 forks in the sink", or what was done."""
        said = _table()["done"][self.skill] if done else self.skill
        noun = words_for_type(self.thing)
        plural = self.count != 1 and self.thing in type_facts.KNOWN_OBJECT_TYPES
        number = "all the" if self.count is None else "the" if self.count == 1 else str(self.count)
        if self.thing:
            said += f" {number} {tokens.plurals_of(noun)[0] if plural else noun}"
        place = f" {preposition_for(self.place)} the {words_for_type(self.place)}"
        return said + place if self.place else said


@cache
def _table() -> dict[str, Any]:
    return package_table("tatc.language.conversation", "orders.toml")


@cache
def _verbs() -> tuple[tuple[str, re.Pattern[str]], ...]:
    named: dict[str, list[str]] = _table()["skills"]
    return tuple(
        (name, re.compile(rf"(?:{text})(?!\w)")) for name, texts in named.items() for text in texts
    )


@cache
def _allows(kind: str, affordance: str) -> bool:
    known = assets.known_object_types().items()
    able = (name for name, usual in known if getattr(usual.affordances, affordance))
    return any(kind in object_classes_of(name) for name in able)


@cache
def _fillers() -> re.Pattern[str]:
    return re.compile(rf"^(?:(?:{_table()['fillers']})\s+)+")


def _skill_of(words: str) -> tuple[str, str]:
    """Return the skill that plain words begin with, "" for none, and the words after the verb.

    Of several verbs that fit, the longest is meant: "put down" before "put".
    """
    bare = _fillers().sub("", words)
    found = ((verb.match(bare), skill) for skill, verb in _verbs())
    ends = [(match.end(), skill) for match, skill in found if match is not None]
    longest, skill = max(ends, key=lambda end: end[0], default=(0, ""))
    return skill, bare[longest:].strip() or bare.partition(" ")[2]


def read_orders(text: str, named: Sequence[str]) -> tuple[list[Order], str]:
    """Return the orders of an utterance, and the words that ask for anything else, "" for none.

    "It" is the last type of those `named` before with which that can be done.
    """
    found: list[Order] = []
    rest: list[str] = []
    for piece, following in pairwise([*_pieces(text), ""]):
        skill, words = _skill_of(dialogue_acts.plain_words(piece))
        shared = following if not words and skill != PUT_DOWN else ""  # "open and close it"
        orders = list(_orders_in(skill, f"{piece} {shared}", named)) if skill else []
        if not orders or (rest and _BELONGS_TO_DISH.search(piece)):
            rest.append(piece)
            continue
        found += orders
        named = [*named, *(each.thing for each in orders if each.thing)]
    return found, ". ".join(rest)


def denied_orders(text: str) -> list[Order]:
    """Return what shall not be done: "don't open the fridge"."""
    denied = _DENIAL.match(dialogue_acts.plain_words(text))
    return [] if denied is None else read_orders(denied[1], ())[0]


def corrected(text: str, last: Order) -> Order | None:
    """Return the last order with what is meant instead: "no, the spoon"; None for no correction."""
    if not _CORRECTION.search(dialogue_acts.plain_words(text)):
        return None
    tail = f"in the {words_for_type(last.place)} " if last.place else ""
    if found := next(_orders_in(last.skill, f"{tail}{text}", ()), None):
        return found
    place, _ = dialogue_acts.noun_in(text)
    return replace(last, place=place) if last.place and place else None


def _pieces(text: str) -> Iterator[str]:
    """Yield the parts of an utterance that each begin with a verb."""
    starts = [0]
    for mark in _BREAKS.finditer(text):
        if _skill_of(dialogue_acts.plain_words(text[mark.end() :]))[0]:
            starts.append(mark.end())
    for start, end in pairwise([*starts[:_MAX_PIECES], len(text)]):
        piece = _EDGES.sub("", text[start:end])
        if piece and not _BREAKS.fullmatch(piece):
            yield piece


def _orders_in(skill: str, piece: str, named: Sequence[str]) -> Iterator[Order]:
    phrases = [
        each
        for clause in clause_reader.read_clauses(tokens.read_terms(piece, 0))
        for each in clause.phrases
        if not each.is_negated
    ]
    if any(each.is_dish for each in phrases):
        return
    places = [each.what for each in phrases if each.relation == "on" and each.what]
    place = places[-1] if places and skill in (PUT, PUT_DOWN) else ""
    if skill == PUT_DOWN and not place:
        yield Order(PUT_DOWN)
        return
    asked = Order("throw away" if place == _BIN_TYPE else PUT if place else skill)
    things = [each for each in phrases if each.relation in ("", "of")]
    for phrase in things or ([] if place else phrases):
        where = place if asked.skill == PUT else ""
        order = replace(asked, count=_count_of(phrase), place=where)
        meant = (replace(order, thing=each) for each in (phrase.what, *reversed(named)) if each)
        done = next((each for each in meant if each.goal is not None or phrase.what), order)
        if done.goal is not None and (where or asked.skill != PUT):
            yield done


def _count_of(phrase: clauses.NounPhrase) -> int | None:
    """Return how many are meant: all by "all", and by a plural with "the"."""
    is_all = phrase.is_plural and phrase.is_definite and phrase.count is None
    is_all = is_all and not phrase.what.endswith("s")  # "the blinds"
    return None if phrase.wants_all or is_all else phrase.count or 1
