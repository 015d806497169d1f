"""Draws parameters by a seed from the values that a room can satisfy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from random import Random

from tatc.base.errors import BadInput
from tatc.home.metadata import AFFORDANCE_FIELDS
from tatc.home.state import Snapshot
from tatc.tdl.check_tree import determiner_count
from tatc.tdl.definition import AtomicComponent, Parameter, ParameterKind, TaskDefinition
from tatc.tdl.macros import expand_macros
from tatc.tdl.parameter_values import validate_param
from tatc.tdl.properties import (
    EQUIVALENT_TYPES,
    compile_property_test,
    is_of_type_or_class,
    object_classes_of,
)
from tatc.tdl.task import Task

ParameterValues = tuple[str, ...]

_MAX_SAMPLED_SETS = 500
_COUNT_CHOICES = ("1", "2", "3")


def sample_params(
    definition: TaskDefinition,
    snapshot: Snapshot,
    seed: int,
    given: Mapping[str, str] | None = None,
    accept: Callable[[Task], bool] | None = None,
) -> ParameterValues:
    """Return a value for every parameter: those `given` by name, the others drawn.

    Drawn values are accepted if the task's preconditions hold in the snapshot, if there are
    objects with the affordances that it asks for, if the task is not already done, and if
    `accept`, where given, returns True.  If every value is given, they are returned without
    regard to the room.  The same arguments give the same values.
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
        task = Task(expand_macros(definition, params))
        if _is_suitable(task, snapshot) and (accept is None or accept(task)):
            return params
    raise BadInput(
        f"{definition.name!r} cannot be set up here: whatever its parameters are, this room "
        "lacks something for it, or it is done already",
        fix="choose another room or seed, or name the parameters with --param",
    )


def _parameter_choices(
    parameter: Parameter, fixed: Mapping[str, str], snapshot: Snapshot
) -> ParameterValues:
    """Return the values to draw a parameter from; types and classes are those in the room."""
    if parameter.name in fixed:
        return (fixed[parameter.name],)
    if parameter.follows is not None or parameter.kind is ParameterKind.PREPOSITION:
        return ("",)  # decided by another parameter
    if parameter.kind is ParameterKind.COUNT:
        return parameter.choices or _COUNT_CHOICES
    if parameter.kind is ParameterKind.FLAG:
        return parameter.choices or ("0", "1")
    if parameter.kind is ParameterKind.WORD:
        return parameter.choices or ("so",)
    present = set(snapshot.object_index.by_type)
    if parameter.kind is ParameterKind.CLASS:
        present.update(*map(object_classes_of, snapshot.object_index.by_type))
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
    snapshot: Snapshot,
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


def _choose_preposition(place: Sequence[str], snapshot: Snapshot) -> str:
    """Return "in" if the next parameter opens, holds liquid or has (is) a basin, else "on"."""
    for obj in snapshot.objects:
        if place and is_of_type_or_class(obj, place[0]):
            able = obj.affordances
            if able.openable or able.canFillWithLiquid or obj.objectType in EQUIVALENT_TYPES:
                return "in"
    return "on"


def _is_suitable(task: Task, snapshot: Snapshot) -> bool:
    possible = task.preconditions_hold(snapshot) and _is_possible(task.definition, snapshot)
    return possible and not task.check(snapshot).success


def _is_possible(definition: TaskDefinition, snapshot: Snapshot) -> bool:
    """Return whether each component finds an object with the affordances it asks for."""
    return all(
        _has_required_affordances(component, snapshot)
        if isinstance(component, AtomicComponent)
        else _is_possible(component.task, snapshot)
        for _, component in definition.components
        if determiner_count(component.determiner, definition)
    )


def _has_required_affordances(atomic: AtomicComponent, snapshot: Snapshot) -> bool:
    """Return whether an object has a component's affordances; True if it asks for none."""
    asked = [pair for pair in atomic.conditions if pair[0] in AFFORDANCE_FIELDS]
    asked.append((atomic.primary_property, atomic.primary_value))
    tests = [compile_property_test(name, want) for name, want in asked]
    found = (all(test(obj, snapshot) for test in tests) for obj in snapshot.objects)
    return len(tests) == 1 or any(found)
