"""Reads an utterance: what it does as an act of dialogue, what it orders, and what is left."""

from collections.abc import Sequence

from tatc.language.conversation import act_classifier, dialogue_acts, order_changes, orders
from tatc.language.conversation.order_reading import Reading, read_orders
from tatc.language.conversation.order_words import pattern, phrases_meant, skill_of_verb
from tatc.language.conversation.orders import Order
from tatc.language.understanding import clause_reader, tokens

_MAX_TURNS = 6
_SURE_OF_ACT = 0.6
"""How sure the classifier must be of a dialogue act where words may be an order by example."""


def read_utterance(
    text: str, named: Sequence[str], wanted: Sequence[Order] = ()
) -> tuple[tuple[dialogue_acts.Said, ...], Reading]:
    """Return the dialogue acts of an utterance, and what the rest of it orders."""
    acts, rest = dialogue_acts.read_acts(text)
    unclear = next((each for each in acts if each.unknown), None)
    words = rest if unclear is None else unclear.words
    guess = act_classifier.guessed_act(words, _SURE_OF_ACT) if words else None
    read = _read_by_turns(rest, named, wanted) if rest else Reading()
    meant = pattern("correction").sub(" ", rest.lower()).strip(" ,.") if rest else ""
    taken_back = ("cancel", "no") if meant != rest.lower() else ()
    if guess is not None and guess.act in ("yes", "repeat", *taken_back) and phrases_meant(meant):
        guess = None  # "scratch that, toast", "a fork, yes", "the same for the fork"
    if guess is not None and unclear is not None and guess.act != unclear.act:
        acts = tuple(guess if each is unclear else each for each in acts)
    elif guess is not None and unclear is None and not (skill_of_verb(rest) or read.denied):
        return (*acts, guess), Reading()
    return acts, read


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
        if moved := order_changes.reordered(words, given):
            read.orders = moved
        elif kept != given:
            read.orders = kept + also.orders
        elif changed := order_changes.corrected(words, given[-1] if given else Order("")):
            read.orders = given[:-1] + changed
        else:
            return read_orders(text, named, wanted)
    return read


def unread_parts(text: str) -> list[str]:
    """Return the parts of words about a task that name nothing and ask for nothing known."""
    parts = (part.strip() for part in pattern("breaks").split(text.lower()))
    asking = (part for part in parts if " " in part and not pattern("statement").match(part))
    clauses_of = ((part, clause_reader.read_clauses(tokens.read_terms(part, 0))) for part in asking)
    return [
        part
        for part, read in clauses_of
        if not any(each.what for clause in read for each in clause.phrases)
        and (pattern("noun").search(part) or not any(clause.verbs for clause in read))
        and act_classifier.guessed_act(part, _SURE_OF_ACT) is None
    ]
