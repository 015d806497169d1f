"""Reads what a person says by what is on the agenda: what adds to it, changes it or ends it."""

from dataclasses import replace

from tatc.language.conversation import (
    corrections,
    dialogue_acts,
    order_words,
    orders,
    utterance_reading,
)
from tatc.language.conversation.agenda import TASK, Agenda
from tatc.language.conversation.order_reading import Reading

_ASIDES = frozenset(("no", "wait", "insult", "thank", "greet", "hurry", "praise", "cancel"))
Acts = tuple[dialogue_acts.Said, ...]


def read(text: str, agenda: Agenda, *, is_answer_due: bool) -> tuple[Acts, Reading]:
    """Return acts and orders, with those in whose place they stand."""
    if left_out := utterance_reading.taken_back(text, agenda.orders):
        return (), Reading(denied=left_out)
    dish = utterance_reading.dish_given_up(text)
    is_all = not agenda.orders and "." not in text  # "never mind the toast", and nothing else
    if dish and (is_all or TASK in agenda.orders):
        return (), Reading(rest=f"forget the {dish}")
    acts, read = utterance_reading.read_utterance(text, agenda.named, agenda.orders)
    if any(e.act == "cancel" for e in acts) and not (text := dialogue_acts.read_acts(text)[1]):
        return acts, read  # but not "forget it, get a fork instead"
    if read.orders:  # "a fork, that's all"
        acts = tuple(each for each in acts if each.act != "goodbye")
    parts = filter(dialogue_acts.names_any, order_words.pattern("breaks").split(text))
    is_answer = is_answer_due and not order_words.skill_of_verb(next(parts, text))
    is_more = agenda.orders[-1:] == [TASK] and order_words.find("of_dish", text)
    if not acts and (is_answer or is_more):
        return (), Reading(rest=text)
    if not acts and (found := utterance_reading.completed(text, agenda.open_orders)) is not None:
        return (), found
    is_aside = not {each.act for each in acts} - _ASIDES and not dialogue_acts.act_of(text)
    return _by_context(text, agenda, acts, read) if is_aside else (acts, read)


def _by_context(text: str, agenda: Agenda, acts: Acts, read: Reading) -> tuple[Acts, Reading]:
    """Return what words mean by the orders before them, as `read` does."""
    if dropped := utterance_reading.left_alone(text, agenda.orders):
        return acts, Reading(denied=dropped)
    known = corrections.spoken_of(text, agenda.last, agenda.orders)
    found = ((each, corrections.corrected(text, each)) for each in known)
    spoken_of, changed = next((pair for pair in found if pair[1]), (None, read.orders))
    if spoken_of is not None:
        old = tuple(agenda.given) if spoken_of == agenda.last else ()
        aside = tuple(each for each in acts if each.act not in ("no", "wait"))
        return aside, Reading(changed, instead_of=old or (spoken_of,))
    last = agenda.last or orders.Order(orders.PICK_UP)
    if last.skill == orders.PUT_DOWN:  # "put it down", "on the sofa"
        last = replace(last, thing=agenda.it)
    if not agenda.has_failed and (moved := corrections.moved_on(text, last)):
        return acts, Reading(moved)
    same = utterance_reading.with_the_same_verb(text, last, agenda.named, agenda.orders)
    names = ("too", "and_the", "beside_it", *(("there", "and_more") if last.place else ()))
    goes_on = any(order_words.find(each, text) for each in names)
    is_too = goes_on and same[:1] and same[0].skill == last.skill
    is_new = is_too and not order_words.skill_of_verb(text)
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
    has_verb = bool(order_words.skill_of_verb(text))
    adds = agenda.last in agenda.orders and order_words.find("one_more", text)
    adds = adds and read.orders and read.orders[0].thing == agenda.last.thing
    if read.orders and not has_verb and (adds or order_words.find("only", text)):
        read = Reading(rest=text)  # "just the spoon" may keep that alone
    if read.orders:
        old = utterance_reading.replaced(text, read.orders[0], agenda.orders)
        return replace(read, instead_of=(old,)) if old else None
    return utterance_reading.read_in_context(read, agenda.last, agenda.orders, agenda.named)
