"""Cases of what people say, and what is read of them, in one canonical form."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tatc.follower.listener.conversation import LEAST_SURE
from tatc.follower.listener.follower import ListenerFollower
from tatc.home.actions import Role, Utterance
from tatc.language.conversation import act_classifier, utterance_reading
from tatc.language.conversation.agenda import TASK
from tatc.language.conversation.orders import Order
from tatc.tdl.properties import object_classes_of

_FOLDER = Path(__file__).parent
_CLASSES = {"Lamp": "Lamps", "Dishes": "Dishware"}


def read_cases(name: str) -> dict[str, list[dict[str, Any]]]:
    """Return the cases and conversations of a file."""
    return tomllib.loads((_FOLDER / name).read_text("utf-8"))


def canonical(order: Order) -> str:
    """Return an order as the cases spell it: "put 2 Fork on Sink"."""
    if order.skill == "water":
        return "task Water Plant"
    number = "all " if order.count is None else "" if order.count == 1 else f"{order.count} "
    said = order.skill + (f" {number}{order.thing}" if order.thing else "")
    return said + (f" on {order.place}" if order.place else "")


def is_alike(wanted: str, found: str) -> bool:
    """Whether two orders are one: a type may stand for its class, all tasks for one another."""
    if wanted.startswith("task"):
        return found.startswith("task")
    words, others = (each.replace(" on GarbageCan", "").split() for each in (wanted, found))
    if wanted.endswith("on GarbageCan"):
        words[:1] = ["throw", "away"]
    return len(words) == len(others) and all(map(_are_one, words, others))


def _are_one(word: str, other: str) -> bool:
    word, other = _CLASSES.get(word, word), _CLASSES.get(other, other)
    return word == other or word in object_classes_of(other) or other in object_classes_of(word)


def is_read_right(case: dict[str, Any]) -> bool:
    """Whether an utterance by itself is read as its case says."""
    found, read = utterance_reading.read_utterance(case["say"], ())
    acts = {each.act for each in found}
    if not (acts or read.orders or read.denied) and read.rest:
        guess = act_classifier.guessed_act(read.rest, LEAST_SURE)
        acts = set() if guess is None else {guess.act}
    told = [canonical(each) for each in read.orders or read.impossible]
    if case["act"] == "unclear":
        return not acts and not told
    if case["act"] != "order":
        wanted = {case["act"]} | ({"ask_found"} if case["act"] == "ask_where" else set[str]())
        return not told and bool(acts & wanted)
    orders: list[str] = case.get("orders", [])
    plain = [each for each in orders if not each.startswith("task")]
    if plain != orders and told != orders:  # the dialogue is read for a task, beside plain orders
        is_plain_right = len(plain) == len(told) and all(map(is_alike, plain, told))
        return bool(read.rest) and (not told or is_plain_right)
    return len(told) == len(orders) and all(map(is_alike, orders, told))


def turns_of(
    said: list[dict[str, Any]],
) -> Iterator[tuple[dict[str, Any], list[str], list[str], str]]:
    """Yield each turn with its acts, the agenda after it and the answer to it."""
    follower = ListenerFollower(talk="person")
    person = follower.person
    assert person is not None
    for turn in said:
        follower.hear_person(person, [Utterance(Role.COMMANDER, turn["say"], 0.0)])
        replies = list(iter(person.take_reply, None))
        wanted = [*person.agenda.orders, *person.agenda.open_orders]
        agenda = ["task" if each is TASK else canonical(each) for each in wanted]
        yield turn, person.acts, agenda, " ".join(replies)


def is_turn_right(
    turn: dict[str, Any], acts: list[str], before: list[str], after: list[str], answer: str
) -> bool:
    """Whether a turn's act, the agenda after it and the words of its answer are as it says."""
    if not _is_answered_right(turn, acts, answer):
        return False
    if "orders" not in turn:
        return turn["act"] == "order" or after == before
    return _are_alike(_agenda_of(turn["orders"]), after)


def changes_right(said: list[dict[str, Any]]) -> Iterator[bool]:
    """Yield for each turn whether its act, its answer and what it changes in the agenda are right.

    What an earlier turn got wrong does not count again, as it does in `is_turn_right`.
    """
    wanted_before, before = list[str](), list[str]()
    for turn, acts, after, answer in turns_of(said):
        is_open = "orders" not in turn and turn["act"] == "order"
        wanted = _agenda_of(turn["orders"]) if "orders" in turn else wanted_before
        is_right = is_open or (
            _are_alike(_new_in(wanted, wanted_before), _new_in(after, before))
            and _are_alike(_new_in(wanted_before, wanted), _new_in(before, after))
        )
        yield is_right and _is_answered_right(turn, acts, answer)
        wanted_before, before = wanted, after


def is_limit_right(case: dict[str, Any]) -> bool:
    """Whether what comes of a sentence with a limit and what is told of it are as its case says."""
    ((_, _, agenda, answer),) = turns_of([case])
    told = (any(each in answer.lower() for each in said.split("|")) for said in case["answer"])
    return _are_alike(case["orders"], agenda) and all(told)


def _are_alike(wanted: list[str], found: list[str]) -> bool:
    return len(wanted) == len(found) and not _new_in(found, wanted)


def _new_in(orders: list[str], before: list[str]) -> list[str]:
    """Return the orders that have none alike among those before."""
    new, known = list[str](), [*before]
    for order in orders:
        same = next((each for each in known if is_alike(each, order)), None)
        if same is None:
            new.append(order)
        else:
            known.remove(same)
    return new


def _is_answered_right(turn: dict[str, Any], acts: list[str], answer: str) -> bool:
    meant = {"ask_where", "ask_found"} if turn["act"] == "ask_where" else {turn["act"]}
    if turn["act"] not in ("order", "unclear") and meant.isdisjoint(acts):
        return False
    return all(word.lower() in answer.lower() for word in turn.get("answer", ()))


def _agenda_of(orders: list[str]) -> list[str]:
    """Return the agenda that a case spells: all tasks but one are one."""
    tasks = {each.startswith("task") and each != "task Water Plant" for each in orders}
    plain = [each for each in orders if not each.startswith("task")]
    return (
        plain + [each for each in orders if each == "task Water Plant"] + ["task"] * (True in tasks)
    )
