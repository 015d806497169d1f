"""What a room must have before a task starts (spec section 3.9)."""

import pytest

from tatc.state import ObjectState
from tests.tdl.things import LIBRARY, room, thing

KITCHEN = (thing("Knife"), thing("Sink"))


@pytest.mark.parametrize(
    ("name", "params", "things", "missing"),
    [
        ("Coffee", (), (thing("Mug", isDirty=True),), ()),
        ("Coffee", (), (thing("Cup"),), ("Mug",)),
        ("Sliced X", ("Tomato",), (thing("Tomato"), *KITCHEN), ()),
        ("Sliced X", ("Tomato",), (thing("TomatoSliced"), *KITCHEN), ()),
        ("Sliced X", ("Tomato",), (thing("Apple"), *KITCHEN), ("Tomato",)),
        ("Sliced X", ("Tomato",), (thing("Tomato"),), ("Knife",)),
        ("Omelette", (), (thing("Egg"),), ()),
        ("Omelette", (), (thing("EggCracked"),), ()),
        ("Omelette", (), (thing("Bread"),), ("Egg",)),
        ("Clean X", ("Drinkware",), (thing("Cup"), thing("SinkBasin")), ()),
        ("Clean All X", ("Mug",), (thing("Sink"),), ("Mug",)),
        ("Clean All X", ("Mug",), (thing("Sink"), thing("Mug")), ()),
        ("Put All X On Y", ("Fork", "in", "Sink"), (thing("Fork"),), ("Sink",)),
        # Whether a sink can hold anything is no primary condition.
        ("Put All X On Y", ("Fork", "on", "Mug"), (thing("Fork"), thing("Mug")), ()),
    ],
)
def test_one_kind_at_a_time(
    name: str,
    params: tuple[str, ...],
    things: tuple[ObjectState, ...],
    missing: tuple[str, ...],
) -> None:
    task = LIBRARY.compile(name, params)
    assert task.missing(room(*things)) == missing
    assert task.preconditions_hold(room(*things)) is not bool(missing)


def test_one_whole_food_makes_any_number_of_slices() -> None:
    task = LIBRARY.compile("N Slices Of X In Y", ("5", "Tomato", "on", "Plate"))
    assert task.preconditions_hold(room(thing("Tomato"), thing("Plate"), *KITCHEN))
    slices = [thing("TomatoSliced", n) for n in range(4)]
    assert not task.preconditions_hold(room(*slices, thing("Plate"), *KITCHEN))


def test_numbers_multiply_and_none_are_skipped() -> None:
    params = ("2", "0", "0", "Plate", "0", "Plate", *"0000000", "CounterTop")
    task = LIBRARY.compile("Breakfast", params)
    counter, one, two = thing("CounterTop"), thing("Mug", 1), thing("Mug", 2)
    assert task.missing(room(counter, one)) == ("2 Mug",)
    assert task.preconditions_hold(room(counter, one, two))
