"""Checked access to the fields of JSON: a value of the wanted kind, or a fault.

A `FieldError` carries the path of the field, which grows as the fault travels outwards
(`faults_under`, `read_each`), so that a reader can say which field of which file is wrong.

msgspec would save 0.7 of 13 ms a game (60 train games), but its messages name the field and the
expected type without the value found or a fix ("Expected `int` <= 1 - at `$.agent_id`" for
"agent_id: should be 0 or 1, is 7").  The messages matter more.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from reprlib import Repr
from typing import Any, TypeGuard, TypeVar, cast

from tatc.base.errors import BadInput
from tatc.base.plain_text import is_encodable

Item = TypeVar("Item")

MAX_ABSOLUTE_NUMBER = 1e6
"""The largest number of a field, metres or degrees.

What falls through the floor goes on falling while a session lasts: in two of TEACh's
1,482 train games an object ends kilometres below, 392 at most.
"""

MAX_INTEGER = (1 << 64) - 1  # the largest integer of a field; a seed may have 64 bits

_REPR = Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 40
_REPR.maxdict = _REPR.maxlist = _REPR.maxlevel = 3


class FieldError(ValueError):
    """A field is missing or holds an impossible value."""

    def __init__(self, field: str, why: str, fix: str = "") -> None:
        """Name the field, what is wrong with it, and the fix where one is known."""
        self.field, self.why, self.fix = field, why, fix
        super().__init__(f"{field}: {why}" if field else why)


@contextmanager
def faults_under(path: str) -> Generator[None]:
    """Put `path` before the field of any FieldError that is raised in the block."""
    try:
        yield
    except FieldError as fault:
        joint = "" if not fault.field or fault.field.startswith("[") else "."
        raise FieldError(f"{path}{joint}{fault.field}", fault.why, fault.fix) from fault


@contextmanager
def errors_in(path: object, error: type[BadInput], fix: str = "") -> Generator[None]:
    """Turn a FieldError of the block into an `error` that names the file, too."""
    try:
        yield
    except FieldError as fault:
        where = f"{path}: {fault.field}" if fault.field else str(path)
        raise error(fault.why, where=where, fix=fault.fix or fix) from fault


def read_each(entries: Iterable[Any], read: Callable[[Any], Item], path: str) -> list[Item]:
    """Return what `read` makes of each entry of the list at `path`; faults lie under `path[i]`."""
    found: list[Item] = []
    for i, entry in enumerate(entries):
        with faults_under(f"{path}[{i}]"):
            found.append(read(entry))
    return found


def read_list(
    owner: Mapping[str, Any],
    field: str,
    read: Callable[[Mapping[str, Any]], Item],
    most: int | None = None,
) -> tuple[Item, ...]:
    """Return what `read` makes of each object in the list under `field`, at most so many."""
    entries = as_list(owner.get(field), field, most)
    return tuple(read_each(entries, lambda entry: read(as_mapping(entry, "")), field))


def short_repr(value: object) -> str:
    """Return a JSON value as an error message shows it: cut short, on one line."""
    try:
        return _REPR.repr(value)
    except ValueError:  # Python writes no integer of so many digits
        return "a number of more than 4,300 digits"


def as_mapping(value: object, field: str) -> Mapping[str, Any]:
    """Return a JSON object, or raise a FieldError."""
    if not isinstance(value, Mapping):
        raise FieldError(field, describe_mismatch("an object", value))
    return cast(Mapping[str, Any], value)


def as_list(value: object, field: str, most: int | None = None) -> list[Any]:
    """Return a JSON list, or raise a FieldError; `most` limits its entries."""
    if not isinstance(value, list):
        raise FieldError(field, describe_mismatch("a list", value))
    entries = cast(list[Any], value)
    if most is not None and len(entries) > most:
        raise FieldError(field, f"has more than {most} entries")
    return entries


def as_number(value: object, field: str, limit: float = MAX_ABSOLUTE_NUMBER) -> float:
    """Return a number between -limit and limit, or raise a FieldError."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldError(field, describe_mismatch("a number", value))
    if not abs(value) <= limit:  # false for NaN too
        raise FieldError(field, f"is impossible: {short_repr(value)}")
    return float(value)


def as_integer(value: object, field: str) -> int:
    """Return an integer of at most 64 bits, or raise a FieldError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise FieldError(field, describe_mismatch("a whole number", value))
    if abs(value) > MAX_INTEGER:
        raise FieldError(field, f"is impossible: {short_repr(value)}")
    return value


def as_count(value: object, field: str, most: int = MAX_INTEGER) -> int:
    """Return an integer from 0 to `most`, or raise a FieldError."""
    count = as_integer(value, field)
    if not 0 <= count <= most:
        raise FieldError(field, f"is impossible: {count}")
    return count


def as_text(value: object, field: str) -> str:
    """Return a text, which may be empty, or raise a FieldError."""
    if not _is_encodable_text(value):
        raise FieldError(field, describe_mismatch("a text", value))
    return value


def get_text(raw: Mapping[str, Any], field: str) -> str:
    """Return the text under `field`, which must not be empty, or raise a FieldError."""
    value = raw.get(field)
    if not value or not _is_encodable_text(value):
        raise FieldError(field, describe_mismatch("a text", value))
    return value


def get_file_name(raw: Mapping[str, Any], field: str) -> str:
    """Return a printable text that leads into no other folder, or raise a FieldError."""
    found = get_text(raw, field)
    if found in (".", "..") or set(found) & set("/\\") or not found.isprintable():
        why = f"should be a printable name without slashes, is {short_repr(found)}"
        raise FieldError(field, why)
    return found


def get_choice(raw: Mapping[str, Any], field: str, choices: Sequence[str]) -> str:
    """Return the text under `field`, which is one of the choices, or raise a FieldError."""
    found = get_text(raw, field)
    if found not in choices:
        raise FieldError(field, f"should be one of {', '.join(choices)}, is {short_repr(found)}")
    return found


def get_text_or_empty(raw: Mapping[str, Any], field: str) -> str:
    """Return the text under `field`, which may be empty, or raise a FieldError."""
    return "" if raw.get(field) == "" else get_text(raw, field)


def get_flag(raw: Mapping[str, Any], field: str) -> bool:
    """Return the truth value under `field`, false if missing, or raise a FieldError."""
    value = raw.get(field, False)
    if not isinstance(value, bool):
        raise FieldError(field, f"should be true or false, is {short_repr(value)}")
    return value


def get_names(raw: Mapping[str, Any], field: str) -> tuple[str, ...] | None:
    """Return the list of texts under `field`, None if null or missing, or raise a FieldError."""
    value = raw.get(field)
    if value is None:
        return None
    found = as_list(value, field)
    if not all(map(_is_encodable_text, found)):
        raise FieldError(field, f"should be a list of texts, is {short_repr(found)}")
    return tuple(found)


def describe_mismatch(kind: str, value: object) -> str:
    """Return what is wrong with a value that should be of this kind; null counts as missing."""
    return "is missing" if value is None else f"should be {kind}, is {short_repr(value)}"


def _is_encodable_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and is_encodable(value)
