"""What a room must have before a task starts (spec section 3.9)."""

import pytest

from tatc.home.state import ObjectState
from tatc.tdl import Task, TaskDefinition
from tatc.tdl.definition import NestedTask
from tatc.tdl.macros import expand_macros
from tests.tdl.checker_rooms import LIBRARY, make_object, make_snapshot

KITCHEN = (make_object("Knife"), make_object("Sink"))


@pytest.mark.parametrize(
    ("name", "params", "things", "missing"),
    [
        ("Coffee", (), (make_object("Mug", isDirty=True),), ()),
        ("Coffee", (), (make_object("Cup"),), ("Mug",)),
        ("Sliced X", ("Tomato",), (make_object("Tomato"), *KITCHEN), ()),
        ("Sliced X", ("Tomato",), (make_object("TomatoSliced"), *KITCHEN), ()),
        ("Sliced X", ("Tomato",), (make_object("Apple"), *KITCHEN), ("Tomato",)),
        ("Sliced X", ("Tomato",), (make_object("Tomato"),), ("Knife",)),
        ("Omelette", (), (make_object("Egg"),), ()),
        ("Omelette", (), (make_object("EggCracked"),), ()),
        ("Omelette", (), (make_object("Bread"),), ("Egg",)),
        ("Clean X", ("Drinkware",), (make_object("Cup"), make_object("SinkBasin")), ()),
        ("Clean All X", ("Mug",), (make_object("Sink"),), ("Mug",)),
        ("Clean All X", ("Mug",), (make_object("Sink"), make_object("Mug")), ()),
        ("Put All X On Y", ("Fork", "in", "Sink"), (make_object("Fork"),), ("Sink",)),
        # Whether a sink can hold anything is no primary condition.
        ("Put All X On Y", ("Fork", "on", "Mug"), (make_object("Fork"), make_object("Mug")), ()),
    ],
)
def test_one_kind_at_a_time(
    name: str, params: tuple[str, ...], things: tuple[ObjectState, ...], missing: tuple[str, ...]
) -> None:
    task = LIBRARY.compile(name, params)
    assert task.missing_requirements(make_snapshot(*things)) == missing
    assert task.preconditions_hold(make_snapshot(*things)) is not bool(missing)


def test_one_whole_food_makes_any_number_of_slices() -> None:
    task = LIBRARY.compile("N Slices Of X In Y", ("5", "Tomato", "on", "Plate"))
    assert task.preconditions_hold(
        make_snapshot(make_object("Tomato"), make_object("Plate"), *KITCHEN)
    )
    slices = [make_object("TomatoSliced", n) for n in range(4)]
    assert not task.preconditions_hold(make_snapshot(*slices, make_object("Plate"), *KITCHEN))


def test_numbers_multiply_and_none_are_skipped() -> None:
    params = ("2", "0", "0", "Plate", "0", "Plate", *"0000000", "CounterTop")
    task = LIBRARY.compile("Breakfast", params)
    counter, one, two = (make_object("CounterTop"), make_object("Mug", 1), make_object("Mug", 2))
    assert task.missing_requirements(make_snapshot(counter, one)) == ("2 Mug",)
    assert task.preconditions_hold(make_snapshot(counter, one, two))


def test_all_of_a_kind_are_one_at_least_however_often_they_are_asked_for() -> None:
    clean = expand_macros(LIBRARY.find("Clean All X"), ("Mug",))
    parts = (("clean", NestedTask("2", clean, ("Mug",))),)
    task = Task(TaskDefinition(1, "Twice", "", None, parts, (), params=()))
    assert task.missing_requirements(make_snapshot(make_object("Sink"))) == ("Mug",)
    assert task.preconditions_hold(make_snapshot(make_object("Sink"), make_object("Mug")))
