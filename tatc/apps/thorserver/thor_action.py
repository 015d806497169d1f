"""An action: the function that runs it, and the arguments that it takes.

AI2-THOR finds the method of an action by the names of its arguments, so a missing, an
unknown and a mistyped argument are refused before anything happens, in the words of its
`ActionDispatcher`.  The client turns refusals with an error code into a ValueError.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any, cast

from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base import json_fields
from tatc.home.state import ObjectState, Vec3

_ORIGIN: Vec3 = (0.0, 0.0, 0.0)

INVALID_ACTION = "InvalidAction"
MISSING_ARGUMENTS = "MissingArguments"
INVALID_ARGUMENT = "InvalidArgument"
"""The error codes for which the client raises a ValueError; others it returns as events."""


@dataclass(frozen=True, slots=True)
class ThorResult:
    """The result of an action; `warning` tells the server's log what AI2-THOR's does more."""

    success: bool = True
    return_value: Any = None
    error_message: str = ""
    error_code: str = ""
    warning: str = ""


def failed_result(error: str, code: str = "") -> ThorResult:
    """Return the result of an action that the world refuses."""
    return ThorResult(False, None, error, code)


class ActionFailure(Exception):
    """Ends an action with a failed result."""

    def __init__(self, error: str, code: str = "") -> None:
        """Take the arguments of `failed_result`."""
        super().__init__(error)
        self.result = failed_result(error, code)


def find_object(world: ThorWorld, object_id: str, why_none: str) -> ObjectState:
    """Return the object with an id; an ActionFailure says why there is none."""
    found = world.state.find(object_id)
    if found is None:
        raise ActionFailure(why_none)
    return found


class Arguments(dict[str, Any]):
    """What a client sent; null counts as not given, and a wrong type raises a FieldError."""

    flag = json_fields.get_flag
    text = json_fields.get_text
    names = json_fields.get_names

    def but(self, **changed: Any) -> "Arguments":
        """Return these arguments with others in place of some."""
        return Arguments({**self, **changed})

    def number(self, field: str, default: float) -> float:
        """Return the number under a field, or the default."""
        value = self.get(field)
        return default if value is None else json_fields.as_number(value, field)

    def numbers(self, field: str, default: Sequence[float] = ()) -> Sequence[float]:
        """Return the numbers under a field, or the default; a null among them is 0."""
        if self.get(field) is None:
            return default
        given = json_fields.as_list(self[field], field)
        return [Arguments({field: each}).number(field, 0.0) for each in given]

    def integer(self, field: str, default: int) -> int:
        """Return the whole number under a field, or the default."""
        value = self.get(field)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return default if value is None else json_fields.as_integer(value, field)

    def vector(self, field: str, default: Vec3, missing_axes: Vec3 = _ORIGIN) -> Vec3:
        """Return the vector under a field, or the default; it may leave `missing_axes` out."""
        value = self.get(field)
        if value is None:
            return default
        given = json_fields.as_mapping(value, field)
        x, y, z = (
            absent
            if given.get(axis) is None
            else json_fields.as_number(given[axis], f"{field}.{axis}")
            for axis, absent in zip("xyz", missing_axes, strict=True)
        )
        return x, y, z

    def rotation(self, field: str, default: Vec3, missing_axes: Vec3 = _ORIGIN) -> Vec3:
        """Return a rotation, degrees about x, y and z; a single number is a yaw."""
        value = self.get(field)
        if isinstance(value, int | float):
            return missing_axes[0], json_fields.as_number(value, field), missing_axes[2]
        return self.vector(field, default, missing_axes)


ActionFunction = Callable[[ThorWorld, Arguments], Any]
"""Runs an action and returns AI2-THOR's `actionReturn`, or raises an ActionFailure."""


_NUMBER_TYPES = ("float", "int")
_SCALAR_TYPES = (*_NUMBER_TYPES, "Boolean", "String")
_COMMON_ARGUMENTS = frozenset(
    "action agentId sequenceId visibilityDistance renderImage renderDepthImage "
    "renderInstanceSegmentation renderSemanticSegmentation renderNormalsImage "
    "renderFlowImage renderObjectImage renderClassImage".split()
)
"""What clients add to any action."""


@dataclass(frozen=True)
class ThorAction:
    """One action, and what it takes: `actions.toml` says what each field means."""

    run: ActionFunction
    signature: str = ""
    required: Sequence[Sequence[str]] = ()
    takes_anything: bool = False
    ignored: Sequence[str] = ()
    warning: str = ""

    @cached_property
    def parameters(self) -> Mapping[str, str]:
        """The types of the parameters by their names, in the signature's order."""
        declared = [each.rpartition(" ") for each in self.signature.split(", ") if each]
        return {name: kind for kind, _, name in declared}


