"""Arguments of calls from Python and of clients' requests, typed where they enter."""

from collections.abc import Iterable
from numbers import Real
from operator import index
from typing import Any, TypeVar, cast

from tatc.base.errors import BadInput
from tatc.base.json_fields import FieldError, as_integer, short_repr

Value = TypeVar("Value")


def check_seed(given: Any, where: str = "seed") -> int:
    """Return a seed as an int of at most 64 bits: numpy's and 2.0 too, but no text and no flag."""
    try:
        if isinstance(given, bool):
            raise TypeError
        is_whole = getattr(given, "is_integer", bool)  # numpy's have it, and ours from 3.12 on
        return as_integer(int(given) if is_whole() else index(given), where)
    except (FieldError, TypeError) as fault:
        why = f"should be a whole number of at most 64 bits, is {short_repr(given)}"
        raise BadInput(why, where=where, fix="give 1, for example") from fault


def check_number_from(low: int, high: int | None, given: Any, where: str) -> int:
    """Return a whole number between two bounds as an int; no upper one if `high` is None."""
    number = check_seed(given, where)
    if number < low or (high is not None and number > high):
        bounds = f"{low} or more" if high is None else f"from {low} to {high}"
        raise BadInput(f"should be {bounds}, is {number}", where=where, fix="give one of these")
    return number


def check_share(given: Any, where: str) -> float:
    """Return a number from 0 to 1 as a float, numpy's too; no text, no flag and no NaN."""
    if isinstance(given, bool) or not isinstance(given, Real) or not 0.0 <= float(given) <= 1.0:
        why = f"should be a number from 0 to 1, is {short_repr(given)}"
        raise BadInput(why, where=where, fix="give 0.5, for example")
    return float(given)


def several(given: "Value | Iterable[Value]") -> tuple[Value, ...]:
    """Return values as a tuple: one text, path or number where several are expected is one."""
    is_scalar = getattr(given, "ndim", 1) == 0  # an array of one number
    if is_scalar or isinstance(given, str | bytes) or not isinstance(given, Iterable):
        return (cast(Value, given),)
    return tuple(cast("Iterable[Value]", given))
