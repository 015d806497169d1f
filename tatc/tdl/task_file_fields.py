"""Reads a JSON file as fields, whose errors name the file and their place in it."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast

from tatc.base.errors import TaskFormatError
from tatc.base.file_limits import MAX_TASK_TEXT, TASK
from tatc.base.file_reading import FINITE_NUMBERS, read_json
from tatc.base.plain_text import is_encodable

_MAX_KEY = 60  # characters of a key that errors show


@dataclass(frozen=True, slots=True)
class JsonField:
    """A value in a JSON file, with its path for errors (empty for the root).

    Each method raises a TaskFormatError if the value is not what it asks for.
    """

    file: str
    path: str
    value: Any

    def fail(self, why: str, fix: str = "") -> NoReturn:
        """Raise a TaskFormatError that names this field."""
        where = f"{self.file}: {self.path}" if self.path else self.file
        raise TaskFormatError(why, where=where, fix=fix)

    def has(self, key: str) -> bool:
        """Return whether the object has a key."""
        return key in self.as_object()

    def required(self, key: str) -> "JsonField":
        """Return the field of an object under a key that must exist."""
        table = self.as_object()
        if key not in table:
            self.fail(f"has no {key!r}", "add it")
        return self._child(key, table[key])

    def as_object(self) -> Mapping[str, Any]:
        """Return the value, which must be an object."""
        value = self.value
        if not isinstance(value, dict):
            self.fail(f"should be an object, is {_shorten(value)}")
        return cast(dict[str, Any], value)

    def members(self) -> list[tuple[str, "JsonField"]]:
        """Return the fields of an object in order."""
        return [(key, self._child(key, value)) for key, value in self.as_object().items()]

    def elements(self) -> list["JsonField"]:
        """Return the elements of a list."""
        value = self.value
        if not isinstance(value, list):
            self.fail(f"should be a list, is {_shorten(value)}")
        return [
            JsonField(self.file, f"{self.path}[{i}]", each)
            for i, each in enumerate(cast(list[Any], value))
        ]

    def as_text(self, *, empty: bool = False) -> str:
        """Return the value, which must be a string, blank only if `empty` is given."""
        if not isinstance(self.value, str) or not is_encodable(self.value):
            self.fail(f"should be a text, is {_shorten(self.value)}")
        if not self.value.strip() and not empty:
            self.fail("is empty")
        if len(self.value) > MAX_TASK_TEXT:
            self.fail(f"is longer than {MAX_TASK_TEXT} characters")
        return self.value

    def as_integer(self, minimum: int, maximum: int) -> int:
        """Return the value, which must be a whole number between two bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.fail(f"should be a whole number, is {_shorten(self.value)}")
        if not minimum <= self.value <= maximum:
            self.fail(f"should be from {minimum} to {maximum}, is {_shorten(self.value)}")
        return self.value

    def as_boolean(self) -> bool:
        """Return the value, which must be true or false."""
        if not isinstance(self.value, bool):
            self.fail(f"should be true or false, is {_shorten(self.value)}")
        return self.value

    def as_texts(self) -> tuple[str, ...]:
        """Return the value, which must be a list of strings, none of them blank."""
        return tuple(item.as_text() for item in self.elements())

    def _child(self, key: str, value: Any) -> "JsonField":
        return JsonField(
            self.file, f"{self.path}.{key[:_MAX_KEY]}" if self.path else key[:_MAX_KEY], value
        )


def read_json_file(path: Path) -> JsonField:
    """Return the root field of a JSON file.

    Raises:
        TaskFormatError: the file cannot be read, is not JSON, or has a key twice.

    """
    return JsonField(str(path), "", read_json(path, TASK, _DECODER))


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"it has the key {_shorten(twice)} twice in one object")
    return table


_DECODER = json.JSONDecoder(
    object_pairs_hook=_reject_duplicate_keys,
    parse_float=FINITE_NUMBERS.parse_float,
    parse_constant=FINITE_NUMBERS.parse_constant,
)


def _shorten(value: Any) -> str:
    shown = json.dumps(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
