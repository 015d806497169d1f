"""Reads what a person says: its acts, its orders, and what it changes of orders before it.

"No, the spoon", "on the table" and "the forks too" change the last order.  Words that order nothing
by themselves are read by the orders before them.  What they name tells what they mean: a place,
where the last thing goes; a number, how many; the last thing beside another, that the other is
meant; a thing that was asked for, which orders remain.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tatc.language.conversation import act_classifier, dialogue_acts, orders
from tatc.language.conversation.order_reading import (
    Reading,
    attribute_told,
    bare_words,
    besides_nouns,
    count_of,
    find,
    orders_in,
    pattern,
    phrases_meant,
    phrases_read,
    read_orders,
    skill_of_verb,
    skills_never_meant,
    spelled_out,
)
from tatc.language.conversation.orders import Order, order_table
from tatc.language.object_names import preposition_for
from tatc.language.understanding import clause_reader, tokens

_USUAL_SKILLS = (orders.PICK_UP, "switch on", "open")
"""What is done with a thing that is only named, the first of these that can be."""
_MAX_TURNS = 6
"""So many times one utterance may take back what it said; what is beyond is read as one."""
_MOST_WORDS_OF_PLACE = 3
"""So many words that name a place say where, even if they have no preposition."""
_SURE_OF_ACT, _SURE_IN_CONTEXT = 0.6, 0.45
"""How sure the classifier must be of a dialogue act where words may be an order by example, and
where they may lean on the orders before them."""


def read_utterance(
    text: str, named: Sequence[str], wanted: Sequence[Order] = ()
) -> tuple[tuple[dialogue_acts.Said, ...], Reading]:
    """Return the dialogue acts of an utterance, and what the rest of it orders."""
    acts, rest = dialogue_acts.read_acts(parted(text))
    unclear = next((each for each in acts if each.unknown), None)
    words = rest if unclear is None else unclear.words
    guess = act_classifier.guessed_act(words, _SURE_OF_ACT) if words else None
    read = _read_by_turns(rest, named, wanted) if rest else Reading()
    meant = pattern("correction").sub(" ", rest.lower()).strip(" ,.") if rest else ""
    taken_back = ("cancel", "no") if meant != rest.lower() else ()
    if guess is not None and guess.act in ("yes", "repeat", *taken_back) and phrases_meant(meant):
        guess = None  # "scratch that, toast", "a fork, yes", "the same for the fork"
    if guess is not None and pattern("number_times").search(meant):
        guess = None  # "double that"
    if guess is not None and unclear is not None and guess.act != unclear.act:
        acts = tuple(guess if each is unclear else each for each in acts)
    elif guess is not None and unclear is None and not read.denied:
        if not (skill_of_verb(rest) and (read.rest != rest or dialogue_acts.names_any(rest))):
            return (*acts, guess), Reading()
    return acts, read


def parted(text: str) -> str:
    """Return a text in two sentences where an order follows an act: "hurry up and get a fork"."""
    head, _, tail = text.partition(" and ")
    is_act = dialogue_acts.act_of(head) is not None and not skill_of_verb(text)
    is_order = skill_of_verb(tail) or act_classifier.classify(tail)[0] == "task"
    return f"{head}. {tail}" if is_act and is_order else text


def _read_by_turns(text: str, named: Sequence[str], wanted: Sequence[Order]) -> Reading:
    """Read orders, some of which the same utterance takes back: "two forks, no, three"."""
    first, *later = pattern("turns").split(text.lower(), maxsplit=_MAX_TURNS)
    for i, words in enumerate(later[:-1]):
        if " " not in words.strip():  # "nah, leave out the plate"
            later[i : i + 2] = ["", f"{words} {later[i + 1]}"]
    read = read_orders(first, named, wanted)
    if not (read.orders and later):
        return read_orders(text, named, wanted)
    for words in filter(None, later):
        given = read.orders
        known = (what for each in given for what in orders.names_in(each) if what)
        also = read_orders(words, [*named, "", *known], given)
        kept = [each for each in given if not any(map(each.is_meant, also.denied))]
        if moved := reordered(words, given):
            read.orders = moved
        elif kept != given:
            read.orders = kept + also.orders
        elif changed := corrected(words, given[-1] if given else Order("")):
            read.orders = given[:-1] + changed
        else:
            return read_orders(text, named, wanted)
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


def corrected_one(text: str, last: Order | None, wanted: Sequence[Order]) -> Order | None:
    """Return which order words may correct: the last, or else one of which they deny a name."""
    denied = phrases_read(spelled_out(text))[1]
    known = [each for each in (last, *wanted[::-1]) if each is not None]
    named = next((each for each in known if denied & {each.thing, each.place}), None)
    if named is None and last is not None:  # "three cups, not two", "the mug in the sink instead"
        meant = [each for each in phrases_meant(spelled_out(text)) if each.what]
        said = {each.what for each in meant if each.count or meant[1:]}
        others = known if last.thing not in said else ()
        named = next((each for each in others if each.thing in said), None)
    return named or last


def corrected(text: str, last: Order) -> list[Order]:
    """Return the last order with what is meant instead: "no, the spoon"; empty for none."""
    words = pattern("more_of_it").sub("", pattern("beside").sub("", spelled_out(text)))
    tools = order_table()["tools"].get(last.skill, ())
    if not any(each.what in tools for each in phrases_meant(words)):
        words = pattern("use").sub(r"\1 instead", words)  # "use the pan" chooses it
    plain, (_, denied) = map(dialogue_acts.plain_words, (text, words)), phrases_read(words)
    if kind := _like_named(last, words):
        return [replace(last, thing=kind, only="")]
    if last.thing and not skill_of_verb(words) and (one := pattern("one_of").match(words)):
        which = _which_told(one["how"], one["where"])
        return [replace(last, which=which, only="")] if which else []
    if last.skill == orders.THROW and orders.BIN_TYPE in denied:
        last = replace(last, skill=orders.PUT, place=orders.BIN_TYPE)
    there = pattern("not_there").sub(" ", words)  # "not in the sink, on the table"
    if last.place and (there != words or last.place in denied) and (put := placed(last, there)):
        return put
    if last.thing not in denied and not any(map(pattern("correction").search, plain)):
        return []
    bare = pattern("correction").sub(" ", words).strip(" ,.")
    is_other = last.thing not in denied and pattern("only_denied").match(words)
    if is_other or (last.thing in denied and not phrases_meant(bare)):
        return []  # "not the knives"
    if turned := _turned(last, bare) or _turned(last, dialogue_acts.plain_words(words)):
        return turned
    bare = pattern("count_alone").sub(rf"\1 {orders.noun(last.thing)}", bare)
    if pattern("also").search(bare) and not denied:
        return []
    if skill_of_verb(bare):
        told = read_orders(bare, (last.thing,)).orders
        is_new = all(e.skill != last.skill and e.thing != last.thing for e in told)
        return [] if is_new and not pattern("takes_back").search(words) else told
    return _named_instead(last, (words, bare) if denied else (bare, words))


def _named_instead(last: Order, texts: Sequence[str]) -> list[Order]:
    """Return the last order with what the first of some texts names that names anything."""
    tail = f" {preposition_for(last.place)} the {orders.noun(last.place)}" if last.place else ""
    for each in texts:
        read_as = [o for o in orders_in(last.skill, each + tail, (last.thing,)) if o.is_possible]
        read_as = [_as_many(o, last, each) for o in read_as]  # "mugs instead"
        found = next((o for o in read_as if o != replace(last, only="")), None)
        if read_as:  # "no, three, and the salt"
            return [] if found is None else [found, *read_as[read_as.index(found) + 1 :]]
    return placed(last, min(texts, key=len)) if last.place else []


def _like_named(last: Order, words: str) -> str:
    """Return the type with which the last one shares a word: "the desk one" of a floor lamp."""
    told, (first, _, end) = (
        pattern("like_named").search(words),
        orders.noun(last.thing).rpartition(" "),
    )
    if told is None or not first or told["no"] not in (None, end):
        return ""
    name = f"{first if told['no'] else told['word']} {told['word'] if told['no'] else end}".split()
    found = tokens.longest_phrase(name)
    return found[1].by_kind.get("thing", "") if found is not None and found[0] == len(name) else ""


def _which_told(how: str, where: str) -> str:
    """Return which one is told by what it is like ("the other one"), or by where it is."""
    *article, word = ("", *how.split())
    told = orders.OTHER if find("other", word) else dialogue_acts.state_of_word(word)
    told = told or (attribute_told(f"the {word} one") if article[1:] else "")
    places = (each.what for each in phrases_meant(where) if each.what)
    return next(places, "") or told


def _as_many(order: Order, last: Order, text: str) -> Order:
    """Return an order with the number of the last one, where a mere plural says none."""
    named = (each for each in phrases_meant(text) if each.what == order.thing)
    is_bare = any(e.is_plural and not (e.is_definite or e.wants_all or e.count) for e in named)
    return replace(order, count=last.count) if is_bare else order


def placed(order: Order, text: str) -> list[Order]:
    """Return an order with the last place that words name, empty if they name none."""
    found = [each for each in phrases_meant(text) if orders.is_place(each.what)][-1:]
    return [replace(order, place=e.what, is_beside=e.relation == "near", only="") for e in found]


def moved_on(text: str, last: Order) -> list[Order]:
    """Return the order to put somewhere what was last to be picked up: "on the table"."""
    if turned := _turned(last, bare_words(text)):  # "then off"
        return turned
    moves = last.skill not in (orders.PUT, orders.GO_TO, orders.LOOK_AT)
    is_so = moves and find("only_place", text) and not skill_of_verb(text)
    put = placed(replace(last, skill=orders.PUT), text) if is_so else []
    return [each for each in put if each.is_possible]


def _turned(last: Order, words: str) -> list[Order]:
    """Return the last order, or its opposite, if words only tell the state that is meant."""
    said = pattern("on_or_off").fullmatch(words)
    skill = order_table()["stated"][said[1]] if said is not None else ""
    is_one = last.skill in (skill, *skills_never_meant(skill))
    return [replace(last, skill=skill, only="")] if is_one else []


def reordered(text: str, wanted: Sequence[Order]) -> list[Order]:
    """Return orders in the sequence that words tell ("the lamp first"), empty if they tell none."""
    words = pattern("aside").sub("", spelled_out(text))
    if len(wanted) > 1 and pattern("reversed_order").search(words):
        return [*wanted[::-1]]
    told = None if skill_of_verb(words) else pattern("reorder").fullmatch(words)
    first = None if told is None else _wanted_one(told["what"], wanted)
    if told is None or first is None:
        return []
    later = _wanted_one(told["than"] or "", wanted) or wanted[0]
    rest = [each for each in wanted if each is not first]
    at = rest.index(later) if later in rest else 0
    return [*rest[:at], first, *rest[at:]]


def _wanted_one(words: str, wanted: Sequence[Order]) -> Order | None:
    """Return the order that words name by its thing or its number, None for none."""
    number = find("ordinal", words)
    if number is not None and number.lastindex is not None:
        return next(iter(wanted[number.lastindex - 1 :]), None)
    kind, _ = dialogue_acts.noun_in(words)
    meant = Order(orders.LOOK_AT, kind)
    return next((each for each in wanted if kind and each.is_meant(meant)), None)


def with_the_same_verb(text: str, last: Order, named: Sequence[str]) -> list[Order]:
    """Return what words order that only name things ("the forks too"), like the last order."""
    text = pattern("purpose").sub(" ", pattern("aside").sub("", spelled_out(text)))
    if besides_nouns(text):
        return []
    known = named if pattern("other").search(text.lower()) else ()
    place = last.place if find("too", text) or pattern("adds").match(text) else ""
    skills = (last.skill, *_USUAL_SKILLS)
    read_as = [list(orders_in(each, text, known)) for each in skills]
    read_as[0] = [replace(o, place=place) if o.needs_place else o for o in read_as[0]]
    read_as[0] = [_as_many(each, last, text) for each in read_as[0]]
    good = (each for each in read_as if each and all(o.goal is not None for o in each))
    return next(good, list[Order]())


@dataclass(frozen=True)
class Change:
    """What words ask for, and the order `instead_of` which they do, None if beside all others."""

    read: Reading
    instead_of: Order | None = None


def read_in_context(
    read: Reading, last: Order, wanted: Sequence[Order], named: Sequence[str]
) -> Change | None:
    """Return what words without an order of their own ask for after the `last` one, if anything."""
    words = _Words(spelled_out(read.rest), last, tuple(wanted), tuple(named))
    if read.denied:  # "not that one! The desk lamp!"
        is_last = any(map(last.is_meant, read.denied))
        return _other_thing(words, is_denied=True) if is_last else None
    act = act_classifier.guessed_act(read.rest, _SURE_IN_CONTEXT)
    is_act = act is not None and act.act not in ("yes", "no", "cancel", "repeat")
    if not read.rest or is_act or pattern("asks").match(words.text):
        return None
    rules = [_kept, _dropped, _number, _state, _alike, _beside, _other_thing, _place, _added]
    rules = rules[:2] if skill_of_verb(words.text) else rules
    return next(filter(None, (rule(words) for rule in rules)), None)


def taken_back(text: str, wanted: Sequence[Order]) -> list[Order]:
    """Return the orders that words with an exception take back: "forget all but the fork"."""
    told = pattern("all_but").match(spelled_out(text))
    if told is None:
        return []
    named = _among((each.what for each in phrases_meant(told["what"])), wanted)
    keeps = told["keeps"] or told["drops"]
    return [each for each in wanted if each not in named] if named and keeps else named


def replaced(text: str, given: Order, wanted: Sequence[Order]) -> Order | None:
    """Return the order of those `wanted` in whose place a new one stands, None for none.

    To open what was to be closed, or to put elsewhere what was to be put somewhere, takes the
    first order back, unless words such as "then" say that both are to be done.
    """
    if not wanted:
        return None
    words, last = spelled_out(text), wanted[-1]
    of_same = [each for each in wanted if each.thing == given.thing and each.skill != "task"]
    undone = next((e for e in of_same if e.skill in _gerunds(words) - {given.skill}), None)
    if undone is not None or pattern("sequence").search(words):
        return undone  # "slicing was a bad idea, warm it"
    is_as_last = given.skill == last.skill and given.thing != last.thing
    is_like = bool({*orders.noun(last.thing).split()} & {*orders.noun(given.thing).split()})
    says_so = pattern("correction").search(words) or (is_like and not skill_of_verb(words))
    if is_as_last and (says_so or given.skill == orders.GO_TO):
        return last
    found_first = last.skill == orders.LOOK_AT and given.skill == orders.PICK_UP
    if last in of_same and found_first:
        return last
    undone_by_it = [e for e in of_same if e.skill not in (orders.PICK_UP, orders.LOOK_AT)]
    if given.skill == orders.THROW and undone_by_it and given not in of_same:
        return undone_by_it[-1]
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
        return [e for e in self.types if orders.is_place(e) and e not in self.things]

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
        return _among((*self.types, *self.denied), self.wanted)


def _among(kinds: Iterable[str], wanted: Sequence[Order]) -> list[Order]:
    """Return the orders whose thing is of one of some types or classes."""
    meant = [Order(orders.LOOK_AT, each) for each in kinds if each]
    return [each for each in wanted if any(map(each.is_meant, meant))]


def _changed(words: _Words, **told: object) -> Change:
    changed = replace(words.last, only="", **told)  # type: ignore[arg-type]
    return Change(Reading([changed]), words.last)


def _kept(words: _Words) -> Change | None:
    """Keep only those orders that are named: "just the spoon"."""
    told = pattern("only").search(words.text)
    if told is None:
        return None
    after = 0 if told[0].endswith("alone") else told.end()
    kept = replace(words, text=words.text[after:]).asked_for()
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
        if told := pattern("number_told").fullmatch(part.strip()):
            count = _number_of(told[1])
        elif pattern("all_told").fullmatch(part.strip()):
            count = None
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
    stated = order_table()["stated"]
    opposite = [e for e in skills_never_meant(words.last.skill) if e in stated.values()][:1]
    parts = map(str.strip, pattern("breaks").split(words.text))
    said = [each[1] for each in filter(None, map(pattern("state_alone").fullmatch, parts))]
    if not {*words.types} - {words.last.thing}:
        said = said or pattern("state_word").findall(words.text)
    turns = pattern("reversed").search(words.text) or (said and stated[said[-1]] in opposite)
    return _changed(words, skill=opposite[0]) if opposite and turns else None


def _alike(words: _Words) -> Change | None:
    """Do the same with another thing: "same for the tap", "as many cups"."""
    if not pattern("same").search(words.text):
        return None
    last, others = words.last, {*words.types} - {words.last.thing, words.last.place}
    count = last.count if pattern("as_many").search(words.text) else 1
    told = (replace(last, thing=each, count=count, which="", only="") for each in sorted(others))
    return Change(Reading(able)) if (able := [each for each in told if each.is_possible]) else None


def _beside(words: _Words) -> Change | None:
    """Put a thing where the last one goes: "the vase next to it", "the spoon there too"."""
    last = words.last
    where = last.place or (last.thing if orders.is_place(last.thing) else "")
    things = [each for each in words.things if each not in (last.thing, where)]
    if not where or not things or words.places or not pattern("there_too").search(words.text):
        return None
    return Change(Reading([Order(orders.PUT, each, place=where) for each in things]))


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
    told = Order(last.skill, others[0], count_of(named))
    return _changed(words, thing=others[0], count=_as_many(told, last, words.text).count)


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
    like = (Order(skill, each, place=place) for each in things)
    found = [each if each.is_possible else Order(orders.PICK_UP, each.thing) for each in like]
    return Change(Reading(found))


def _first_things(words: _Words) -> Iterator[str]:
    for part in pattern("breaks").split(words.text)[:2]:
        named = (each for each in phrases_meant(part) if each.relation in ("", "of"))
        yield from (each.what for each in named if each.what in words.things)
