"""Parameters drawn by a seed, among those that a room can satisfy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from random import Random

from tatc.errors import BadInput
from tatc.state import Snapshot
from tatc.tdl.classes import classes_of
from tatc.tdl.definition import Atomic, Kind, Parameter, TaskDefinition
from tatc.tdl.macros import expand
from tatc.tdl.parameters import check_param
from tatc.tdl.program import number_of
from tatc.tdl.properties import AFFORDANCES, TWINS, compile_test, is_kind
from tatc.tdl.task import Task

Values = tuple[str, ...]

_MOST_TRIES = 500
_COUNTS = ("1", "2", "3")


def draw_params(
    definition: TaskDefinition,
    snapshot: Snapshot,
    seed: int,
    given: Mapping[str, str] | None = None,
    accept: Callable[[Task], bool] | None = None,
) -> Values:
    """Return a value for every parameter: those `given` by name, the others drawn.

    A drawn set is taken when the task's preconditions hold in the snapshot, what
    cannot be changed (such as being a receptacle) is there, the task is not done
    already, and `accept`, if given, takes it too.  Where nothing is left to draw, the
    values come back as given, whatever the room is like.  The same arguments give the
    same values.

    Raises:
        ParameterError: a given value does not fit its parameter.
        BadInput: nothing that the room has will do.

    """
    fixed = dict(given or {})
    for parameter in definition.parameters:
        if parameter.name in fixed:
            check_param(definition, parameter, fixed[parameter.name])
    if all(parameter.name in fixed for parameter in definition.parameters):
        return tuple(fixed[parameter.name] for parameter in definition.parameters)
    random = Random(f"{definition.name} {seed}")
    choices = [_choices(each, fixed, snapshot) for each in definition.parameters]
    for drawn in _sets(choices, random):
        params = _completed(definition, drawn, fixed, snapshot)
        task = Task(expand(definition, params))
        if _fits(task, snapshot) and (accept is None or accept(task)):
            return params
    raise BadInput(
        f"nothing here to set {definition.name!r} with that is not done already",
        fix="take another room, seed or parameters",
    )


def _choices(
    parameter: Parameter, fixed: Mapping[str, str], snapshot: Snapshot
) -> Values:
    """Return what a parameter may be; of types and classes, those in the room."""
    if parameter.name in fixed:
        return (fixed[parameter.name],)
    if parameter.follows is not None or parameter.kind is Kind.PREPOSITION:
        return ("",)  # decided by another parameter
    if parameter.kind is Kind.COUNT:
        return parameter.choices or _COUNTS
    if parameter.kind is Kind.FLAG:
        return parameter.choices or ("0", "1")
    if parameter.kind is Kind.WORD:
        return parameter.choices or ("so",)
    present = set(snapshot.roster.types)
    if parameter.kind is Kind.CLASS:
        present.update(*(classes_of(name) for name in snapshot.roster.types))
    return tuple(sorted(present.intersection(parameter.choices or present)))


def _sets(choices: Sequence[Values], random: Random) -> Iterator[Values]:
    """Yield sets of values in the seed's order, none twice."""
    number = prod(len(values) for values in choices)
    for code in random.sample(range(number), min(number, _MOST_TRIES)):
        drawn: list[str] = []
        for values in choices:
            code, place = divmod(code, len(values))
            drawn.append(values[place])
        yield tuple(drawn)


def _completed(
    definition: TaskDefinition,
    drawn: Values,
    fixed: Mapping[str, str],
    snapshot: Snapshot,
) -> Values:
    """Fill in what other parameters decide: followers and prepositions."""
    values = list(drawn)
    names = [parameter.name for parameter in definition.parameters]
    for i, parameter in enumerate(definition.parameters):
        if parameter.name in fixed:
            continue
        if parameter.follows is not None:
            place = names.index(parameter.follows)
            leader = definition.parameters[place].choices
            chosen = leader.index(values[place]) if values[place] in leader else 0
            values[i] = parameter.choices[chosen]
        elif parameter.kind is Kind.PREPOSITION:
            values[i] = _preposition(values[i + 1 : i + 2], snapshot)
    return tuple(values)


def _preposition(place: Sequence[str], snapshot: Snapshot) -> str:
    """Return "in" where the place named next can hold or close around things."""
    for thing in snapshot.objects:
        if place and is_kind(thing, place[0]):
            able = thing.affordances
            if able.openable or able.canFillWithLiquid or thing.objectType in TWINS:
                return "in"
    return "on"


def _fits(task: Task, snapshot: Snapshot) -> bool:
    return (
        task.preconditions_hold(snapshot)
        and _possible(task.definition, snapshot)
        and not task.check(snapshot).success
    )


def _possible(definition: TaskDefinition, snapshot: Snapshot) -> bool:
    """Return whether each component has an object with the affordances it asks for."""
    for _, component in definition.components:
        if not number_of(component.determiner, definition):
            continue
        if not isinstance(component, Atomic):
            if not _possible(component.task, snapshot):
                return False
            continue
        if not _has_lasting(component, snapshot):
            return False
    return True


def _has_lasting(atomic: Atomic, snapshot: Snapshot) -> bool:
    """Return whether some object has a component's affordances, if it asks for any."""
    asked = [pair for pair in atomic.conditions if pair[0] in AFFORDANCES]
    asked.append((atomic.primary, atomic.wanted))
    tests = [compile_test(name, want) for name, want in asked]
    return len(tests) == 1 or any(
        all(test(thing, snapshot) for test in tests) for thing in snapshot.objects
    )
