"""Reads words that order nothing by themselves, by the orders before them: "the shelf's better".

What they name tells what they mean: a place, where the last thing goes; a number, how many; the
last thing beside another, that the other is meant; a thing that was asked for, without "only" or
with it, which orders remain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tatc.language.conversation import orders
from tatc.language.conversation.order_reading import Reading, read_orders
from tatc.language.conversation.order_words import (
    find,
    pattern,
    phrases_meant,
    phrases_read,
    skill_of_verb,
    skills_never_meant,
    spelled_out,
)
from tatc.language.conversation.orders import Order, order_table
from tatc.language.object_names import preposition_for

_MOST_WORDS_OF_PLACE = 3
"""So many words that name a place say where, even if they have no preposition."""


@dataclass(frozen=True)
class Change:
    """What words ask for; in which order's `place_of` it stands, None for none of them."""

    read: Reading
    place_of: Order | None = None


def read_in_context(
    text: str, last: Order, wanted: Sequence[Order], named: Sequence[str]
) -> Change | None:
    """Return what words without an order ask for after the `last` one, None for nothing."""
    words = _Words(spelled_out(text), last, tuple(wanted), tuple(named))
    rules = (_kept, _dropped, _number, _state, _alike, _beside, _other_thing, _place, _added)
    return next(filter(None, (rule(words) for rule in rules)), None)


def replaced(text: str, given: Order, wanted: Sequence[Order]) -> Order | None:
    """Return the order of those `wanted` in whose place a new one stands, None for none.

    To open what was to be closed, or to put elsewhere what was to be put somewhere, takes the
    first order back, unless words such as "then" say that both are to be done.
    """
    words = spelled_out(text)
    of_same = [each for each in wanted if each.thing == given.thing and each.skill != "task"]
    undone = next((e for e in of_same if e.skill in _gerunds(words) - {given.skill}), None)
    if undone is not None:  # "slicing was a bad idea, warm it"
        return undone
    if pattern("sequence").search(words):
        return None
    placing = (orders.PUT, orders.THROW)
    moves = given.skill in placing and (given.is_definite or find("it", words) is not None)
    both = (each for each in of_same if moves and each.skill in placing and each != given)
    turned = (each for each in of_same if given.skill in skills_never_meant(each.skill))
    return next(turned, next(both, None))


def _gerunds(words: str) -> set[str]:
    """Return the skills of which words speak as of a thing: "never mind the cooling"."""
    return {skill_of_verb(each[1]) for each in pattern("gerund_noun").finditer(words)} - {""}


@dataclass(frozen=True)
class _Words:
    """Words, the last order before them, all that are wanted, and what was named until then."""

    text: str
    last: Order
    wanted: tuple[Order, ...]
    named: tuple[str, ...]

    @cached_property
    def types(self) -> list[str]:
        """The types that are named and meant."""
        return list(dict.fromkeys(each.what for each in phrases_meant(self.text) if each.what))

    @cached_property
    def denied(self) -> set[str]:
        """The types that are named as not meant."""
        return phrases_read(self.text)[1]

    @property
    def places(self) -> list[str]:
        """What is named that things are put on and nobody carries."""
        fixed = (each for each in self.types if orders.is_place(each))
        return [each for each in fixed if not Order(orders.PICK_UP, each).is_possible]

    @property
    def things(self) -> list[str]:
        """What is named and can be carried."""
        return [each for each in self.types if Order(orders.PICK_UP, each).is_possible]

    @property
    def adds(self) -> bool:
        """Whether words say that they name more: "and", "too"."""
        return bool(pattern("adds").search(self.text))

    def asked_for(self) -> list[Order]:
        """Return the orders whose thing is named."""
        meant = [Order(orders.LOOK_AT, each) for each in (*self.types, *self.denied)]
        return [each for each in self.wanted if any(map(each.is_meant, meant))]


def _changed(words: _Words, **told: object) -> Change:
    changed = replace(words.last, only="", **told)  # type: ignore[arg-type]
    return Change(Reading([changed]), words.last)


def _kept(words: _Words) -> Change | None:
    """Of several orders only those named are kept: "just the spoon"."""
    kept = words.asked_for() if pattern("only").search(words.text) else []
    dropped = [each for each in words.wanted if each not in kept]
    return Change(Reading(denied=dropped)) if kept and dropped else None


def _dropped(words: _Words) -> Change | None:
    """An order is dropped: "minus the tomato", "the second one can wait"."""
    if not pattern("drops").search(words.text) or len(words.types) > 1:
        return None
    return Change(Reading(denied=found)) if (found := words.asked_for()) else None


