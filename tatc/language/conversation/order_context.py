"""Reads words that order nothing by themselves, by the orders before them: "the shelf's better".

What they name tells what they mean: a place, where the last thing goes; a number, how many; the
last thing beside another, that the other is meant; a thing that was asked for, without "only" or
with it, which orders remain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tatc.language.conversation import act_classifier, orders
from tatc.language.conversation.order_reading import Reading, count_of, read_orders
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

_MOST_WORDS_OF_PLACE, _SURE_OF_ACT = 3, 0.45
"""So many words that name a place say where, even if they have no preposition."""


@dataclass(frozen=True)
class Change:
    """What words ask for; in which order's `place_of` it stands, None for none of them."""

    read: Reading
    place_of: Order | None = None


def read_in_context(
    read: Reading, last: Order, wanted: Sequence[Order], named: Sequence[str]
) -> Change | None:
    """Return what words without an order of their own ask for after the `last` one, if anything."""
    words = _Words(spelled_out(read.rest), last, tuple(wanted), tuple(named))
    if read.denied:  # "not that one! The desk lamp!"
        is_last = any(map(last.is_meant, read.denied))
        return _other_thing(words, is_denied=True) if is_last else None
    act = act_classifier.guessed_act(read.rest, _SURE_OF_ACT)
    is_act = act is not None and act.act not in ("yes", "no", "cancel", "repeat")
    if not read.rest or is_act or pattern("asks").match(words.text):
        return None
    rules = [_kept, _dropped, _number, _state, _alike, _beside, _other_thing, _place, _added]
    rules = rules[:2] if skill_of_verb(words.text) else rules
    return next(filter(None, (rule(words) for rule in rules)), None)


def replaced(text: str, given: Order, wanted: Sequence[Order]) -> Order | None:
    """Return the order of those `wanted` in whose place a new one stands, None for none.

    To open what was to be closed, or to put elsewhere what was to be put somewhere, takes the
    first order back, unless words such as "then" say that both are to be done.
    """
    words, last = spelled_out(text), wanted[-1]
    of_same = [each for each in wanted if each.thing == given.thing and each.skill != "task"]
    undone = next((e for e in of_same if e.skill in _gerunds(words) - {given.skill}), None)
    if undone is not None:  # "slicing was a bad idea, warm it"
        return undone
    if pattern("sequence").search(words):
        return None
    is_as_last = given.skill == last.skill and given.thing != last.thing
    is_like = bool({*orders.noun(last.thing).split()} & {*orders.noun(given.thing).split()})
    says_so = pattern("correction").search(words) or (is_like and not skill_of_verb(words))
    if is_as_last and (says_so or given.skill == orders.GO_TO):
        return last
    if given.skill == orders.THROW and of_same and given not in of_same:
        return of_same[-1]
    placing = (orders.PUT, orders.THROW)
    moves = given.skill in placing and (given.is_definite or find("it", words) is not None)
    both = (each for each in of_same if moves and each.skill in placing and each != given)
    is_turned = last in of_same and given.skill in skills_never_meant(last.skill)
    return last if is_turned else next(both, None)


def _gerunds(words: str) -> set[str]:
    """Return the skills of which words speak as of a thing: "never mind the cooling"."""
    said = (each[1] or each[2] for each in pattern("gerund_noun").finditer(words))
    return {skill_of_verb(f"{each} it") for each in said} - {""}


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
    """Keep only those orders that are named: "just the spoon"."""
    told = pattern("only").search(words.text)
    if told is None:
        return None
    said = words.text if told[0].endswith("alone") else words.text[told.end() :]
    kept = replace(words, text=said).asked_for()
    dropped = [each for each in words.wanted if each not in kept]
    return Change(Reading(denied=dropped)) if kept and dropped else None


def _dropped(words: _Words) -> Change | None:
    """Drop what is named: "minus the tomato", "the second one can wait"."""
    if not pattern("drops").search(words.text) or len(words.types) > 1:
        return None
    return Change(Reading(denied=found)) if (found := words.asked_for()) else None


def _number(words: _Words) -> Change | None:
    """Take another number: "six, there's guests", "one fewer"."""
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
    """Turn the last order into its opposite: "off? on!", "the other way round"."""
    opposite = [*skills_never_meant(words.last.skill)][:1]
    parts = map(str.strip, pattern("breaks").split(words.text))
    alone = filter(None, map(pattern("state_alone").fullmatch, parts))
    said = [each[1] for each in alone]
    if not {*words.types} - {words.last.thing}:
        said = said or pattern("state_word").findall(words.text)
    told = [order_table()["stated"][each] for each in said]
    turns = pattern("reversed").search(words.text) or (told and told[-1] in opposite)
    return _changed(words, skill=opposite[0]) if opposite and turns else None


def _alike(words: _Words) -> Change | None:
    """Do the same with another thing: "same for the tap", "as many cups"."""
    if not pattern("same").search(words.text):
        return None
    last = replace(words.last, which="", only="")
    count = last.count if pattern("as_many").search(words.text) else 1
    found = [replace(last, thing=each, count=count) for each in words.types if each != last.place]
    able = [each for each in found if each.thing != last.thing and each.is_possible]
    return Change(Reading(able)) if able else None


def _beside(words: _Words) -> Change | None:
    """Put a thing where the last one goes: "the vase next to it", "the spoon there too"."""
    last = words.last
    where = last.place or (last.thing if orders.is_place(last.thing) else "")
    things = [each for each in words.things if each not in (last.thing, where)]
    if not where or not things or words.places or not pattern("there_too").search(words.text):
        return None
    put = [Order(orders.PUT, each, place=where) for each in things]
    return Change(Reading(put))


def _other_thing(words: _Words, *, is_denied: bool = False) -> Change | None:
    """Take another thing than the last, which is named too or has a like name."""
    last = words.last
    able = [each for each in words.types if replace(last, thing=each).is_possible]
    others = [each for each in able if each not in (last.thing, last.place)]
    shared = {*orders.noun(last.thing).split()} & {*" ".join(map(orders.noun, others)).split()}
    is_named = is_denied or last.thing in {*words.types} | words.denied or bool(shared)
    if len(others) != 1 or not last.thing or not is_named or words.adds:
        return None
    named = next(each for each in phrases_meant(words.text) if each.what == others[0])
    is_bare = named.is_plural and not (named.is_definite or named.wants_all or named.count)
    return _changed(words, thing=others[0], count=last.count if is_bare else count_of(named))


def _place(words: _Words) -> Change | None:
    """Put the last thing where words say: "so sofa", "drawer for that"."""
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
    """Fetch one more thing: "plus a book since I'm bored"."""
    things = list(_first_things(words))
    if not things or not words.adds or pattern("statement_of").search(words.text):
        return None
    skill = words.last.skill if find("too", words.text) else orders.PICK_UP
    place = words.last.place if skill == orders.PUT else ""
    like = [Order(skill, each, place=place) for each in things]
    like = [each if each.is_possible else Order(orders.PICK_UP, each.thing) for each in like]
    return Change(Reading(like))


def _first_things(words: _Words) -> Iterator[str]:
    for part in pattern("breaks").split(words.text)[:2]:
        for each in phrases_meant(part):
            if each.what in words.things and each.relation in ("", "of"):
                yield each.what
