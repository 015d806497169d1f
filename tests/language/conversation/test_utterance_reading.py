"""Words that order nothing by themselves, read by the orders before them."""

from dataclasses import replace

import pytest

from tatc.language.conversation import order_words
from tatc.language.conversation.context_reading import read_in_context, replaced
from tatc.language.conversation.order_reading import Reading, read_orders
from tatc.language.conversation.orders import Order
from tatc.language.conversation.utterance_reading import read_utterance

MUG, FORK = Order("put", "Mug", place="CounterTop"), Order("pick up", "Fork")
SOAP = Order("put", "SoapBar", place="Sink")


@pytest.mark.parametrize(
    ("words", "last", "meant"),
    [
        ("eh, the shelf's better", MUG, Order("put", "Mug", place="Shelf")),
        (
            "six, there's guests",
            Order("pick up", "Fork", count=4),
            Order("pick up", "Fork", count=6),
        ),
        ("one fewer, jim stays out", Order("wash", "Cup", count=3), Order("wash", "Cup", count=2)),
        ("every drawer, in fact", Order("open", "Drawer"), Order("open", "Drawer", count=None)),
        ("reverse that", Order("close", "Microwave"), Order("open", "Microwave")),
        ("did i say fork? the spoon", FORK, Order("pick up", "Spoon")),
        ("i mix them up... the soap bottle", SOAP, replace(SOAP, thing="SoapBottle")),
    ],
)
def test_another_order_stands_in_the_place_of_the_last(
    words: str, last: Order, meant: Order
) -> None:
    change = read_in_context(Reading(rest=words), last, [last], [last.thing])
    assert change is not None
    assert (change.orders, change.instead_of) == ([meant], (last,))


@pytest.mark.parametrize("words", ["minus the fork", "just the mug", "i can do without the fork"])
def test_one_of_two_orders_is_dropped(words: str) -> None:
    change = read_in_context(Reading(rest=words), FORK, [MUG, FORK], ["Mug", "Fork"])
    assert change is not None
    assert [each for each in (MUG, FORK) if any(map(each.is_meant, change.denied))] == [FORK]


@pytest.mark.parametrize(
    "words", ["i have six cousins", "is the shelf better?", "you brainless toaster", "thank you"]
)
def test_talk_of_other_things_changes_nothing(words: str) -> None:
    assert read_in_context(Reading(rest=words), MUG, [MUG], ["Mug"]) is None


def test_the_opposite_takes_an_order_back_unless_both_are_to_be_done() -> None:
    wanted, given = [Order("switch on", "FloorLamp")], Order("switch off", "FloorLamp")
    assert replaced("no no, turn it off", given, wanted) == wanted[0]
    assert replaced("and then turn it off", given, wanted) is None


@pytest.mark.parametrize(
    ("words", "which"),
    [
        ("chuck the apple in the bin", ""),
        ("throw the apple into the garbage can", ""),
        ("throw the apple on the table away", "Tables"),
    ],
)
def test_the_bin_is_not_where_what_is_thrown_away_is(words: str, which: str) -> None:
    assert read_orders(words, ()).orders == [Order("throw away", "Apple", which=which)]


@pytest.mark.parametrize(
    "words",
    [
        "who washed the plate?",
        "which tomato did you cut?",
        "do you like coffee?",
        "I spilled coffee on the floor",
        "my sister already washed the plate",
        "the plate was dirty yesterday",
        "does the plant need water?",
    ],
)
def test_questions_and_what_happened_are_no_orders(words: str) -> None:
    assert not read_orders(words.lower().rstrip("?"), ("Plate",)).orders


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("who can bring me a fork", Order("pick up", "Fork")),
        ("i needed a fork", Order("pick up", "Fork")),
        ("i need the plate washed", Order("wash", "Plate")),
    ],
)
def test_a_wish_is_an_order(words: str, asked: Order) -> None:
    assert read_orders(words, ()).orders == [asked]


@pytest.mark.parametrize("words", ["get me a glass of water", "pour me some water"])
def test_a_drink_of_water_is_a_full_cup(words: str) -> None:
    assert read_utterance(words, ())[1].orders == [Order("fill", "Cup")]


@pytest.mark.parametrize(
    "words",
    [
        "have you put the fork in the sink?",
        "did you go to the window?",
        "should I put the pillow on the bed?",
        "must we wash the pan?",
        "does the drawer need closing?",
        "was the cup in the fridge before?",
        "did I leave the book on the desk?",
        "did you bring the newspaper to the sofa",
    ],
)
def test_what_is_only_asked_orders_nothing(words: str) -> None:
    acts, read = read_utterance(words, ())
    assert not read.orders
    assert acts or order_words.find("narrative", read.rest)


@pytest.mark.parametrize(
    "words", ["why don't you close the drawer?", "could I have a cup?", "the drawer needs closing"]
)
def test_what_is_asked_for_politely_is_an_order(words: str) -> None:
    assert read_utterance(words, ())[1].orders
