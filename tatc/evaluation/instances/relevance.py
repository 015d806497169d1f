"""Which changes of a part of a session help the session's task.

Since December 2022 TEACh's instances keep only such changes; the code that chose them
was never released.  The rule here: a change helps if the task names its property, if
the object is of a type that the task asks for or checks for at the session's end, and
if the session ends with the same value.
"""

from collections.abc import Iterator

from tatc.evaluation.instances.states import Changes
from tatc.state import ObjectState, Snapshot
from tatc.tdl import Task, TaskDefinition
from tatc.tdl.definition import Atomic

_PARENT = "simbotLastParentReceptacle"


def helping(changes: Changes, task: Task, end: Snapshot) -> Changes:
    """Return the changes that help a task, given the state that the session ends in."""
    named = frozenset(_properties(task.definition))
    ids = frozenset(thing.objectId for thing in _considered(task.definition, end))
    found: Changes = {}
    for object_id, values in changes.items():
        thing = end.get(object_id)
        if thing is None or object_id not in ids:
            continue
        kept = {
            name: value
            for name, value in values.items()
            if name in named and getattr(thing, name) == value
        }
        if kept:
            found[object_id] = kept
    return found


def _properties(definition: TaskDefinition) -> Iterator[str]:
    """Return the properties that a task and the tasks within it speak of."""
    if definition.relations:
        yield _PARENT
    for part in _atomics(definition):
        for name, _ in part.conditions:
            yield name


def _considered(definition: TaskDefinition, end: Snapshot) -> Iterator[ObjectState]:
    for part in _atomics(definition):
        for thing in end.objects:
            if _is_wanted(part, thing):
                yield thing


def _is_wanted(part: Atomic, thing: ObjectState) -> bool:
    if part.primary == "simbotObjectClass":
        classes = thing.simbotObjectClass
        return isinstance(classes, tuple) and part.wanted in classes
    return getattr(thing, part.primary, None) == part.wanted


def _atomics(definition: TaskDefinition) -> Iterator[Atomic]:
    for _, part in definition.components:
        if isinstance(part, Atomic):
            yield part
        else:
            yield from _atomics(part.task)
