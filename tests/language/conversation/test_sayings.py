"""What people say, read as dialogue acts and as orders for single things."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tatc.language.conversation.dialogue_acts import read_acts
from tatc.language.conversation.order_reading import Reading, read_orders
from tatc.language.conversation.orders import Order
from tatc.language.understanding import tokens

_LINES = (Path(__file__).parent / "sayings.txt").read_text("utf-8").splitlines()
SAYINGS = [tuple(line.split(" | ")) for line in _LINES if " | " in line]


def _canonical(order: Order) -> str:
    number = "all " if order.count is None else "" if order.count == 1 else f"{order.count} "
    said = order.skill + (f" {number}{order.thing}" if order.thing else "")
    return said + (f" on {order.place}" if order.place else "")


@pytest.mark.parametrize(("meant", "said"), SAYINGS)
def test_a_saying_means_what_its_line_says(meant: str, said: str) -> None:
    acts, rest = read_acts(said)
    read = read_orders(rest, ())
    assert not read.rest
    assert meant in (", ".join(map(_canonical, read.orders)), *(each.act for each in acts))


def test_questions_name_what_they_are_about() -> None:
    ((where,), _), ((state,), _) = read_acts("where's the mug?"), read_acts("is the fridge open")
    assert (where.act, where.thing) == ("ask_where", "Mug")
    assert (state.thing, state.state) == ("Fridge", "open")
    ((unknown,), _) = read_acts("where is the flibbertigibbet?")
    assert unknown.thing == "" and unknown.unknown == "the flibbertigibbet"


def test_acts_and_orders_stand_in_one_utterance() -> None:
    acts, rest = read_acts("Thanks! Can you get me a mug, then open the fridge?")
    assert [each.act for each in acts] == ["thank"]
    read = read_orders(rest, ())
    assert list(map(_canonical, read.orders)) == ["pick up Mug", "open Fridge"] and not read.rest


def test_it_is_what_was_named_last() -> None:
    read = read_orders("put it in the sink and wash it", ["Mug", "Fridge"])
    assert [_canonical(each) for each in read.orders] == ["put Mug on Sink", "wash Mug"]


def test_dishes_are_left_for_the_dialogue() -> None:
    read = read_orders("make toast and put it on a plate, then open the fridge", ())
    assert [_canonical(each) for each in read.orders] == ["open Fridge"]
    assert read.rest == "make toast. put it on a plate"


@pytest.mark.parametrize("said", ["get me a unicorn", "asdf qwer"])
def test_what_means_nothing_is_no_order(said: str) -> None:
    assert read_orders(said, ()) == Reading(rest=said)


@pytest.mark.parametrize(
    "word", ["clever", "fingers", "however", "snore", "lobster", "mad", "danger", "switched"]
)
def test_a_plain_english_word_is_no_misspelled_name(word: str) -> None:
    assert [each.text for each in tokens.read_terms(word, 0)] == [word]


@pytest.mark.parametrize("said", ["slice the sofa", "open the apple", "open the window"])
def test_what_nobody_can_do_is_told_apart(said: str) -> None:
    read = read_orders(said, ())
    assert not read.orders and len(read.impossible) == 1


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    _, rest = read_acts(text)
    read = read_orders(rest, ["Mug"])
    assert all(each.told() and each.told(done=True) for each in read.orders)


@pytest.mark.parametrize(
    "said", ["a," * 5_000, "and " * 5_000, "turn " + "x on " * 5_000, "\x1b[31m" * 9_000]
)
def test_long_texts_are_cut_short(said: str) -> None:
    _, rest = read_acts(said)
    assert len(rest) <= 2_000
    assert read_orders(rest, ()).orders == []
