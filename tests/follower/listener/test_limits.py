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


@pytest.mark.parametrize(
    "said",
    [
        "i'm considering washing the cups",
        "we usually eat eggs on sundays",
        "my wife often forgets to close the fridge",
        "our neighbour cuts the bread by hand",
        "i adore statues",
        "i don't like potatoes",
        "i used to have a vase like this",
        "i was going to slice the tomato but then i forgot",
        "i have toast every morning",
        "i dreamt of a newspaper",
        "we had eggs for breakfast",
        "i might open the window later",
        "knives scare me",
        "that pan reminds me of my mother",
        "the phone is ringing",
        "the tap is running",
    ],
)
def test_what_somebody_only_tells_is_acknowledged(said: str) -> None:
    for before in ([], ["get a fork"]):
        agenda, answer = conversation(*before, said)
        assert agenda == ["pick up Fork"] * len(before)
        assert answer.startswith(("I see", "Good to know"))


@pytest.mark.parametrize(
    ("said", "agenda"),
    [
        ("i'd like a mug", ["pick up Mug"]),
        ("i would love some coffee", ["task"]),
        ("i love tomatoes, get me one", ["pick up Tomato"]),
        ("the tap is running, turn it off", ["switch off Faucet"]),
        ("i was wondering if you could wash the mug", ["wash Mug"]),
        ("cups are dirty", ["wash Cup"]),
    ],
)
def test_what_somebody_wants_is_no_mere_statement(said: str, agenda: list[str]) -> None:
    assert conversation(said)[0] == agenda


@pytest.mark.parametrize(
    ("said", "agenda"),
    [
        ("come on and switch on the lamp", ["switch on Lamps"]),
        ("get a move on and fetch the newspaper", ["pick up Newspaper"]),
        ("speed it up and slice the bread", ["slice Bread"]),
        ("wait a second and then open the fridge", ["open Fridge"]),
        ("never mind that and get me a fork", ["pick up Fork"]),
        ("hurry up and make coffee", ["task"]),
    ],
)
def test_an_order_after_an_act_is_kept(said: str, agenda: list[str]) -> None:
    assert conversation(said)[0] == agenda


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("i'd rather you didn't open the microwave", "not open the microwave unless"),
        ("i'd prefer you not to touch the knife", "not touch the knife"),
        ("i would rather you did not wash the pan", "not wash the pan"),
        ("i'd like it if you didn't move the vase", "the vase"),
        ("please avoid opening the drawers", "not open the drawer unless"),
        ("stop opening the cabinets", "not open the cabinet unless"),
        ("don't use the microwave", "not touch the microwave"),
        ("take everything off the table except the plate", "everything off the table except"),
        ("bring me everything from the desk but the pen", "everything from the desk but the pen"),
        ("clear the shelf of all the things but the vase", "Name the things"),
        ("put all the stuff in the sink other than the egg", 'leave out "the egg"'),
        ("which cup is dirty?", "not seen any cup"),
        ("which of the plates are clean?", "not seen any plate"),
        ("which vase is the biggest?", "not seen any vase"),
        ("who has the spoon?", "not seen any spoon"),
        ("777", '"777"'),
        ("99999", '"99999"'),
        ("123 456", '"123 456"'),
        ("5551234", '"5551234"'),
    ],
)
def test_no_other_words_correct_the_last_order(said: str, told: str) -> None:
    agenda, answer = conversation("get a mug", said)
    assert agenda == ["pick up Mug"] and told in answer


