"""The results of AI2-THOR actions, and access to their arguments."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tatc.json_fields import as_mapping, as_number
from tatc.state import Vec3

Arguments = Mapping[str, Any]

INVALID_ACTION = "InvalidAction"
MISSING_ARGUMENTS = "MissingArguments"
INVALID_ARGUMENT = "InvalidArgument"
"""The error codes for which the client raises a ValueError; others it returns as events."""


@dataclass(frozen=True, slots=True)
class ThorResult:
    """The result of an action: its success, its return value, or its error."""

    success: bool = True
    return_value: Any = None
    error_message: str = ""
    error_code: str = ""


SUCCESS = ThorResult()


def failed_result(error: str, code: str = "") -> ThorResult:
    """Return the result of an action that the world refuses."""
    return ThorResult(False, None, error, code)


def number_or(arguments: Arguments, field: str, default: float) -> float:
    """Return the number under `field`, or the default if it is null or missing.

    Raises:
        FieldError: it is not a number.

    """
    value = arguments.get(field)
    return default if value is None else as_number(value, field)


def rotation_or(arguments: Arguments, field: str, default: Vec3) -> Vec3:
    """Return a rotation, degrees about x, y and z.

    A single number is an angle about the vertical.  Missing axes are 0, as in the client.

    Raises:
        FieldError: it is neither a mapping of angles nor a number.

    """
    value = arguments.get(field)
    if value is None:
        return default
    if isinstance(value, int | float):
        return 0.0, as_number(value, field), 0.0
    angles = as_mapping(value, field)
    x, y, z = (as_number(angles.get(axis, 0.0), f"{field}.{axis}") for axis in "xyz")
    return x, y, z
