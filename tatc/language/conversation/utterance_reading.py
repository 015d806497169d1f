"""Reads what a person says by itself: its acts, and its orders with what it takes back of them."""

import re
from collections.abc import Callable, Sequence

from tatc.language.conversation import act_classifier, corrections, dialogue_acts, order_words
from tatc.language.conversation.clause_roles import asked
from tatc.language.conversation.normalization import normalised, parts_of
from tatc.language.conversation.order_reading import Reading, read_orders
from tatc.language.conversation.order_words import is_task, pattern, phrases_meant, skill_of_verb
from tatc.language.conversation.orders import Order, names_in
from tatc.language.understanding import clause_reader, tokens

_MAX_TURNS = 6
"""So many times one utterance may take back what it said; what is beyond is read as one."""
_SURE_OF_ACT = 0.6
"""How sure the classifier must be of a dialogue act where words may be an order by example."""


def read_utterance(
    text: str, named: Sequence[str], wanted: Sequence[Order] = ()
) -> tuple[tuple[dialogue_acts.Said, ...], Reading]:
    """Return the dialogue acts of an utterance, and what the rest of it orders."""
    acts, rest = dialogue_acts.read_acts(asked(normalised(text)))
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
        if not (is_beside and skill_of_verb(order_words.spelled_out(rest))):
            return (*acts, guess), Reading()
    return acts, read


def read_in_parts(
    text: str, read: Callable[[str], tuple[tuple[dialogue_acts.Said, ...], Reading]], *, whole: bool
) -> tuple[tuple[dialogue_acts.Said, ...], Reading]:
    """Read words, or a part of them where they mean nothing as a `whole` and may be parted."""
    acts, all_of_it = read(text)
    is_read = acts or all_of_it.orders or all_of_it.impossible or all_of_it.denied or whole
    parts = () if is_read or is_task(all_of_it.rest) else parts_of(text)
    found = ((acts, part) for acts, part in map(read, parts) if not part.impossible)
    return next((e for e in found if e[1].orders or e[1].denied), (acts, all_of_it))


def _read_by_turns(text: str, named: Sequence[str], wanted: Sequence[Order]) -> Reading:
    """Read orders, some of which the same utterance takes back: "two forks, no, three"."""
    first, *later = pattern("turns").split(text.lower(), maxsplit=_MAX_TURNS)
    read = read_orders(first, named, wanted)
    if not (read.orders and later):
        return read_orders(text, named, wanted)
    for words in filter(None, later):
        given = read.orders
        known = (what for each in given for what in names_in(each) if what)
        also = read_orders(words, [*named, "", *known], given)
        kept = [each for each in given if not any(map(each.is_meant, also.denied))]
        if moved := corrections.reordered(words, given):
            read.orders = moved
        elif kept != given:
            read.orders = kept + also.orders
        elif changed := corrections.corrected(words, given[-1] if given else Order("")):
            read.orders = corrections.with_given(given, changed, given[-1:])
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
