"""Draws a task's parameters by a seed, such that a room can satisfy it; parses and checks them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from math import prod
from random import Random

from tatc.base.errors import BadInput, ParameterError
from tatc.base.plain_text import whole_number
from tatc.home import assets, metadata, state, type_facts
from tatc.tdl import check_tree, linking, properties
from tatc.tdl.definition import AtomicComponent, Parameter, ParameterKind, TaskDefinition
from tatc.tdl.task import Task

ParameterValues = tuple[str, ...]

_MAX_SAMPLED_SETS = 500
_MAX_TYPED = 100  # characters that are compared with known names
_MAX_COUNT = 99  # of one type; no home holds more


def sample_params(
    definition: TaskDefinition,
    snapshot: state.Snapshot,
    seed: int,
    given: Mapping[str, str] | None = None,
    accept: Callable[[Task], bool] | None = None,
) -> ParameterValues:
    """Return a value for every parameter: those `given` by name, the others drawn.

    Drawn values are accepted if the task's preconditions hold in the snapshot, if there are
    objects with the affordances that it asks for, if the task is not already done, and if
    `accept`, where given, returns True; BadInput if none are.  If every value is given, they are
    returned without regard to the room.  The same arguments give the same values.
    """
    fixed = dict(given or {})
    for parameter in definition.parameters:
        if parameter.name in fixed:
            validate_param(definition, parameter, fixed[parameter.name])
    if all(parameter.name in fixed for parameter in definition.parameters):
        return tuple(fixed[parameter.name] for parameter in definition.parameters)
    random = Random(f"{definition.name} {seed}")
    choices = [_parameter_choices(each, fixed, snapshot) for each in definition.parameters]
    for drawn in _sample_sets(choices, random):
        params = _fill_dependent_values(definition, drawn, fixed, snapshot)
        task = Task(linking.expand_macros(definition, params))
        parts = check_tree.wanted_components(task.definition)
        possible = task.preconditions_hold(snapshot) and all(
            _has_required_affordances(component, snapshot) for component, _ in parts
        )
        is_done = possible and task.check(snapshot).success
        if possible and not is_done and (accept is None or accept(task)):
            return params
    raise BadInput(
        f"{definition.name!r} cannot be set up here: whatever its parameters are, this room "
        "lacks something for it, or it is done already",
        fix="choose another room or seed, or name the parameters with --param",
    )


def _parameter_choices(
    parameter: Parameter, fixed: Mapping[str, str], snapshot: state.Snapshot
) -> ParameterValues:
    """Return the values to draw a parameter from; types and classes are those in the room."""
    if parameter.name in fixed:
        return (fixed[parameter.name],)
    if parameter.follows is not None or parameter.kind is ParameterKind.PREPOSITION:
        return ("",)  # decided by another parameter
    if parameter.kind is ParameterKind.COUNT:
        return parameter.choices or ("1", "2", "3")
    if parameter.kind is ParameterKind.FLAG:
        return parameter.choices or ("0", "1")
    if parameter.kind is ParameterKind.WORD:
        return parameter.choices or ("so",)
    present = set(snapshot.object_index.by_type)
    if parameter.kind is ParameterKind.CLASS:
        present.update(*map(properties.object_classes_of, snapshot.object_index.by_type))
    return tuple(sorted(present.intersection(parameter.choices or present)))


def _sample_sets(choices: Sequence[ParameterValues], random: Random) -> Iterator[ParameterValues]:
    """Yield up to `_MAX_SAMPLED_SETS` sets of values in random order, each once."""
    number = prod(len(values) for values in choices)
    for code in random.sample(range(number), min(number, _MAX_SAMPLED_SETS)):
        drawn: list[str] = []
        for values in choices:
            code, place = divmod(code, len(values))
            drawn.append(values[place])
        yield tuple(drawn)


def _fill_dependent_values(
    definition: TaskDefinition,
    sampled: ParameterValues,
    fixed: Mapping[str, str],
    snapshot: state.Snapshot,
) -> ParameterValues:
    """Fill in the values that other parameters decide: those that follow one, and prepositions."""
    values = list(sampled)
    names = [parameter.name for parameter in definition.parameters]
    for i, parameter in enumerate(definition.parameters):
        if parameter.name in fixed:
            continue
        if parameter.follows is not None:
            place = names.index(parameter.follows)
            leader = definition.parameters[place].choices
            chosen = leader.index(values[place]) if values[place] in leader else 0
            values[i] = parameter.choices[chosen]
        elif parameter.kind is ParameterKind.PREPOSITION:
            values[i] = _choose_preposition(values[i + 1 : i + 2], snapshot)
    return tuple(values)


def _choose_preposition(place: Sequence[str], snapshot: state.Snapshot) -> str:
    """Return "in" if a place (the next parameter) opens, holds liquid or is a basin, else "on"."""
    for obj in snapshot.objects:
        if place and properties.is_of_type_or_class(obj, place[0]):
            able = obj.affordances
            if (
                able.openable
                or able.canFillWithLiquid
                or obj.objectType in properties.EQUIVALENT_TYPES
            ):
                return "in"
    return "on"


def _has_required_affordances(atomic: AtomicComponent, snapshot: state.Snapshot) -> bool:
    """Return whether an object has a component's affordances; True if it asks for none."""
    asked = [pair for pair in atomic.conditions if pair[0] in metadata.AFFORDANCE_FIELDS]
    asked.append((atomic.primary_property, atomic.primary_value))
    tests = [properties.compile_property_test(name, want) for name, want in asked]
    found = (all(test(obj, snapshot) for test in tests) for obj in snapshot.objects)
    return len(tests) == 1 or any(found)


