"""What comes of an AI2-THOR action, and the arguments that one takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tatc.fields import FieldFault, mapping, number
from tatc.state import Vec3

Arguments = Mapping[str, Any]

INVALID_ACTION = "InvalidAction"
MISSING = "MissingArguments"
INVALID = "InvalidArgument"
"""Codes of the errors that the client raises as ValueError; others come as events."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether an action went well, what it returns, and what was wrong."""

    success: bool = True
    value: Any = None
    error: str = ""
    code: str = ""


DONE = Answer()


def refused(error: str, code: str = "") -> Answer:
    """Return the answer to an action that the world refuses."""
    return Answer(False, None, error, code)


def number_or(given: Arguments, field: str, default: float) -> float:
    """Return the number under `field`, the default if it is null or left out.

    Raises:
        FieldFault: it is no number.

    """
    value = given.get(field)
    return default if value is None else number(value, field)


def turn_of(given: Arguments, field: str, default: Vec3) -> Vec3:
    """Return a rotation; axes that are left out, as the client leaves them, are 0.

    Raises:
        FieldFault: it is neither angles nor one angle about the vertical.

    """
    value = given.get(field)
    if value is None:
        return default
    if isinstance(value, int | float):
        return 0.0, number(value, field), 0.0
    angles = mapping(value, field)
    x, y, z = (number(angles.get(axis, 0.0), f"{field}.{axis}") for axis in "xyz")
    return x, y, z


def bad_argument(fault: FieldFault) -> Answer:
    """Return the answer to an argument of the wrong kind."""
    return refused(str(fault), INVALID)