def convert_texts(action: ThorAction, arguments: Mapping[str, Any]) -> Arguments:
    """Return arguments with texts made numbers or truth values, as Unity's reader of JSON does."""
    kinds = action.parameters
    return Arguments(
        (key, _convert_text(value, kinds.get(key)) if isinstance(value, str) else value)
        for key, value in arguments.items()
    )


def check_arguments(
    name: str, action: ThorAction, arguments: Arguments, *, refuses_unknown: bool
) -> None:
    """Raise an ActionFailure if an action cannot be run with these arguments; null is none."""
    given = {key: value for key, value in arguments.items() if value is not None}
    missing = _missing_arguments(action, given)
    if missing:
        why = f"action: {name} is missing the following arguments: {','.join(missing)}"
        raise ActionFailure(why, MISSING_ARGUMENTS)
    if refuses_unknown and not action.takes_anything:
        unknown = sorted(given.keys() - action.parameters.keys() - _COMMON_ARGUMENTS)
        if unknown:
            quoted = ", ".join(f"'{key}'" for key in unknown)
            plural = "s" if len(unknown) > 1 else ""
            raise ActionFailure(
                f'\n\tAction: "{name}" called with invalid argument{plural}: {quoted}'
                f"\n\tExpected arguments: {action.signature}",
                INVALID_ARGUMENT,
            )
    for key, kind in action.parameters.items():
        if key in given:
            _check_type(name, key, given[key], kind)


def _missing_arguments(action: ThorAction, given: Mapping[str, Any]) -> list[str]:
    """Return what is missing of the alternative of which most is given; the first of equals."""
    lacking = [[key for key in names if key not in given] for names in action.required]
    if not lacking or not all(lacking):
        return []
    shares = [len(lack) - len(names) for lack, names in zip(lacking, action.required, strict=True)]
    return lacking[shares.index(min(shares))]


def _check_type(name: str, key: str, value: object, kind: str) -> None:
    """Refuse a wrong type; as in AI2-THOR, only an object or list for a single value has a code."""
    if kind in _SCALAR_TYPES and isinstance(value, dict | list):
        raise ActionFailure(
            f"action: {name} has an invalid argument: {key} (=={json_fields.short_repr(value)})."  # pyright: ignore[reportUnknownArgumentType]
            f" Cannot convert to: {kind}",
            INVALID_ARGUMENT,
        )
    if _TYPE_CHECKS[kind](value):
        return
    if kind in _NUMBER_TYPES:
        why = f"Input string was not in a correct format: {json_fields.short_repr(value)}"
    else:
        why = f"Error converting value {json_fields.short_repr(value)} to type '{kind}'"
    raise ActionFailure(f"{why}. Path '{key}'.")


def _convert_text(text: str, kind: str | None) -> object:
    said = text.strip().lower()
    if kind == "Boolean":
        return {"true": True, "false": False}.get(said, text)
    if kind not in _NUMBER_TYPES or not _NUMBER.fullmatch(said):
        return text
    number = float(said)
    return number if isfinite(number) else text


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_vector(value: object) -> bool:
    return isinstance(value, dict) and all(
        _is_number(each) or each is None for each in cast(dict[str, object], value).values()
    )


def _is_list_of(check: Callable[[object], bool]) -> Callable[[object], bool]:
    def is_list(value: object) -> bool:
        return isinstance(value, list) and all(map(check, cast(list[object], value)))

    return is_list


_NUMBER = re.compile(r"[+-]?(\d{1,20}\.?\d{0,20}|\.\d{1,20})(e[+-]?\d{1,3})?", re.ASCII)
_TYPE_CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "float": _is_number,
    "int": lambda value: _is_number(value) and float(value).is_integer(),
    "Boolean": lambda value: isinstance(value, bool),
    "String": lambda value: isinstance(value, str),
    "Vector3": _is_vector,
    "Vector3 or a yaw": lambda value: _is_number(value) or _is_vector(value),
    "String[]": _is_list_of(lambda value: isinstance(value, str)),
    "Single[]": _is_list_of(_is_number),
    "Vector3[]": _is_list_of(_is_vector),
    "Object[]": lambda value: isinstance(value, list),
}
"""The types of parameters, by the names that AI2-THOR's messages give them."""
