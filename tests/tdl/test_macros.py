"""Parameter macros (spec section 3.2)."""

import pytest

from tatc.base.errors import ParameterError
from tatc.tdl.definition import AtomicComponent, NestedTask
from tatc.tdl.linking import expand_macros, fill_macros
from tests.tdl.checker_rooms import LIBRARY


def test_the_highest_number_goes_first() -> None:
    assert fill_macros("#1 and #13", [str(k) for k in range(14)]) == "1 and 13"


def test_a_changed_key_moves_behind_the_others() -> None:
    expanded = expand_macros(LIBRARY.find("Clean X"), ["Plate"])
    assert [key for key, _ in expanded.components] == ["sink", "Plate"]
    assert expanded.anchor == "Plate"


def test_digits_become_numbers_but_not_for_a_determiner() -> None:
    toggle = expand_macros(LIBRARY.find("Toggle X All Y"), ["off", "0", "Lights"])
    ((_, part),) = toggle.components
    assert isinstance(part, AtomicComponent)
    assert dict(part.conditions) == {"simbotObjectClass": "Lights", "isToggled": 0}
    slices = expand_macros(LIBRARY.find("N Slices Of X In Y"), ["3", "Tomato", "on", "Plate"])
    assert [part.determiner for _, part in slices.components] == ["3", "a"]


def test_nested_tasks_get_the_outer_values() -> None:
    slices = expand_macros(LIBRARY.find("N Slices Of X In Y"), ["1", "Apple", "in", "Bowl"])
    inner = dict(slices.components)["Apple"]
    assert isinstance(inner, NestedTask)
    assert inner.params == ("Apple",)
    food = dict(inner.task.components)["Apple"]
    assert isinstance(food, AtomicComponent)
    assert food.primary_value == "AppleSliced"


def test_keys_that_become_equal_become_one_and_the_last_wins() -> None:
    expanded = expand_macros(LIBRARY.find("Put All X On Y"), ["Bowl", "in", "Bowl"])
    ((key, part),) = expanded.components
    assert (key, part.determiner) == ("Bowl", "a")


def test_texts_are_filled_everywhere() -> None:
    expanded = expand_macros(LIBRARY.find("Breakfast"), [str(k) for k in range(14)])
    written = repr(expanded.relations) + expanded.description
    assert "#" not in written


def test_the_number_of_parameters_must_fit() -> None:
    with pytest.raises(ParameterError, match="1 parameters given, 0 needed"):
        expand_macros(LIBRARY.find("Coffee"), ["x"])
