"""Reads orders for single things: "take the mug, then open the fridge" is two of them.

A piece of an utterance that begins with a verb of `orders.toml` is an order; its nouns are read as
those of any dialogue.  Dishes and other tasks are none: those are understood as in any dialogue.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from typing import Any

from tatc.base.files import package_table
from tatc.home import assets, type_facts
from tatc.language.conversation import act_classifier, dialogue_acts
from tatc.language.object_names import location_words, preposition_for, words_for_type
from tatc.language.understanding import Goal, clause_reader, clauses, goal_tasks, goals, tokens
from tatc.tdl.properties import object_classes_of

PUT_DOWN, PICK_UP, PUT, GO_TO, LOOK_AT = "put down", "pick up", "put", "go to", "look at"
THROW, OTHER, BACK = "throw away", "other", "back"
_BIN_TYPE = "GarbageCan"
_BREAKS = re.compile(
    r"[.!?;:\n\u2026]+|,|&|\s[-\u2013\u2014]+\s|\b(?:and then|and|n|then|after that|afterwards|but"
    r"|before|(?:once|after|when|as soon as)(?= (?:you|the|that|it|\w+ing)\b))\b",
    re.IGNORECASE,
)
_EDGES = re.compile(r"^[\s,.!?;&]+|[\s,.!?;&]+$|\s+(?:and|then|but)\s*$", re.IGNORECASE)
_EARLIER = re.compile(r"once|after(?! that|wards)|when|as soon as", re.IGNORECASE)
_BELONGS_TO_DISH = re.compile(r"\b(?:it|them|plate|bowl|slices?)\b", re.IGNORECASE)
_DENIAL = re.compile(
    r"(?:but |please )*(?:do not|don't|dont|never(?! mind)|no need to|you needn't"
    r"|(forget|cancel|skip|never mind|leave out)(?: about)?) (.+)"
)
_CONTRAST = re.compile(
    r"\b(?:not|than|instead of|opposed to|other than)\s+(?:(?:the|an?|my|any|that|[io]n|at|into)\s+)*$"
)
_OWN_CORRECTION = re.compile(r"\W*(?:no|nope|sorry|er+m?|i meant?|wait|make (?:that|it)|scratch that)\b")
_AWAY = re.compile(r"\b(?:away|out|bin|trash|rid|dispose|garbage|rubbish)\b")
_STATED = re.compile(r"\b(?:the|an?|that|my|any|some|other|another)\s+(\w+)\s+\w+(?:\s\w+)?$")
_SHORT_IS = re.compile(r"'s\b")
_CORRECTION = re.compile(r"^(?:no|not|nope|sorry|oops|actually|i meant?)\b|\binstead$")
_LEAST_SURE, _LEAST_SURE_OF_LATER, _SURE = 0.25, 0.45, 0.6
"""How sure the classifier must be of an order that begins with no verb, more after another; and of
one that begins with the verb of another skill."""
_IT = re.compile(r"\b(?:it|them|that|one)\b")
_MAX_PIECES = 20


@dataclass(frozen=True, slots=True)
class Order:
    """An order: a `skill` of `orders.toml` done with `count` of a `thing` (a type or class).

    All of them are meant if `count` is None.  `place` is where they are put, "" for nowhere, or
    beside what.  `which` of the things is told by a state of `dialogue_acts.toml`, as `OTHER`, or
    by the type of what it is in or on; `only` is the id of the object that fits.
    """

    skill: str
    thing: str = ""
    count: int | None = 1
    place: str = ""
    is_beside: bool = False
    which: str = ""
    only: str = ""

    @property
    def is_possible(self) -> bool:
        """Whether things of this kind can be used so: a window does not open."""
        needed = _table()["needs"].get(self.skill, ())
        return not needed or any(_allows(self._used_thing, each) for each in needed)

    @property
    def _used_thing(self) -> str:
        """The thing that is touched: a burner is switched by its knob."""
        return _table()["operated_by"].get(f"{self.skill} {self.thing}", self.thing)

    @property
    def needs_place(self) -> bool:
        """Whether it was left open where to put the thing."""
        return self.skill == PUT and self.place in ("", BACK)

    @property
    def goal(self) -> Goal | None:
        """What holds once it is done, None for what nobody can do, or no task can say."""
        if not self.thing or not self.is_possible or self.needs_place:
            return None
        chore = goals.Chore(_table()["chores"].get(self.skill, self.skill))
        place = _BIN_TYPE if self.skill == THROW else self.place or None
        wanted = goals.ChoreWanted(chore, self._used_thing, self.count, place, only=self.only)
        return goal_tasks.goal_for(goals.GoalContent(chores=(wanted,)))

    def is_meant(self, denied: "Order") -> bool:
        """Whether this is what a denied order names: one to find a thing means any with it."""
        return denied.thing == self.thing and denied.skill in (self.skill, LOOK_AT)

    def told(self, *, done: bool = False) -> str:
        """Return the order in plain words: "put 2 forks in the sink", or what was done."""
        said = _table()["done" if done else "told"].get(self.skill, self.skill)
        noun, which = _noun(self.thing), self.which
        plural = self.count != 1 and self.thing in type_facts.KNOWN_OBJECT_TYPES
        number = "all the" if self.count is None else "the" if self.count == 1 else str(self.count)
        is_place = which in type_facts.KNOWN_OBJECT_CLASSES
        if self.thing:
            adjective = f" {which}" if which and not is_place else ""
            said += f" {number}{adjective} {tokens.plurals_of(noun)[0] if plural else noun}"
        said += f" {location_words(which)}" if is_place else ""
        if self.place == BACK:
            said += " back"
        elif self.place:
            to = "next to" if self.is_beside else preposition_for(self.place)
            said += f" {to} the {_noun(self.place)}"
        return said


def _noun(kind: str) -> str:
    """Return the words for one of a type or class: a table for "Tables"."""
    is_class = kind not in type_facts.KNOWN_OBJECT_TYPES
    return words_for_type(kind).removesuffix("s") if is_class else words_for_type(kind)


@cache
def _table() -> dict[str, Any]:
    return package_table("tatc.language.conversation", "orders.toml")


def attributes() -> Collection[str]:
    """Return what tells things apart and cannot be known here, such as colours."""
    return _table()["attributes"]


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


def _skill_of_verb(words: str) -> str:
    """Return the skill of the verb that words begin with, "" for none.

    Of several that fit, the longest is meant: "put down" before "put".
    """
    repaired = " ".join(each.text for each in tokens.read_terms(words, 0))
    bare = _fillers().sub("", dialogue_acts.plain_words(repaired))
    found = ((verb.match(bare), skill) for skill, verb in _verbs())
    ends = [(match.end(), skill) for match, skill in found if match is not None]
    return max(ends, key=lambda end: end[0])[1] if ends else ""


def _skill_of(words: str, least_sure: float) -> str:
    """Return the skill that words ask for, by their verb or by example, "" for none."""
    verb = _skill_of_verb(words)
    kind, sure = act_classifier.classify(words)
    is_sure = sure >= (_SURE if verb else least_sure)
    return kind if is_sure and kind in _table()["skills"] else verb


@dataclass(slots=True)
class Reading:
    """What an utterance orders, what it says shall not be done, and its other words.

    Nobody can do what is `impossible`, such as opening a window that does not open.
    """

    orders: list[Order] = field(default_factory=list[Order])
    impossible: list[Order] = field(default_factory=list[Order])
    denied: list[Order] = field(default_factory=list[Order])
    rest: str = ""


def read_orders(text: str, named: Sequence[str]) -> Reading:
    """Read the orders of an utterance, in the order in which they shall be done.

    "It" is the last type of those `named` before with which that can be done.
    """
    read = Reading()
    rest: list[str] = []
    text = dialogue_acts.spelled_out(text)
    for pattern, number in _table()["numbers"].items():
        text = re.sub(rf"\b(?:{pattern})", number, text)
    postponed = list[Order]()
    pieces = _pieces(text)
    for number, (mark, piece, skill) in enumerate(pieces):
        denied = _DENIAL.match(dialogue_acts.plain_words(piece))
        if denied is not None:
            skill = _skill_of(denied[2], 0) if denied[1] is None else LOOK_AT  # of any skill
            read.denied += _orders_in(skill, denied[2], named)
            continue
        following = pieces[number + 1][1] if len(piece.split()) == 1 and pieces[number + 1 :] else ""
        shared = following if skill != PUT_DOWN else ""  # "open and close it"
        likely = act_classifier.classify(piece)[0]  # "get the tap running" picks up no tap
        read_as = [list(_orders_in(each, f"{piece} {shared}", named)) for each in (skill, likely)]
        asked = next((each for each in read_as if any(o.is_possible for o in each)), read_as[0])
        if not asked or (_BELONGS_TO_DISH.search(piece) and any(map(_is_task, rest))):
            rest.append(piece)
            continue
        orders = [each for each in asked if each.is_possible and each not in read.orders[-1:]]
        read.impossible += [each for each in asked if not each.is_possible]
        named = [*named, *filter(None, (what for each in asked for what in (each.place, each.thing)))]
        if mark == "before" and not read.orders:
            postponed += orders
        elif _EARLIER.fullmatch(mark) and read.orders:
            read.orders[-1:-1] = orders
        else:
            read.orders += orders
            read.orders, postponed = read.orders + postponed, []
    read.orders += postponed
    read.orders = [
        each
        for each, after in zip(read.orders, [*read.orders[1:], None], strict=False)
        if after is None or (each.skill, each.thing, after.skill) != (PICK_UP, after.thing, PUT)
    ]
    read.rest = ". ".join(rest)
    return read


def _is_task(words: str) -> bool:
    return act_classifier.classify(words)[0] == "task"


def corrected(text: str, last: Order) -> Order | None:
    """Return the last order with what is meant instead: "no, the spoon"; None for no correction."""
    if not _CORRECTION.search(dialogue_acts.plain_words(text)):
        return None
    tail = f"in the {words_for_type(last.place)}" if last.place else ""
    bare = _CORRECTION.sub("", dialogue_acts.spelled_out(text)).strip(" ,.")
    skill = _skill_of_verb(bare) or last.skill
    if found := next(_orders_in(skill, f"{bare} {tail}", (last.thing,)), None):
        return found if found != replace(last, only="") else None
    place, _ = dialogue_acts.noun_in(text)
    return replace(last, place=place) if last.place and place else None


def _pieces(text: str) -> list[tuple[str, str, str]]:
    """Return the parts of an utterance that each ask for one thing: the mark before, words, skill.

    Words that ask for nothing by themselves belong to those before them, or to those after.
    """
    marks = [(0, 0), *(mark.span() for mark in _BREAKS.finditer(text))][:_MAX_PIECES]
    pieces: list[tuple[int, int, int, str]] = []
    for (start, end), (following, _) in pairwise([*marks, (len(text), 0)]):
        chunk = text[end:following].strip()
        if not re.search(r"\w", chunk):
            continue
        verb = _skill_of_verb(chunk)
        is_later = any(skill for *_, skill in pieces)
        is_sure = not is_later or " " in chunk or verb
        skill = _skill_of(chunk, _LEAST_SURE_OF_LATER) if is_sure else ""
        before = pieces[-1] if pieces and not _DENIAL.match(chunk) else None
        if before is not None and not before[3] and verb:
            pieces[-1] = (*before[:2], following, skill)  # "this pan is dirty, wash it"
        elif before is not None and not (before[3] and skill and (verb or skill not in (PUT, PICK_UP))):
            skill = _skill_of(text[before[1] : following], _LEAST_SURE) or before[3] or skill
            pieces[-1] = (*before[:2], following, skill)
        elif before is not None and verb and _IT.search(chunk) and not _skill_of_verb(text[before[1]:before[2]]):
            pieces[-1] = (*before[:2], following, skill)
        else:
            pieces.append((start, end, following, skill))
    return [
        (text[start:begin].strip(), _EDGES.sub("", text[begin:end]), skill)
        for start, begin, end, skill in pieces
    ]


def _orders_in(skill: str, piece: str, named: Sequence[str]) -> Iterator[Order]:
    text = _SHORT_IS.sub("", piece)
    phrases = _phrases_meant(text)
    if skill not in _table()["skills"] or any(each.is_dish for each in phrases):
        return
    is_placed = skill in (PUT, PUT_DOWN) or (skill == THROW and not _AWAY.search(text))
    places = [each for each in phrases if each.relation == "on" and each.what and is_placed]
    if skill == PUT_DOWN and not places:
        yield Order(PUT_DOWN)
        return
    skill = PUT if places else skill
    beside = [each for each in phrases if each.relation == "near" and each.what and skill == PUT]
    yielded: list[str] = []
    things = [each for each in phrases if each.relation in ("", "of")]
    for phrase in things or ([] if places else phrases):
        later = [each.what for each in phrases if each.relation == "on" and each.span.start > phrase.span.start]
        place = [*later, *(each.what for each in places)][0] if places else ""
        near = beside[0].what if beside and not places else ""
        is_back = skill == PUT and not places and not beside and re.search(r"\bback\b", text)
        is_bin = skill == PUT and place == _BIN_TYPE
        which = "" if places else next(iter(later), "")
        order = Order(
            skill=THROW if is_bin else skill,
            count=_count_of(phrase),
            place="" if is_bin else BACK if is_back else place or near,
            is_beside=bool(near),
            which=OTHER if phrase.adds else _told_of(text[: phrase.span.end]) or which,
        )
        known = (phrase.what, *reversed([*named, *yielded]))
        meant = [replace(order, thing=each) for each in known if each]
        done = meant if phrase.what else [each for each in meant if each.is_possible]
        if not done or (order.skill == THROW and phrase.what == _BIN_TYPE):
            continue
        if phrase.what or done[0].thing not in yielded:
            yield done[0]
            yielded.append(done[0].thing)


def _told_of(text: str) -> str:
    """Return the state or other attribute of the noun with which a text ends, "" for none."""
    found = _STATED.search(text)
    word = "" if found is None else found[1]
    return dialogue_acts.state_of_word(word) or (word if word in _table()["attributes"] else "")


def _phrases_meant(text: str) -> list[clauses.NounPhrase]:
    """Return the noun phrases of a piece without those that are named as not meant."""
    read = clause_reader.read_clauses(tokens.read_terms(text, 0))
    phrases = [each for clause in read for each in clause.phrases]
    starts = [each.span.start for each in phrases[1:]] + [len(text)]
    unmeant = [
        each.is_negated
        or (bool(each.what) and not text[each.span.end : following].strip() and following < len(text))
        or _CONTRAST.search(text[: each.span.start]) is not None
        or _OWN_CORRECTION.match(text[each.span.end : following]) is not None
        for each, following in zip(phrases, starts, strict=False)
    ]
    denied = {each.what for each, is_denied in zip(phrases, unmeant, strict=True) if is_denied}
    return [
        each
        for each, is_denied in zip(phrases, unmeant, strict=True)
        if not is_denied and (not each.what or each.what not in denied)
    ]


def _count_of(phrase: clauses.NounPhrase) -> int | None:
    """Return how many are meant: all by "all", and by a plural with "the"."""
    is_all = phrase.is_plural and phrase.is_definite and phrase.count is None
    is_all = is_all and not phrase.what.endswith("s")  # "the blinds"
    return None if phrase.wants_all or is_all else phrase.count or 1
