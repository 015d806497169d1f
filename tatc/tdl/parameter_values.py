"""Validates parameter values before a task is compiled, and parses those a user gives."""

from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from functools import cache

from tatc.base.errors import ParameterError
from tatc.base.plain_text import whole_number
from tatc.home.assets import known_object_types
from tatc.home.type_facts import (
    CLASSES_BY_TYPE,
    KNOWN_OBJECT_CLASSES,
    KNOWN_OBJECT_TYPES,
    PIECE_SUFFIXES,
    WHOLE_TYPE_BY_PIECE,
)
from tatc.tdl.definition import AtomicComponent, Parameter, ParameterKind, TaskDefinition
from tatc.tdl.macros import check_parameter_count
from tatc.tdl.properties import EQUIVALENT_TYPES

_MAX_TYPED = 100  # characters that are compared with known names
_MAX_COUNT = 99  # of one type; no home holds more


def validate_params(definition: TaskDefinition, params: Sequence[object]) -> None:
    """Check that parameters fit a task in number, type and value."""
    check_parameter_count(definition, params)
    for parameter, value in zip(definition.parameters, params, strict=True):
        validate_param(definition, parameter, value)


def validate_param(definition: TaskDefinition, parameter: Parameter, value: object) -> None:
    """Check that a value fits one parameter of a task."""
    where = f"task {definition.name!r}, parameter {parameter.name!r}"
    if not isinstance(value, str):
        raise ParameterError(f"should be a text, is {value!r}", where=where, fix='write "2", not 2')
    if parameter.kind is ParameterKind.COUNT:
        number = whole_number(value)
        if value not in ("a", "all") and (number is None or number > _MAX_COUNT):
            fix = f"give a whole number up to {_MAX_COUNT}"
            raise ParameterError(f"{value!r} is not a number", where=where, fix=fix)
    elif parameter.kind is ParameterKind.TYPE:
        _validate_known(value, KNOWN_OBJECT_TYPES, "object type", where)
        suffixes = _type_suffixes(definition, definition.parameters.index(parameter))
        if unknown := {value + suffix for suffix in suffixes} - KNOWN_OBJECT_TYPES:
            fix = "food that slices: Apple, Bread, Lettuce, Potato, Tomato"
            raise ParameterError(f"there is no {min(unknown)}", where=where, fix=fix)
        _validate_allowed(parameter, value, where)
    elif parameter.kind is ParameterKind.CLASS:
        _validate_known(value, KNOWN_OBJECT_CLASSES, "object class", where)
        _validate_allowed(parameter, value, where)
    elif parameter.kind is ParameterKind.FLAG and value not in ("0", "1"):
        raise ParameterError(f"should be 0 or 1, is {value!r}", where=where)
    elif not value.strip() or "#" in value or not value.isprintable():
        raise ParameterError(f"is no word: {value!r}", where=where)


def parse_params(definition: TaskDefinition, given: Sequence[str]) -> dict[str, str]:
    """Return values by name, from "NAME=VALUE" or in order: for the first that has none yet."""
    names = [parameter.name for parameter in definition.parameters]
    values: dict[str, str] = {}
    where = f"task {definition.name!r}"
    fix = f"its parameters: {', '.join(names)}" if names else "it takes none"
    for text in given:
        name, found, value = text.partition("=")
        if not found:
            name, value = next((n for n in names if n not in values), ""), text
            if not name:
                raise ParameterError(f"{text!r} is one too many", where=where, fix=fix)
        if name not in names:
            near = get_close_matches(name, names, n=1)
            offer = f"did you mean {near[0]!r}? {fix}" if near else fix
            raise ParameterError(f"no parameter {name!r}", where=where, fix=offer)
        if name in values:
            raise ParameterError(f"parameter {name!r} comes twice", where=where)
        validate_param(definition, definition.parameters[names.index(name)], value)
        values[name] = value
    return values


def _validate_known(value: str, known: Collection[str], noun: str, where: str) -> None:
    if value not in known:
        lower = {name.lower(): name for name in sorted(known)}
        near = get_close_matches(value[:_MAX_TYPED].lower(), lower, n=1)
        fix = f"did you mean {lower[near[0]]!r}?" if near else "tatc tasks NAME explains it"
        raise ParameterError(f"there is no {noun} {value!r}", where=where, fix=fix)


def _validate_allowed(parameter: Parameter, value: str, where: str) -> None:
    """Check that a type, or one type of a class, is what a parameter allows."""
    if not parameter.allowed:
        return
    is_closed = parameter.allowed == "choices"
    names = parameter.choices if is_closed else _types_with(parameter.allowed)
    named = {value, EQUIVALENT_TYPES.get(value, value)}
    types = {
        WHOLE_TYPE_BY_PIECE.get(kind, kind)
        for kind, classes in CLASSES_BY_TYPE.items()
        if named.intersection((kind, *classes))
    }
    if types.isdisjoint(names) and (is_closed or types.issubset(known_object_types())):
        lack = "is none of its types" if is_closed else f"has no affordance {parameter.allowed!r}"
        raise ParameterError(f"{value} {lack}", where=where, fix=f"it takes {', '.join(names)}")


@cache
def _types_with(affordance: str) -> tuple[str, ...]:
    types = known_object_types().values()
    return tuple(each.name for each in types if getattr(each.affordances, affordance))


def _type_suffixes(definition: TaskDefinition, k: int) -> Iterator[str]:
    """Yield the suffixes that a definition, where it asks for a type, appends to parameter k."""
    for _, component in definition.components:
        if isinstance(component, AtomicComponent):
            for _, want in component.conditions:
                for suffix in PIECE_SUFFIXES:
                    if want == f"#{k}{suffix}":
                        yield suffix
        else:
            for inner, value in enumerate(component.params):
                if value == f"#{k}":
                    yield from _type_suffixes(component.task, inner)