def validate_params(definition: TaskDefinition, params: Sequence[object]) -> None:
    """Raise ParameterError unless parameters fit a task in number, type and value."""
    linking.check_parameter_count(definition, params)
    for parameter, value in zip(definition.parameters, params, strict=True):
        validate_param(definition, parameter, value)


def validate_param(definition: TaskDefinition, parameter: Parameter, value: object) -> None:
    """Raise ParameterError unless a value fits one parameter of a task."""
    where = f"task {definition.name!r}, parameter {parameter.name!r}"
    if not isinstance(value, str):
        raise ParameterError(f"should be a text, is {value!r}", where=where, fix='write "2", not 2')
    if parameter.kind is ParameterKind.COUNT:
        number = whole_number(value)
        if value not in ("a", "all") and (number is None or number > _MAX_COUNT):
            fix = f"give a whole number up to {_MAX_COUNT}"
            raise ParameterError(f"{value!r} is not a number", where=where, fix=fix)
    elif parameter.kind is ParameterKind.TYPE:
        _validate_known(value, type_facts.KNOWN_OBJECT_TYPES, "object type", where)
        suffixes = _type_suffixes(definition, definition.parameters.index(parameter))
        if unknown := {value + suffix for suffix in suffixes} - type_facts.KNOWN_OBJECT_TYPES:
            fix = "food that slices: Apple, Bread, Lettuce, Potato, Tomato"
            raise ParameterError(f"there is no {min(unknown)}", where=where, fix=fix)
        _validate_allowed(parameter, value, where)
    elif parameter.kind is ParameterKind.CLASS:
        _validate_known(value, type_facts.KNOWN_OBJECT_CLASSES, "object class", where)
        _validate_allowed(parameter, value, where)
    elif parameter.kind is ParameterKind.FLAG and value not in ("0", "1"):
        raise ParameterError(f"should be 0 or 1, is {value!r}", where=where)
    elif not value.strip() or "#" in value or not value.isprintable():
        raise ParameterError(f"is no word: {value!r}", where=where)


def parse_params(definition: TaskDefinition, given: Sequence[str]) -> dict[str, str]:
    """Return values by name, from "NAME=VALUE" or a VALUE for the first that has none yet."""
    names = [parameter.name for parameter in definition.parameters]
    values: dict[str, str] = {}
    where = f"task {definition.name!r}"
    fix = f"its parameters: {', '.join(names)}" if names else "it takes none"
    for text in map(str, given):  # a number, as Python callers give one
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
    """Raise ParameterError unless a parameter allows a type, or one type of a class."""
    if not parameter.allowed:
        return
    is_closed = parameter.allowed == "choices"
    names = parameter.choices if is_closed else _types_with(parameter.allowed)
    named = {value, properties.EQUIVALENT_TYPES.get(value, value)}
    types = {
        type_facts.WHOLE_TYPE_BY_PIECE.get(kind, kind)
        for kind, classes in type_facts.CLASSES_BY_TYPE.items()
        if named.intersection((kind, *classes))
    }
    if types.isdisjoint(names) and (is_closed or types.issubset(assets.known_object_types())):
        lack = "is none of its types" if is_closed else f"has no affordance {parameter.allowed!r}"
        raise ParameterError(f"{value} {lack}", where=where, fix=f"it takes {', '.join(names)}")


@cache
def _types_with(affordance: str) -> tuple[str, ...]:
    types = assets.known_object_types().values()
    return tuple(each.name for each in types if getattr(each.affordances, affordance))


def _type_suffixes(definition: TaskDefinition, k: int) -> Iterator[str]:
    """Yield the suffixes that a definition, where it asks for a type, appends to parameter k."""
    for _, component in definition.components:
        if isinstance(component, AtomicComponent):
            for _, want in component.conditions:
                for suffix in type_facts.PIECE_SUFFIXES:
                    if want == f"#{k}{suffix}":
                        yield suffix
        else:
            for inner, value in enumerate(component.params):
                if value == f"#{k}":
                    yield from _type_suffixes(component.task, inner)
