"""The results of AI2-THOR actions, and access to their arguments."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tatc.base.json_fields import as_integer, as_mapping, as_number
from tatc.home.state import Vec3

Arguments = Mapping[str, Any]

INVALID_ACTION = "InvalidAction"
MISSING_ARGUMENTS = "MissingArguments"
INVALID_ARGUMENT = "InvalidArgument"
"""The error codes for which the client raises a ValueError; others it returns as events."""

_ORIGIN: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ThorResult:
    """The result of an action: its success, its return value, or its error.

    `warning` is what the server's log says about an action that does less than AI2-THOR's.
    """

    success: bool = True
    return_value: Any = None
    error_message: str = ""
    error_code: str = ""
    warning: str = ""


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


def integer_or(arguments: Arguments, field: str, default: int) -> int:
    """Return the whole number under `field`, or the default if it is null or missing.

    Raises:
        FieldError: it is not a whole number.

    """
    value = arguments.get(field)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return default if value is None else as_integer(value, field)


def vector_or(
    arguments: Arguments, field: str, default: Vec3, missing_axes: Vec3 = _ORIGIN
) -> Vec3:
    """Return the vector under `field`, or the default if it is null or missing.

    `missing_axes` are the values of the axes that the vector leaves out: 0 as in AI2-THOR,
    unless it updates something.

    Raises:
        FieldError: it is not a mapping of numbers.

    """
    value = arguments.get(field)
    if value is None:
        return default
    given = as_mapping(value, field)
    x, y, z = (
        absent if given.get(axis) is None else as_number(given[axis], f"{field}.{axis}")
        for axis, absent in zip("xyz", missing_axes, strict=True)
    )
    return x, y, z


def rotation_or(
    arguments: Arguments, field: str, default: Vec3, missing_axes: Vec3 = _ORIGIN
) -> Vec3:
    """Return a rotation, degrees about x, y and z; a single number is a yaw.

    Raises:
        FieldError: it is neither a mapping of angles nor a number.

    """
    value = arguments.get(field)
    if isinstance(value, int | float):
        return missing_axes[0], as_number(value, field), missing_axes[2]
    return vector_or(arguments, field, default, missing_axes)