@pytest.mark.parametrize(
    ("said", "agenda"),
    [
        (
            "wash the mug, but only once you have switched on the lamp",
            ["switch on Lamps", "wash Mug"],
        ),
        (
            "get a fork after you've already closed the drawer",
            ["close Drawer", "pick up Fork"],
        ),
        (
            "after you have turned off the tv bring me the remote",
            ["switch off Television", "pick up RemoteControl"],
        ),
        ("put the mug in the sink after you've emptied it", ["empty Mug", "put Mug on Sink"]),
        ("turn the lamp on and then off again", ["switch on Lamps", "switch off Lamps"]),
        ("switch the tv off and on", ["switch off Television", "switch on Television"]),
        ("switch the light on, then off", ["switch on Lights", "switch off Lights"]),
        ("turn on and off the faucet", ["switch on Faucet", "switch off Faucet"]),
    ],
)
def test_what_is_done_earlier_and_then_undone_is_kept(said: str, agenda: list[str]) -> None:
    assert conversation(said)[0] == agenda


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("wash most of the plates", "most of the plates"),
        ("get me half the forks", "half the forks"),
        ("put a third of the mugs in the sink", "a third of the mugs"),
        ("close some of the drawers", "some of the drawers"),
        ("use the plunger", "how to use the plunger"),
        ("please use the scrub brush", "how to use the scrub brush"),
        ("operate the vacuum cleaner", "how to use the vacuum cleaner"),
        ("can you use the knife", "how to use the knife"),
        ("hm, dear, use the brush", "use the brush"),
        ("swap the mug and the cup", "cannot swap"),
        ("exchange the vase with the statue", "cannot swap"),
        ("switch the apple and the egg around", "cannot swap"),
        ("please trade the pen and the pencil", "cannot swap"),
    ],
)
def test_what_cannot_be_counted_or_done_is_said_to_be_so(said: str, told: str) -> None:
    agenda, answer = conversation(said)
    assert agenda == [] and told in answer


@pytest.mark.parametrize(
    ("said", "agenda"),
    [
        ("use the sponge to wash the mug", ["wash Mug"]),
        ("use a knife to slice the bread", ["slice Bread"]),
        ("could you use the brush to scrub the pan", ["wash Pan"]),
        ("use the microwave to heat the potato", ["heat Potato"]),
    ],
)
def test_what_is_used_is_not_what_is_worked_on(said: str, agenda: list[str]) -> None:
    found, answer = conversation(said)
    assert found == agenda
    assert ("leave this out" in answer) == ("sponge" in said or "brush" in said)


def test_the_other_parts_of_a_sentence_are_done_all_the_same() -> None:
    agenda, _ = conversation("open the fridge and wash half of the spoons and close the drawer")
    assert agenda == ["open Fridge", "close Drawer"]


@pytest.mark.parametrize(
    ("before", "said", "agenda"),
    [
        ("wash the bowl", "forget it, get me a potato instead", ["pick up Potato"]),
        ("slice the bread", "scrap that, fetch the newspaper instead", ["pick up Newspaper"]),
        ("put the mug in the sink", "forget that, open the microwave", ["open Microwave"]),
        ("heat the potato", "cancel that and take the egg instead", ["pick up Egg"]),
        ("wash the bowl", "no, the plate instead", ["wash Plate"]),
        ("get a mug. put the statue", "on the shelf", ["pick up Mug", "put Statue on Shelf"]),
        ("open the fridge. put the pen", "on the desk", ["open Fridge", "put Pen on Desk"]),
        ("get the egg. place the vase", "in the box", ["pick up Egg", "put Vase on Box"]),
        ("wash a cup. put the book", "maybe on the bed", ["wash Cup", "put Book on Bed"]),
        ("wash the mug tomorrow", "now", ["wash Mug"]),
        ("in an hour, get a fork", "right now please", ["pick up Fork"]),
        ("slice the bread at noon", "immediately", ["slice Bread"]),
        ("open the fridge tonight", "yes, now", ["open Fridge"]),
    ],
)
def test_an_answer_is_about_what_was_said_last(before: str, said: str, agenda: list[str]) -> None:
    assert conversation(before, said)[0] == agenda


def test_beside_a_place_is_not_on_it() -> None:
    assert "next to the bed" in conversation("put the vase", "next to the bed")[1]


@pytest.mark.parametrize("said", ["never open the fridge", "don't open any drawer"])
def test_nothing_is_promised_that_is_not_kept(said: str) -> None:
    assert "unless I have to" in conversation(said)[1]
    assert "unless" not in conversation("open the fridge and a drawer", said)[1]


