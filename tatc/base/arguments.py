"""Arguments of calls from Python and of clients' requests, typed where they enter."""

import re
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from numbers import Integral, Real
from operator import index
from pathlib import Path
from typing import Any, TypeVar, cast

from tatc.base.errors import BadInput, TatcError
from tatc.base.json_fields import FieldError, as_integer, short_repr

Value = TypeVar("Value")
Face = TypeVar("Face", bound=Callable[..., Any])

_OPTION = re.compile(r"`[^`]*`|--([a-z-]+)( DIR\b)?")
_ARGUMENTS = {each: each for each in ("task", "room", "game", "commander", "wording")} | {
    "param": "params", "map": "floor_map", "with": "able", "tasks DIR": "definitions"
}  # fmt: skip


def say_arguments(function: Face) -> Face:
    """Let a function's errors say `room=` where those of commands say `--room`.

    An option that is no argument is named with a command that has it: `tatc run --model`.
    """
    names = dict(_ARGUMENTS)
    for name in signature(function).parameters:
        names |= {name.removesuffix("s"): name, name: name}

    def argument(found: re.Match[str]) -> str:
        if found[1] is None:  # a command
            return found[0]
        name = names.get(found[1] + (found[2] or "")) or names.get(found[1])
        if name is None:
            return f"`tatc run {found[0]}`"
        return name if found[0] == found.string else f"{name}="

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TatcError as fault:
            fault.reword(lambda text: _OPTION.sub(argument, text))
            raise

    return cast(Face, call)


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


def check_text(given: Any, where: str) -> str:
    """Return a name, a path or a whole number as text: no flag, and no number such as 2.0."""
    if isinstance(given, bool) or not isinstance(given, str | Path | Integral):
        why = f"should be a name, a path or a whole number, is {short_repr(given)}"
        raise BadInput(why, where=where, fix="give a text")
    return str(given)


def texts(given: Any, where: str) -> tuple[str, ...]:
    """Return one or several names, paths or whole numbers as texts."""
    return tuple(check_text(each, where) for each in several(given))
