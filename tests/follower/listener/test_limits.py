"""Limits that a person sets to an order: each ends in the goal, in a question or in the answer."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from tatc.follower.listener.answers import counted
from tatc.language.conversation.limits import Limited, read_limits
from tatc.language.conversation.orders import Order
from tests.follower.listener.test_conversation import answers, holds, talk
from tests.language.conversation.cases import is_limit_right, read_cases, turns_of

CASES: dict[str, Any] = read_cases("cases_limits.toml")
TUNED = [(kind, case) for kind, halves in CASES.items() for case in halves["tuned"]]
ASIDE = [case for halves in CASES.values() for case in halves["aside"]]
STORY = " ".join(
    f"{who} went to the kitchen. There was a mug on the table. The mug was washed and put away."
    for who in ("My aunt", "Her brother", "An old man", "She", "He", "The cat", "A boy", "They")
)


def conversation(*said: str) -> tuple[list[str], str]:
    """Return the agenda after what a person says, and the answer to the last of it."""
    turns = list(turns_of([{"say": each} for each in said]))
    return turns[-1][2], turns[-1][3]


@pytest.mark.parametrize(("kind", "case"), TUNED, ids=lambda each: str(each)[:60])
def test_no_limit_is_dropped_in_silence(kind: str, case: dict[str, Any]) -> None:
    assert is_limit_right(case), (kind, conversation(case["say"]))


def test_most_limits_of_other_sentences_are_told_too() -> None:
    assert sum(map(is_limit_right, ASIDE)) >= 0.9 * len(ASIDE)


@pytest.mark.parametrize(
    "said",
    [
        "could you wash the mug if you have time",
        "wash the mug if it isn't too much trouble",
        "i wonder if you could wash the mug",
        "wash the mug when you get a chance",
        "it would be great if you washed the mug",
        "when you are done, wash the mug",
        "once that is done, wash the mug",
        "can you wash the mug or not",
    ],
)
def test_what_is_only_polite_is_no_limit(said: str) -> None:
    agenda, answer = conversation(said)
    assert agenda == ["wash Mug"] and "wash the mug" in answer
    assert "Shall I" not in answer and '"' not in answer


@pytest.mark.parametrize(
    ("said", "asked", "agenda"),
    [
        ("in an hour, wash the mug", "wash the mug now?", ["wash Mug"]),
        ("make me a coffee when my wife comes", 'do this: "make me a coffee" now?', ["task"]),
        ("wash all the cups except two", "wash all the cups", ["wash all Cup"]),
        ("unless it rains, open the blinds", "Shall I open the blinds?", ["open Blinds"]),
        ("get a fork. in ten minutes, wash it", "wash the fork", ["pick up Fork", "wash Fork"]),
        ("if there are no mugs, get a cup", "Shall I pick up the cup?", ["pick up Cup"]),
        ("if the fridge is open, get an egg", "Shall I pick up the egg?", ["pick up Egg"]),
        ("wash it if i nod", 'do this: "wash it"', []),
    ],
)
def test_what_is_held_back_is_done_once_somebody_agrees(
    said: str, asked: str, agenda: list[str]
) -> None:
    before, answer = conversation(said)
    assert asked in answer and len(before) < max(1, len(agenda))
    assert conversation(said, "yes please")[0] == agenda
    assert conversation(said, "no")[0] == before
    assert conversation(said, "what do you see?", "yes")[0] == before


@pytest.mark.parametrize(
    ("said", "agenda"),
    [
        ("toast the bread, and when it is done put it on a plate", ["task"]),
        (
            "wash the mug, then, when it's clean, put it on the shelf",
            ["wash Mug", "put Mug on Shelf"],
        ),
        ("get a mug; if it's dirty, wash it", ["pick up Mug", "wash Mug"]),
        ("if the mug is on the table, take it", []),
        ("if the microwave isn't closed, close it", ["close Microwave"]),
        ("unless it's clean, wash the mug", ["wash Mug"]),
        ("if the fridge is closed, close it", []),
        ("if there is a mug on the table, bring it", ["pick up Mug"]),
        ("scrub the pot till it shines", ["wash Pot"]),
    ],
)
def test_conditions_that_do_no_harm_do_not_hold_back(said: str, agenda: list[str]) -> None:
    assert conversation(said)[0] == agenda


def test_of_several_it_takes_one_that_it_has_seen() -> None:
    found = read_limits("get me a mug or a cup", Limited(is_known=lambda kind: kind == "Cup"))
    assert (found.text, found.notes) == ("get me a cup", [("takes", "the cup")])


def test_a_question_with_or_is_no_choice() -> None:
    assert "Either" not in conversation("is the mug in the sink or on the table?")[1]


def test_everything_means_what_was_named_before() -> None:
    agenda, _ = conversation("take the mug and the fork", "put everything in the sink")
    assert agenda == ["put Mug on Sink", "put Fork on Sink"]


def test_what_nobody_shall_touch_is_not_done_any_more() -> None:
    agenda, answer = conversation("wash the mug and the knife", "don't touch the knife")
    assert agenda == ["wash Mug"] and "not wash the knife" in answer


@pytest.mark.parametrize("said", ["get the mug. " * 8_000, "x" * 100_000, STORY])
def test_long_texts_order_nothing(said: str) -> None:
    agenda, answer = conversation(said)
    assert agenda == [] and "short" in answer


def test_many_short_orders_are_no_story() -> None:
    things = "mug cup fork spoon plate bowl pan pot knife egg apple potato tomato bread".split()
    agenda, _ = conversation(" ".join(f"Then wash the {each}." for each in things))
    assert len(agenda) == len(things) > 12


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (Order("pick up", "Mug"), "pick up the mug"),
        (Order("pick up", "Mug", 2), "pick up 2 mugs"),
        (Order("wash", "Knife", None), "wash all the knives"),
        (Order("switch off", "Lamps"), "switch off the lamp"),
        (Order("switch off", "Lamps", None), "switch off all the lamps"),
        (Order("switch on", "Lights", None), "switch on all the lights"),
        (Order("pick up", "Silverware", None), "pick up all the silverware"),
        (Order("pick up", "BreadSliced", 2), "pick up 2 slices of bread"),
        (Order("put", "Potato", 3, "Sink"), "put 3 potatoes in the sink"),
    ],
)
def test_orders_are_told_in_the_right_number(order: Order, told: str) -> None:
    assert order.told() == told


@pytest.mark.parametrize(
    ("types", "told"),
    [
        (["Mug"], "a mug"),
        (["Apple"], "an apple"),
        (["Mug"] * 2, "two mugs"),
        (["Knife"] * 3, "three knives"),
        (["Potato"] * 12, "twelve potatoes"),
        (["Mug"] * 13, "13 mugs"),
        (["Mug", "Apple", "Apple"], "two apples and a mug"),
        (
            ["Mug", "Cup", "Pan", "Pot", "Egg", "Pen", "Fork"],
            "a cup, an egg, a fork, a mug, a pan, ",
        ),
    ],
)
def test_what_is_seen_is_counted_in_words(types: list[str], told: str) -> None:
    said = counted(cast("Any", SimpleNamespace(objectType=each)) for each in types)
    assert said == told or (len(types) > 6 and said.startswith(told) and said.endswith(" and more"))


def test_how_many_of_several_are_so_is_told() -> None:
    said = answers(talk("open a drawer", "are the drawers open?"))
    assert "three drawers, one of them open" in said[-1]


def test_who_is_back_is_greeted_and_waited_for() -> None:
    assert "welcome back" in conversation("hi robot, i'm back")[1]
    assert "I go on" in conversation("get a mug", "wait a second", "i'm back")[1]
    assert "I go on" not in conversation("get a mug", "stop", "hi, i'm back")[1]


def test_a_condition_is_carried_out() -> None:
    result = talk("if the fridge is closed, open it", "get me a mug in a week", "no")
    assert all(each.isOpen for each in result.final.of_type("Fridge")) and holds(result) == ""