def _number(words: _Words) -> Change | None:
    """Another number is meant: "six, there's guests", "one fewer"."""
    if {*words.types} - {words.last.thing} or not words.last.thing:
        return None
    count = words.last.count
    for part in pattern("breaks").split(words.text):
        if pattern("all_told").fullmatch(part.strip()):
            count = None
        elif told := pattern("number_told").fullmatch(part.strip()):
            count = _number_of(told[1])
        elif (told := pattern("number_more").search(part)) and count is not None:
            more = 0 if told["less"] else _number_of(told["more"] or "one")
            count = max(1, count + (more or -_number_of(told["less"])))
        elif count is not None and (told := pattern("number_times").search(part)):
            count = 2 * count if told["twice"] else max(1, count // 2)
    return _changed(words, count=count) if count != words.last.count else None


def _number_of(word: str) -> int:
    return next((each.count or 1 for each in phrases_meant(f"{word} forks")), 1)


def _state(words: _Words) -> Change | None:
    """The opposite is meant: "off? on!", "the other way round"."""
    if {*words.types} - {words.last.thing}:
        return None
    opposite = [*skills_never_meant(words.last.skill)][:1]
    told = [order_table()["stated"][each] for each in pattern("state_word").findall(words.text)]
    turns = pattern("reversed").search(words.text) or (told and told[-1] in opposite)
    return _changed(words, skill=opposite[0]) if opposite and turns else None


def _alike(words: _Words) -> Change | None:
    """The same is done with another thing: "same for the tap", "as many cups"."""
    if not pattern("same").search(words.text):
        return None
    last = replace(words.last, which="", only="")
    count = last.count if pattern("as_many").search(words.text) else 1
    found = [replace(last, thing=each, count=count) for each in words.types if each != last.place]
    able = [each for each in found if each.thing != last.thing and each.is_possible]
    return Change(Reading(able)) if able else None


def _beside(words: _Words) -> Change | None:
    """A thing goes where the last one does: "the vase next to it", "the spoon there too"."""
    last = words.last
    where = last.place or (last.thing if orders.is_place(last.thing) else "")
    things = [each for each in words.things if each not in (last.thing, where)]
    if not where or not things or words.places or not pattern("there_too").search(words.text):
        return None
    put = [Order(orders.PUT, each, place=where) for each in things]
    return Change(Reading(put))


def _other_thing(words: _Words) -> Change | None:
    """Another thing than the last is meant, which is named too or has a like name."""
    last = words.last
    able = [each for each in words.types if replace(last, thing=each).is_possible]
    others = [each for each in able if each not in (last.thing, last.place)]
    shared = {*orders.noun(last.thing).split()} & {*" ".join(map(orders.noun, others)).split()}
    is_named = last.thing in {*words.types} | words.denied or bool(shared)
    if len(others) != 1 or not last.thing or not is_named or words.adds:
        return None
    return _changed(words, thing=others[0])


def _place(words: _Words) -> Change | None:
    """A place tells where the last thing goes: "so sofa", "drawer for that"."""
    last = words.last
    where = [each for each in words.places if each not in (last.place, last.thing)]
    others = {*words.things} - {last.thing}
    if len(where) != 1 or others or pattern("no_order").search(words.text):
        return None
    if last.skill in (orders.PUT, orders.THROW):
        return _changed(words, skill=orders.PUT, place=where[0])
    if last.skill == orders.GO_TO:
        return None if words.adds else _changed(words, thing=where[0])
    is_short = len(words.text.split()) <= _MOST_WORDS_OF_PLACE
    if not (is_short or pattern("moved").search(words.text)):
        return None
    it = "them" if pattern("several").search(words.text) else "it"
    put = f"put {it} {preposition_for(where[0])} the {orders.noun(where[0])}"
    return Change(Reading(found)) if (found := read_orders(put, words.named).orders) else None


def _added(words: _Words) -> Change | None:
    """A thing is named as one more: "plus a book since I'm bored"."""
    things = list(_first_things(words))
    if not things or not words.adds or pattern("statement_of").search(words.text):
        return None
    return Change(Reading([Order(orders.PICK_UP, each) for each in things]))


def _first_things(words: _Words) -> Iterator[str]:
    for part in pattern("breaks").split(words.text)[:2]:
        for each in phrases_meant(part):
            if each.what in words.things and each.relation in ("", "of"):
                yield each.what
