"""What people say, put in plain words before anything reads it."""

import pytest

from tatc.language.conversation.normalization import normalised, parts_of


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("heyyy robott", "hey robot"),
        ("tkae teh frok", "take the fork"),
        ("turn of the stove", "turn off the stove"),
        ("pick up the book period", "pick up the book."),
        ("get to candles", "get two candles"),
        ("um put the the mug uh in the sink", "put the mug in the sink"),
        ("open the fridge get the egg close it", "open the fridge, get the egg, close it"),
        ("get two cups no sorry three cups", "get two cups, no sorry three cups"),
        ("might you see your way to bringing me a pillow?", "bring me a pillow"),
        ("if it isn't too much trouble, close the fridge", "close the fridge"),
        ("it is needed that you fill him with water", "fill it with water"),
        ("the lamp should be switched off", "switch the lamp off"),
        ("i'd rather it were shut", "shut it"),
        ("the screen should be on", "turn on the screen"),
        ("get that towel off the floor and into the sink", "put that towel into the sink"),
        ("the armchair can have it", "put it on the armchair"),
        ("One: close the laptop.", "close the laptop."),
    ],
)
def test_one_order_has_one_wording(said: str, meant: str) -> None:
    assert normalised(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        *("if the mug is dirty, wash it", "hand towel i mean", "tile the wall", "are you deaf?"),
        *("slice the bread and put one slice on the plate", "get two slices"),
    ],
)
def test_what_is_plain_stays_as_it_is(said: str) -> None:
    assert normalised(said) == said


def test_a_text_is_read_in_parts_and_from_a_verb_on() -> None:
    assert "leave them" in list(parts_of("my husband's doing the blinds, so leave them"))
    assert "open the blinds" in list(parts_of("be a lamb and fling open the blinds"))


def test_a_text_that_is_too_long_stays_as_it_is() -> None:
    assert normalised(f"{'the the mug ' * 200}") == "the the mug " * 200
