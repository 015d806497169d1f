"""Checked access to the fields of JSON."""

from collections.abc import Callable, Mapping
from math import inf, nan
from typing import Any

import pytest

from tatc.base import json_fields
from tatc.base.errors import BadInput
from tatc.base.json_fields import FieldError, short_repr
from tatc.home import metadata


@pytest.mark.parametrize(
    ("read", "value", "why"),
    [
        (json_fields.as_number, "1", "should be a number, is '1'"),
        (json_fields.as_number, True, "should be a number, is True"),
        (json_fields.as_number, None, "is missing"),
        (json_fields.as_number, nan, "is impossible: nan"),
        (json_fields.as_number, -inf, "is impossible: -inf"),
        (json_fields.as_number, 1e9, "is impossible: 1000000000.0"),
        (json_fields.as_number, 10**400, "is impossible: 1000"),
        (json_fields.as_integer, 1.0, "should be a whole number, is 1.0"),
        (json_fields.as_integer, False, "should be a whole number, is False"),
        (json_fields.as_mapping, [], "should be an object, is []"),
        (json_fields.as_list, {}, "should be a list, is {}"),
    ],
)
def test_a_value_of_another_kind_is_a_fault(
    read: Callable[[Any, str], object], value: Any, why: str
) -> None:
    with pytest.raises(FieldError) as caught:
        read(value, "depth")
    assert caught.value.field == "depth"
    assert caught.value.why.startswith(why)


@pytest.mark.parametrize(
    ("read", "raw", "where"),
    [
        (json_fields.get_text, {}, "a: is missing"),
        (json_fields.get_text, {"a": ""}, "a: should be a text, is ''"),
        (json_fields.get_text, {"a": 3}, "a: should be a text, is 3"),
        (json_fields.get_text, {"a": "\ud800"}, "a: should be a text, is '\\ud800'"),
        (json_fields.get_text_or_empty, {"a": None}, "a: is missing"),
        (json_fields.get_flag, {"a": "False"}, "a: should be true or false, is 'False'"),
        (json_fields.get_flag, {"a": 0}, "a: should be true or false, is 0"),
        (json_fields.get_names, {"a": "Mug"}, "a: should be a list, is 'Mug'"),
        (json_fields.get_names, {"a": ["Mug", 1]}, "a: should be a list of texts"),
        (metadata.get_vector, {}, "a: is missing"),
        (metadata.get_vector, {"a": [1, 2, 3]}, "a: should be x, y, z, is [1, 2, 3]"),
        (metadata.get_vector, {"a": {"x": 1, "y": 2}}, "a.z: is missing"),
        (metadata.get_vector, {"a": {"x": 1, "y": nan, "z": 3}}, "a.y: is impossible: nan"),
    ],
)
def test_a_field_that_is_wrong_is_named(
    read: Callable[[Any, str], object], raw: dict[str, Any], where: str
) -> None:
    with pytest.raises(FieldError) as caught:
        read(raw, "a")
    assert str(caught.value).startswith(where)


def test_good_values_pass() -> None:
    raw = {"a": "", "b": "Mug", "c": ["Mug"], "d": {"x": 1, "y": 2.5, "z": -1}}
    assert json_fields.get_text_or_empty(raw, "a") == ""
    assert json_fields.get_text(raw, "b") == "Mug"
    assert json_fields.get_names(raw, "c") == ("Mug",)
    assert json_fields.get_names(raw, "none") is None
    assert metadata.get_vector(raw, "d") == (1.0, 2.5, -1.0)
    assert json_fields.get_flag(raw, "none") is False


def test_the_path_of_a_fault_grows_outwards() -> None:
    def read(entry: object) -> None:
        if entry is None:
            raise FieldError("x", "is missing", "add it")

    with pytest.raises(FieldError) as raised, json_fields.faults_under("room"):
        json_fields.read_each([1, None], read, "objects")
    fault = raised.value
    assert (fault.field, fault.why, fault.fix) == ("room.objects[1].x", "is missing", "add it")


@pytest.mark.parametrize(("field", "whole"), [("", "objects"), ("[3].x", "objects[3].x")])
def test_no_dot_stands_before_an_index_or_nothing(field: str, whole: str) -> None:
    with pytest.raises(FieldError) as raised, json_fields.faults_under("objects"):
        raise FieldError(field, "is empty")
    assert raised.value.field == whole


def test_large_values_are_shown_short_and_on_one_line() -> None:
    nested: list[Any] = []
    for _ in range(500):
        nested = [nested]
    for value in ("x" * 10_000, "a\nb", list(range(10_000)), {"k": "v" * 999}, nested):
        assert len(short_repr(value)) < 200
        assert "\n" not in short_repr(value)


def test_a_list_of_objects_is_read_entry_by_entry() -> None:
    def read(row: Mapping[str, Any]) -> str:
        return json_fields.get_text(row, "name")

    assert json_fields.read_list({"rows": [{"name": "a"}, {"name": "b"}]}, "rows", read) == (
        "a",
        "b",
    )
    for rows, field in ((None, "rows"), ([{"name": "a"}, 1], "rows[1]"), ([{}], "rows[0].name")):
        with pytest.raises(FieldError) as raised:
            json_fields.read_list({"rows": rows}, "rows", read)
        assert raised.value.field == field
    with pytest.raises(FieldError, match="more than 1 entries"):
        json_fields.read_list({"rows": [{}, {}]}, "rows", read, 1)


@pytest.mark.parametrize(
    ("field", "own_fix", "whole"),
    [("x", "", "a.json: x: is missing (copy it)"), ("", "add it", "a.json: is missing (add it)")],
)
def test_a_fault_of_a_field_becomes_an_error_of_its_file(
    field: str, own_fix: str, whole: str
) -> None:
    with pytest.raises(BadInput) as raised, json_fields.errors_in("a.json", BadInput, "copy it"):
        raise FieldError(field, "is missing", own_fix)
    assert str(raised.value) == whole
