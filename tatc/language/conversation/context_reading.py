"""Reads what a person says by what is on the agenda: what adds to it, changes it or ends it.

"No, the spoon", "on the table" and "the forks too" change the last order.  Words that order nothing
by themselves are read by the orders before them.  What they name tells what they mean: a place,
where the last thing goes; a number, how many; the last thing beside another, that the other is
meant; a thing that was asked for, which orders remain.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tatc.language.conversation import corrections, dialogue_acts, order_words, orders
from tatc.language.conversation.act_classifier import guessed_act
from tatc.language.conversation.agenda import TASK, Agenda
from tatc.language.conversation.order_reading import Reading, read_orders, told_by_number
from tatc.language.conversation.order_things import count_of, orders_in
from tatc.language.conversation.order_words import find, pattern, phrases_meant, skill_of_verb
from tatc.language.conversation.orders import Order, order_table
from tatc.language.conversation.utterance_reading import read_utterance
from tatc.language.object_names import preposition_for

_ASIDES = frozenset(("no", "wait", "insult", "thank", "greet", "hurry", "praise", "cancel"))
_USUAL_SKILLS = (orders.PICK_UP, "switch on", "open")
"""What is done with a thing that is only named, the first of these that can be."""
_MOST_WORDS_OF_PLACE, _MOST_WORDS_OF_ANSWER = 3, 8
"""So many words that name a place say where, even if they have no preposition."""
_SURE_IN_CONTEXT = 0.45
"""How sure the classifier must be of a dialogue act where words may lean on orders before them."""
Acts = tuple[dialogue_acts.Said, ...]


def read_in_turn(text: str, agenda: Agenda, *, is_answer_due: bool) -> tuple[Acts, Reading]:
    """Return acts and orders, with those in whose place they stand."""
    if left_out := taken_back(text, agenda.orders):
        return (), Reading(denied=left_out)
    dish = dish_given_up(text)
    is_all = not agenda.orders and "." not in text  # "never mind the toast", and nothing else
    if dish and (is_all or TASK in agenda.orders):
        return (), Reading(rest=f"forget the {dish}")
    acts, read = read_utterance(text, agenda.named, agenda.orders)
    if any(e.act == "cancel" for e in acts) and not (text := dialogue_acts.read_acts(text)[1]):
        return acts, read  # but not "forget it, get a fork instead"
    if read.orders:  # "a fork, that's all"
        acts = tuple(each for each in acts if each.act != "goodbye")
    parts = filter(dialogue_acts.names_any, pattern("breaks").split(text))
    is_answer = is_answer_due and not skill_of_verb(next(parts, text))
    is_more = agenda.orders[-1:] == [TASK] and find("of_dish", text)
    if not (acts or read.denied) and (is_answer or is_more):
        return (), Reading(rest=text)
    if not acts and (found := completed(text, agenda.open_orders)) is not None:
        return (), found
    is_aside = not {each.act for each in acts} - _ASIDES and not dialogue_acts.act_of(text)
    return _by_context(text, agenda, acts, read) if is_aside else (acts, read)


def _by_context(text: str, agenda: Agenda, acts: Acts, read: Reading) -> tuple[Acts, Reading]:
    """Return what words mean by the orders before them, as `read_in_turn` does."""
    if dropped := left_alone(text, agenda.orders):
        return acts, Reading(denied=dropped)
    known = corrections.spoken_of(text, agenda.last, agenda.orders)
    found = ((each, corrections.corrected(text, each)) for each in known)
    spoken_of, changed = next((pair for pair in found if pair[1]), (None, read.orders))
    if moved := corrections.swapped(text, agenda.orders):
        return (), Reading(moved, instead_of=tuple(agenda.orders[-2:]))
    if spoken_of is not None:
        old = tuple(agenda.given) if spoken_of == agenda.last else ()
        to, place, words = changed[-1], spoken_of.place, order_words.spelled_out(text)
        denied = place in order_words.phrases_read(words)[1] or pattern("not_there").search(words)
        if place and denied and to.thing == spoken_of.thing:  # "not in the sink, on the shelf"
            old = tuple(e for e in agenda.orders if e.place == place) or (spoken_of,)
            changed = [replace(e, place=to.place, is_beside=to.is_beside, at=to.at) for e in old]
        aside = tuple(each for each in acts if each.act not in ("no", "wait"))
        return aside, Reading(changed, instead_of=old or (spoken_of,))
    last = agenda.last or Order(orders.PICK_UP)
    if last.skill == orders.PUT_DOWN:  # "put it down", "on the sofa"
        last = replace(last, thing=agenda.it)
    if not agenda.has_failed and (moved := corrections.moved_on(text, last)):
        return acts, Reading(moved)
    same = with_the_same_verb(text, last, agenda.named, agenda.orders)
    names = ("too", "and_the", "beside_it", *(("there", "and_more") if last.place else ()))
    goes_on = any(find(each, text) for each in names)
    is_too = goes_on and same[:1] and same[0].skill == last.skill
    is_new = is_too and not skill_of_verb(text)
    is_new = is_new or not (read.orders or read.denied or read.impossible)
    read = Reading(same) if same and is_new else read
    is_cancelled = any(each.act == "cancel" for each in acts)
    if not is_cancelled and (change := _change(text, agenda, read)) is not None:
        return acts, change
    return acts, read


def _change(text: str, agenda: Agenda, read: Reading) -> Reading | None:
    """Return what words change by the orders before them, None for nothing."""
    if agenda.last is None or agenda.has_failed:
        return None
    has_verb = bool(skill_of_verb(text))
    adds = agenda.last in agenda.orders and find("one_more", text)
    adds = adds and read.orders and read.orders[0].thing == agenda.last.thing
    if read.orders and not has_verb and (adds or find("only", text)):
        read = Reading(rest=text)  # "just the spoon" may keep that alone
    if read.orders:
        old = replaced(text, read.orders[0], agenda.orders)
        return replace(read, instead_of=(old,)) if old else None
    return read_in_context(read, agenda.last, agenda.orders, agenda.named)


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
    read_as = [list(orders_in(each, words, known)) for each in skills]
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
    has_verb = skill_of_verb(words)
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
    act = guessed_act(read.rest, _SURE_IN_CONTEXT)
    is_act = act is not None and act.act not in ("yes", "no", "cancel", "repeat")
    is_act = is_act and not pattern("number_times").search(words.text)  # "double that"
    if not read.rest or is_act or pattern("asks").match(words.text):
        return None
    rules = [_kept, _dropped, _number, _state, _alike, _other_thing, _place, _added]
    rules = rules[:2] if skill_of_verb(words.text) else rules
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
        named = [] if skill_of_verb(what) else _named_in(what, wanted)
        dropped += named
        keeps = find("only", clause) and _named_in(clause, wanted)
        rest += [] if named or keeps else [clause]
    tells = any(phrase.what for each in rest for phrase in phrases_meant(each))
    tells = tells or any(map(skill_of_verb, rest))
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
    is_told = find("only", text) and not skill_of_verb(words)
    kept = _among((e.what for e in phrases_meant(words) if is_told and not e.count), wanted)
    return [each for each in wanted if each not in kept] if kept else []


def _named_in(words: str, wanted: Sequence[Order]) -> list[Order]:
    """Return the wanted orders that words name by a thing or a number, if they name no others."""
    kinds = [each.what for each in phrases_meant(words) if each.what]
    named = _among(kinds, wanted)
    is_each = all(_among([each], wanted) for each in kinds)
    if not kinds:
        return told_by_number(words, wanted)
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
    is_like = is_like and not skill_of_verb(words)
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
    told = Order(last.skill, others[0], count_of(named))
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
    found = read_orders(put, words.named, words.wanted).orders
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
