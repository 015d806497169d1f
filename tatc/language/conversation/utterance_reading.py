"""Reads what a person says: its acts, its orders, and what it changes of orders before it.

"No, the spoon", "on the table" and "the forks too" change the last order.  Words that order nothing
by themselves are read by the orders before them.  What they name tells what they mean: a place,
where the last thing goes; a number, how many; the last thing beside another, that the other is
meant; a thing that was asked for, which orders remain.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tatc.language.conversation import (
    act_classifier,
    clause_roles,
    corrections,
    dialogue_acts,
    normalization,
    order_reading,
    order_things,
    order_words,
    orders,
)
from tatc.language.conversation.order_reading import Reading
from tatc.language.conversation.order_words import find, pattern, phrases_meant
from tatc.language.conversation.orders import Order, order_table
from tatc.language.object_names import preposition_for
from tatc.language.understanding import clause_reader, tokens

_USUAL_SKILLS = (orders.PICK_UP, "switch on", "open")
"""What is done with a thing that is only named, the first of these that can be."""
_MAX_TURNS = 6
"""So many times one utterance may take back what it said; what is beyond is read as one."""
_MOST_WORDS_OF_PLACE, _MOST_WORDS_OF_ANSWER = 3, 8
"""So many words that name a place say where, even if they have no preposition."""
_SURE_OF_ACT, _SURE_IN_CONTEXT = 0.6, 0.45
"""How sure the classifier must be of a dialogue act where words may be an order by example, and
where they may lean on the orders before them."""


def read_utterance(
    text: str, named: Sequence[str], wanted: Sequence[Order] = ()
) -> tuple[tuple[dialogue_acts.Said, ...], Reading]:
    """Return the dialogue acts of an utterance, and what the rest of it orders."""
    acts, rest = dialogue_acts.read_acts(clause_roles.asked(normalization.normalised(text)))
    unclear = next((each for each in acts if each.unknown), None)
    words = rest if unclear is None else unclear.words
    guess = act_classifier.guessed_act(words, _SURE_OF_ACT) if words else None
    named = [*named, "", *(each.thing for each in acts if each.thing)]  # "is it on? turn it off"
    read = _read_by_turns(rest, named, wanted) if rest else Reading()
    meant = pattern("correction").sub(" ", rest.lower()).strip(" ,.") if rest else ""
    taken_back = ("cancel", "no") if meant != rest.lower() else ()
    if guess is not None and guess.act in ("yes", "repeat", *taken_back) and phrases_meant(meant):
        guess = None  # "scratch that, toast", "a fork, yes", "the same for the fork"
    if guess is not None and unclear is not None and guess.act != unclear.act:
        acts = tuple(guess if each is unclear else each for each in acts)
    elif guess is not None and unclear is None and not read.denied:
        is_beside = read.rest != rest or dialogue_acts.names_any(rest)
        if not (is_beside and order_words.skill_of_verb(order_words.spelled_out(rest))):
            return (*acts, guess), Reading()
    return acts, read


def read_in_parts(
    text: str, read: Callable[[str], tuple[tuple[dialogue_acts.Said, ...], Reading]], *, whole: bool
) -> tuple[tuple[dialogue_acts.Said, ...], Reading]:
    """Read words, or a part of them where they mean nothing as a `whole` and may be parted."""
    acts, all_of_it = read(text)
    is_read = acts or all_of_it.orders or all_of_it.impossible or all_of_it.denied or whole
    parts = () if is_read or order_words.is_task(all_of_it.rest) else normalization.parts_of(text)
    found = ((acts, part) for acts, part in map(read, parts) if not part.impossible)
    return next((e for e in found if e[1].orders or e[1].denied), (acts, all_of_it))


def _read_by_turns(text: str, named: Sequence[str], wanted: Sequence[Order]) -> Reading:
    """Read orders, some of which the same utterance takes back: "two forks, no, three"."""
    first, *later = pattern("turns").split(text.lower(), maxsplit=_MAX_TURNS)
    read = order_reading.read_orders(first, named, wanted)
    if not (read.orders and later):
        return order_reading.read_orders(text, named, wanted)
    for words in filter(None, later):
        given = read.orders
        known = (what for each in given for what in orders.names_in(each) if what)
        also = order_reading.read_orders(words, [*named, "", *known], given)
        kept = [each for each in given if not any(map(each.is_meant, also.denied))]
        if moved := corrections.reordered(words, given):
            read.orders = moved
        elif kept != given:
            read.orders = kept + also.orders
        elif changed := corrections.corrected(words, given[-1] if given else Order("")):
            read.orders = corrections.with_given(given, changed, given[-1:])
        else:
            return order_reading.read_orders(text, named, wanted)
    return read


def unread_parts(text: str) -> list[str]:
    """Return the parts of words about a task that name nothing and ask for nothing known."""
    split = (re.split(r"\bwith (?=\w+ \w)", each) for each in pattern("breaks").split(text.lower()))
    parts = (part.strip() for parts in split for part in parts)
    asking = (part for part in parts if " " in part and not pattern("statement").match(part))
    clauses_of = ((part, clause_reader.read_clauses(tokens.read_terms(part, 0))) for part in asking)
    return [
        part
        for part, read in clauses_of
        if not any(each.what for clause in read for each in clause.phrases)
        and (pattern("noun").search(part) or not any(clause.verbs for clause in read))
        and act_classifier.guessed_act(part, _SURE_OF_ACT) is None
    ]


def with_the_same_verb(
    text: str, last: Order, named: Sequence[str], wanted: Sequence[Order]
) -> list[Order]:
    """Return what words order that only name things ("the forks too"), like the last order.

    Of "the same with the pan" all is done that is `wanted` of the last thing.
    """
    words = pattern("purpose").sub(" ", pattern("aside").sub("", order_words.spelled_out(text)))
    words = pattern("beside_it").sub(" there", words)
    if order_words.besides_nouns(words):
        return []
    known = named if pattern("other").search(text.lower()) else ()
    goes_there = find("too", words) or pattern("adds").match(words) or find("there", words)
    place = last.place if goes_there else ""
    is_alone = not last.thing and len(phrases_meant(words)) == 1
    skills = (last.skill, *_USUAL_SKILLS, *[orders.GO_TO] * is_alone)  # "the thing you sleep on"
    read_as = [list(order_things.orders_in(each, words, known)) for each in skills]
    read_as[0] = [replace(o, place=place) if o.needs_place else o for o in read_as[0]]
    read_as[0] = [corrections.as_many(each, last, words) for each in read_as[0]]
    good = (each for each in read_as if each and all(o.goal is not None for o in each))
    found = next(good, list[Order]())
    if found and found is read_as[0] and pattern("same").search(text):
        of_last = [e for e in wanted if e.thing == last.thing and e != last]
        found = [replace(e, thing=o.thing, only="") for o in found for e in of_last] + found
    return found


def completed(words: str, waiting: Sequence[Order]) -> Reading | None:
    """Return orders that wait for a place with the one that words only name, None for none."""
    has_verb = order_words.skill_of_verb(words)
    is_short = len(words.split()) <= _MOST_WORDS_OF_ANSWER and not has_verb
    is_answer = is_short and not find("no_order", words)  # "it's in the fridge"
    found = [told for each in waiting for told in corrections.placed(each, words) if is_answer]
    return Reading(found) if found and all(each.goal for each in found) else None


def read_in_context(
    read: Reading, last: Order, wanted: Sequence[Order], named: Sequence[str]
) -> Reading | None:
    """Return what words without an order of their own ask for after the `last` one, if anything."""
    words = _Words(order_words.spelled_out(read.rest), last, tuple(wanted), tuple(named))
    if read.denied:  # "not that one! The desk lamp!"
        is_last = any(map(last.is_meant, read.denied))
        return _other_thing(words, is_denied=True) if is_last else None
    act = act_classifier.guessed_act(read.rest, _SURE_IN_CONTEXT)
    is_act = act is not None and act.act not in ("yes", "no", "cancel", "repeat")
    is_act = is_act and not pattern("number_times").search(words.text)  # "double that"
    if not read.rest or is_act or pattern("asks").match(words.text):
        return None
    rules = [_kept, _dropped, _number, _state, _alike, _other_thing, _place, _added]
    rules = rules[:2] if order_words.skill_of_verb(words.text) else rules
    return next(filter(None, (rule(words) for rule in rules)), None)


def taken_back(text: str, wanted: Sequence[Order]) -> list[Order]:
    """Return the orders that words take back, naming no others: "forget all but the fork"."""
    words = order_words.spelled_out(text)
    told = pattern("all_but").match(words)
    if told is not None:
        named = _among((each.what for each in phrases_meant(told["what"])), wanted)
        keeps = told["keeps"] or told["drops"]
        return [e for e in wanted if e not in named] if named and keeps else named
    dropped, rest = list[Order](), list[str]()
    for clause in pattern("clause_ends").split(words) if wanted else ():
        what = _given_up(clause)
        named = [] if order_words.skill_of_verb(what) else _named_in(what, wanted)
        dropped += named
        rest += [] if named else [clause]
    tells = any(phrase.what for each in rest for phrase in phrases_meant(each))
    tells = tells or any(map(order_words.skill_of_verb, rest))
    return [] if tells else dropped


def dish_given_up(text: str) -> str:
    """Return the dish that words take back and that they name alone, "" for none."""
    named = phrases_meant(_given_up(order_words.spelled_out(text).strip(" ,.!")))
    return named[0].what if len(named) == 1 and named[0].is_dish else ""


def _given_up(clause: str) -> str:
    """Return the words for what a clause takes back, "" for none."""
    found = pattern("gives_up").fullmatch(clause)
    return "" if found is None else found["what"] or found["gone"]


def left_alone(text: str, wanted: Sequence[Order]) -> list[Order]:
    """Return the orders that words leave out as they keep others alone: "just the plates"."""
    words = order_words.spelled_out(text)
    is_told = find("only", text) and not order_words.skill_of_verb(words)
    kept = _among((e.what for e in phrases_meant(words) if is_told and not e.count), wanted)
    return [each for each in wanted if each not in kept] if kept else []


def _named_in(words: str, wanted: Sequence[Order]) -> list[Order]:
    """Return the wanted orders that words name by a thing or a number, if they name no others."""
    kinds = [each.what for each in phrases_meant(words) if each.what]
    named = _among(kinds, wanted)
    is_each = all(_among([each], wanted) for each in kinds)
    if not kinds:
        return order_reading.told_by_number(words, wanted)
    return named if is_each else []


def replaced(text: str, given: Order, wanted: Sequence[Order]) -> Order | None:
    """Return the order of those `wanted` in whose place a new one stands, None for none.

    To open what was to be closed, or to put elsewhere what was to be put somewhere, takes the
    first order back, unless words such as "then" say that both are to be done.
    """
    if not wanted:
        return None
    words, last = order_words.spelled_out(text), wanted[-1]
    of_same = [each for each in wanted if each.thing == given.thing and each.skill != "task"]
    undone = next((e for e in of_same if e.skill in _gerunds(words) - {given.skill}), None)
    if undone is not None or pattern("sequence").search(words):
        return undone  # "slicing was a bad idea, warm it"
    is_as_last = given.skill == last.skill and given.thing != last.thing
    is_like = bool({*orders.noun(last.thing).split()} & {*orders.noun(given.thing).split()})
    is_like = is_like and not order_words.skill_of_verb(words)
    says_so = pattern("correction").search(words) or is_like
    if is_as_last and (says_so or given.skill == orders.GO_TO):
        return last
    undone_by_it = [e for e in of_same if e.skill not in (orders.PICK_UP, orders.LOOK_AT)]
    if given.skill == orders.THROW and undone_by_it and given not in of_same:
        return undone_by_it[-1]
    placing = (orders.PUT, orders.THROW)
    moves = given.skill in placing and (given.is_definite or find("it", words) is not None)
    both = (each for each in of_same if moves and each.skill in placing and each != given)
    is_found = (last.skill, given.skill) == (orders.LOOK_AT, orders.PICK_UP)
    is_turned = is_found or given.skill in orders.skills_never_meant(last.skill)
    return last if is_turned and last in of_same else next(both, None)


def _gerunds(words: str) -> set[str]:
    """Return the skills of which words speak as of a thing: "never mind the cooling"."""
    said = (each[1] or each[2] for each in pattern("gerund_noun").finditer(words))
    return {order_words.skill_of_verb(f"{each} it") for each in said} - {""}


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
    def denied(self) -> frozenset[str]:
        """The types that are named as not meant."""
        return order_words.phrases_read(self.text)[1]

    @property
    def things(self) -> list[str]:
        """What is named and can be carried."""
        return [each for each in self.types if Order(orders.PICK_UP, each).is_possible]

    def asked_for(self) -> list[Order]:
        """Return the orders whose thing is named."""
        return _among((*self.types, *self.denied), self.wanted)


def _among(kinds: Iterable[str], wanted: Sequence[Order]) -> list[Order]:
    """Return the orders whose thing is of one of some types or classes."""
    meant = [Order(orders.LOOK_AT, each) for each in kinds if each]
    return [each for each in wanted if any(map(each.is_meant, meant))]


def _changed(words: _Words, **told: object) -> Reading:
    changed = replace(words.last, only="", **told)  # type: ignore[arg-type]
    return Reading([changed], instead_of=(words.last,))


def _kept(words: _Words) -> Reading | None:
    """Keep only those orders that are named: "just the spoon"."""
    told = pattern("only").search(words.text)
    if told is None:
        return None
    after = replace(words, text=words.text[told.end() :])
    kept = after.asked_for() if after.types else words.asked_for()
    dropped = [each for each in words.wanted if each not in kept]
    return Reading(denied=dropped) if kept and dropped else None


def _dropped(words: _Words) -> Reading | None:
    """Drop what is named: "minus the tomato", "the second one can wait"."""
    if not pattern("drops").search(words.text) or len(words.types) > 1:
        return None
    return Reading(denied=found) if (found := words.asked_for()) else None


def _number(words: _Words) -> Reading | None:
    """Take another number: "six, there's guests", "one fewer"."""
    if {*words.types} - {words.last.thing} or not words.last.thing:
        return None
    count = words.last.count
    for part in pattern("breaks").split(words.text):
        if told := pattern("number_told").fullmatch(part.strip()):
            count = _number_of(told[1])
        elif pattern("all_told").fullmatch(part.strip()):
            count = None
        elif (told := pattern("number_more").search(part)) and count is not None:
            more = 0 if told["less"] else _number_of(told["more"] or "one")
            count = max(1, count + (more or -_number_of(told["less"])))
        elif count is not None and (told := pattern("number_times").search(part)):
            count = 2 * count if told["twice"] else max(1, count // 2)
    if pattern("of_each").search(words.text):
        alike = [each for each in words.wanted if each.skill == words.last.skill]
        return Reading([replace(e, count=count) for e in alike], instead_of=tuple(alike))
    return _changed(words, count=count) if count != words.last.count else None


def _number_of(word: str) -> int:
    return next((each.count or 1 for each in phrases_meant(f"{word} forks")), 1)


def _state(words: _Words) -> Reading | None:
    """Turn the last order into its opposite: "off? on!", "the other way round"."""
    stated = order_table()["stated"]
    never = orders.skills_never_meant(words.last.skill)
    opposite = [each for each in never if each in stated.values()][:1]
    parts = map(str.strip, pattern("breaks").split(words.text))
    said = [each[1] for each in filter(None, map(pattern("state_alone").fullmatch, parts))]
    if not {*words.types} - {words.last.thing}:
        said = said or pattern("state_word").findall(words.text)
    turns = pattern("reversed").search(words.text) or (said and stated[said[-1]] in opposite)
    return _changed(words, skill=opposite[0]) if opposite and turns else None


def _alike(words: _Words) -> Reading | None:
    """Do the same with another thing: "same for the tap", "as many cups"."""
    if not pattern("same").search(words.text):
        return None
    last, others = words.last, {*words.types} - {words.last.thing, words.last.place}
    count = last.count if pattern("as_many").search(words.text) else 1
    told = (replace(last, thing=each, count=count, which="", only="") for each in sorted(others))
    return Reading(able) if (able := [each for each in told if each.is_possible]) else None


def _other_thing(words: _Words, *, is_denied: bool = False) -> Reading | None:
    """Take another thing than the last, which is named too or has a like name."""
    last = words.last
    able = [each for each in words.types if replace(last, thing=each).is_possible]
    others = [each for each in able if each not in (last.thing, last.place)]
    shared = {*orders.noun(last.thing).split()} & {*" ".join(map(orders.noun, others)).split()}
    is_named = is_denied or last.thing in {*words.types} | words.denied or bool(shared)
    if len(others) != 1 or not last.thing or not is_named or pattern("adds").search(words.text):
        return None
    named = next(each for each in phrases_meant(words.text) if each.what == others[0])
    told = Order(last.skill, others[0], order_things.count_of(named))
    return _changed(words, thing=others[0], count=corrections.as_many(told, last, words.text).count)


def _place(words: _Words) -> Reading | None:
    """Put the last thing where words say: "so sofa", "drawer for that"."""
    last = words.last
    known = (last.place, last.thing, *words.things)  # nobody carries a place
    where = [each for each in words.types if orders.is_place(each) and each not in known]
    others = {*words.things} - {last.thing}
    if len(where) != 1 or others or pattern("no_order").search(words.text):
        return None
    if last.skill in (orders.PUT, orders.THROW):
        return _changed(words, skill=orders.PUT, place=where[0])
    is_short = len(words.text.split()) <= _MOST_WORDS_OF_PLACE
    if not (is_short or pattern("moved").search(words.text)):
        return None
    it = "everything" if "everything" in words.text else "them"
    it = it if pattern("several").search(words.text) else "it"
    put = f"put {it} {preposition_for(where[0])} the {orders.noun(where[0])}"
    found = order_reading.read_orders(put, words.named, words.wanted).orders
    return Reading(found) if found else None


def _added(words: _Words) -> Reading | None:
    """Fetch one more thing: "plus a book since I'm bored"."""
    parts = pattern("breaks").split(words.text)[:2]
    named = (e for part in parts for e in phrases_meant(part) if e.relation in ("", "of"))
    things = [each.what for each in named if each.what in words.things]
    makes = pattern("makes").match(words.text)  # "also boil a potato"
    if not things or makes or not pattern("adds").search(words.text):
        return None
    skill = words.last.skill if find("too", words.text) else orders.PICK_UP
    place = words.last.place if skill == orders.PUT else ""
    like = (Order(skill, each, place=place) for each in things)
    found = [each if each.is_possible else Order(orders.PICK_UP, each.thing) for each in like]
    return Reading(found)
