"""Arguments of calls from Python and of clients' requests, typed where they enter."""

from collections.abc import Iterable
from operator import index
from typing import Any, TypeVar

from tatc.base.errors import BadInput
from tatc.base.json_fields import FieldError, as_integer, short_repr

Value = TypeVar("Value")


def check_seed(given: Any, where: str = "seed") -> int:
    """Return a seed as an int of at most 64 bits: numpy's and 2.0 too, but no text and no flag."""
    try:
        number: Any = int(given) if isinstance(given, float) and given.is_integer() else given
        if isinstance(given, bool) or type(given).__name__ == "bool":  # numpy's has this name, too
            raise TypeError
        return as_integer(index(number), where)
    except (FieldError, TypeError) as fault:
        why = f"should be a whole number of at most 64 bits, is {short_repr(given)}"
        raise BadInput(why, where=where, fix="give 1, for example") from fault


def several(given: "Value | Iterable[Value]") -> tuple[Value, ...]:
    """Return values as a tuple: one text, path or number where several are expected is one."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        return (given,)  # pyright: ignore[reportReturnType]
    return tuple(given)
