"""Checked access to the fields of JSON."""

from collections.abc import Callable
from math import inf, nan
from typing import Any

import pytest

from tatc import fields
from tatc.fields import FieldFault, shown


@pytest.mark.parametrize(
    ("read", "value", "why"),
    [
        (fields.number, "1", "should be a number, is '1'"),
        (fields.number, True, "should be a number, is True"),
        (fields.number, None, "is missing"),
        (fields.number, nan, "is impossible: nan"),
        (fields.number, -inf, "is impossible: -inf"),
        (fields.number, 1e9, "is impossible: 1000000000.0"),
        (fields.number, 10**400, "is impossible: 1000"),
        (fields.whole, 1.0, "should be a whole number, is 1.0"),
        (fields.whole, False, "should be a whole number, is False"),
        (fields.mapping, [], "should be an object, is []"),
        (fields.listing, {}, "should be a list, is {}"),
    ],
)
def test_a_value_of_another_kind_is_a_fault(
    read: Callable[[Any, str], object], value: Any, why: str
) -> None:
    with pytest.raises(FieldFault) as caught:
        read(value, "depth")
    assert caught.value.field == "depth"
    assert caught.value.why.startswith(why)


@pytest.mark.parametrize(
    ("read", "raw", "where"),
    [
        (fields.text, {}, "a: is missing"),
        (fields.text, {"a": ""}, "a: should be a text, is ''"),
        (fields.text, {"a": 3}, "a: should be a text, is 3"),
        (fields.text, {"a": "\ud800"}, "a: should be a text, is '\\ud800'"),
        (fields.words, {"a": None}, "a: is missing"),
        (fields.flag, {"a": "False"}, "a: should be true or false, is 'False'"),
        (fields.flag, {"a": 0}, "a: should be true or false, is 0"),
        (fields.names, {"a": "Mug"}, "a: should be a list, is 'Mug'"),
        (fields.names, {"a": ["Mug", 1]}, "a: should be a list of texts"),
        (fields.vector, {}, "a: is missing"),
        (fields.vector, {"a": [1, 2, 3]}, "a: should be x, y, z, is [1, 2, 3]"),
        (fields.vector, {"a": {"x": 1, "y": 2}}, "a.z: is missing"),
        (fields.vector, {"a": {"x": 1, "y": nan, "z": 3}}, "a.y: is impossible: nan"),
    ],
)
def test_a_field_that_is_wrong_is_named(
    read: Callable[[Any, str], object], raw: dict[str, Any], where: str
) -> None:
    with pytest.raises(FieldFault) as caught:
        read(raw, "a")
    assert str(caught.value).startswith(where)


def test_good_values_pass() -> None:
    raw = {"a": "", "b": "Mug", "c": ["Mug"], "d": {"x": 1, "y": 2.5, "z": -1}}
    assert fields.words(raw, "a") == ""
    assert fields.text(raw, "b") == "Mug"
    assert fields.names(raw, "c") == ("Mug",)
    assert fields.names(raw, "none") is None
    assert fields.vector(raw, "d") == (1.0, 2.5, -1.0)
    assert fields.flag(raw, "none") is False


def test_the_path_grows_outwards() -> None:
    fault = FieldFault("[3].x", "is missing", "add it").within("objects").within("room")
    assert (fault.field, fault.why, fault.fix) == (
        "room.objects[3].x",
        "is missing",
        "add it",
    )
    assert FieldFault("", "is empty").within("objects").field == "objects"


def test_large_values_are_shown_short_and_on_one_line() -> None:
    nested: list[Any] = []
    for _ in range(500):
        nested = [nested]
    for value in ("x" * 10_000, "a\nb", list(range(10_000)), {"k": "v" * 999}, nested):
        assert len(shown(value)) < 200
        assert "\n" not in shown(value)
