"""What comes of an AI2-THOR action, and the arguments that one takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tatc.json_fields import FieldError, as_mapping, as_number
from tatc.state import Vec3

Arguments = Mapping[str, Any]

INVALID_ACTION = "InvalidAction"
MISSING_ARGUMENTS = "MissingArguments"
INVALID_ARGUMENT = "InvalidArgument"
"""Codes of the errors that the client raises as ValueError; others come as events."""


@dataclass(frozen=True, slots=True)
class ThorResult:
    """Whether an action went well, what it returns, and what was wrong."""

    success: bool = True
    return_value: Any = None
    error_message: str = ""
    error_code: str = ""


SUCCESS = ThorResult()


def failed_result(error: str, code: str = "") -> ThorResult:
    """Return the answer to an action that the world refuses."""
    return ThorResult(False, None, error, code)


def number_or(arguments: Arguments, field: str, default: float) -> float:
    """Return the number under `field`, the default if it is null or left out.

    Raises:
        FieldFault: it is no number.

    """
    value = arguments.get(field)
    return default if value is None else as_number(value, field)


def rotation_or(arguments: Arguments, field: str, default: Vec3) -> Vec3:
    """Return a rotation; axes that are left out, as the client leaves them, are 0.

    Raises:
        FieldFault: it is neither angles nor one angle about the vertical.

    """
    value = arguments.get(field)
    if value is None:
        return default
    if isinstance(value, int | float):
        return 0.0, as_number(value, field), 0.0
    angles = as_mapping(value, field)
    x, y, z = (as_number(angles.get(axis, 0.0), f"{field}.{axis}") for axis in "xyz")
    return x, y, z


def invalid_argument_result(fault: FieldError) -> ThorResult:
    """Return the answer to an argument of the wrong kind."""
    return failed_result(str(fault), INVALID_ARGUMENT)