@pytest.mark.parametrize(
    ("said", "agenda"),
    [
        (
            "put one cup in the sink and the other one on the shelf",
            ["put Cup on Sink", "put Cup on Shelf"],
        ),
        (
            "put the red apple on the desk and the green one in the fridge",
            ["put Apple on Desk", "put Apple on Fridge"],
        ),
        (
            "put the mug on the desk and another one on the shelf",
            ["put Mug on Desk", "put Mug on Shelf"],
        ),
        ("wash the big pan and the small one", ["wash Pan", "wash Pan"]),
        (
            "put the dirty plate in the sink and the clean one in the cabinet",
            ["put Plate on Sink", "put Plate on Cabinet"],
        ),
    ],
)
def test_one_of_the_things_before_is_named(said: str, agenda: list[str]) -> None:
    assert conversation(said)[0] == agenda


@pytest.mark.parametrize("what", ["glass of milk", "cup of tea", "bowl of soup", "mug of cocoa"])
def test_the_drink_counts_and_not_its_glass(what: str) -> None:
    agenda, answer = conversation(f"make a cup of coffee and a {what}")
    assert agenda == ["task"] and what in answer


def test_the_other_one_is_another_one() -> None:
    result = talk("put one apple in the fridge and another one in the sink")
    held = [each.parentReceptacles for each in result.final.of_type("Apple")]
    assert any("Sink" in str(each) for each in held)
    assert any("Fridge" in str(each) for each in held)
    result = talk("put the small mug in the sink and the other one in the microwave")
    sunk = [each for each in result.final.of_type("Mug") if "Sink" in str(each.parentReceptacles)]
    assert len(sunk) == 1 and "not seen any mug like that" in answers(result)[-1]


@pytest.mark.parametrize(
    ("said", "number"),
    [
        (["get a fork", "make it 12345"], "12345"),
        (["get a fork", "no, 500"], "500"),
        (["get a fork", "bring me a hundred plates"], "a hundred"),
    ],
)
def test_a_number_beyond_any_home_is_told(said: list[str], number: str) -> None:
    agenda, answer = conversation(*said)
    assert agenda == ["pick up Fork"] and f"{number} " in answer and "smaller number" in answer


@pytest.mark.parametrize("said", ["a million thanks", "i told you a hundred times"])
def test_a_great_number_of_other_things_is_no_limit(said: str) -> None:
    assert "smaller number" not in conversation(said)[1]


@pytest.mark.parametrize(
    "said",
    [
        "i always need a coffee in the morning",
        "my sister usually wants two pillows",
        "we never use the toaster",
        "he always takes a fork to bed",
    ],
)
def test_what_somebody_always_wants_is_no_order(said: str) -> None:
    agenda, answer = conversation(said)
    assert agenda == []
    assert "do something about it" in answer or "should do" in answer


def test_a_habit_that_leads_to_an_order_is_one() -> None:
    assert conversation("we usually need two plates, so get two plates")[0] == ["pick up 2 Plate"]


@pytest.mark.parametrize(
    ("before", "said", "meant"),
    [
        ("get a pot", "use the pan", "pick up Pan"),
        ("get a mug", "use the red one", "pick up Mug"),
        ("fill the pot", "no, use the kettle instead", "fill Kettle"),
        ("put the mug on the table", "use the side table please", "put Mug on SideTable"),
    ],
)
def test_to_use_a_thing_chooses_it_for_the_last_order(before: str, said: str, meant: str) -> None:
    assert conversation(before, said)[0] == [meant]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("slice the tomato", "use the butter knife"),
        ("wash the mug", "use the sponge"),
        ("open the drawer", "use the pan"),
        ("water the plant", "use the watering can"),
    ],
)
def test_tools_are_not_chosen_for_the_last_order(before: str, said: str) -> None:
    agenda, answer = conversation(before, said)
    assert agenda == conversation(before)[0] and "how to use" in answer.lower()
