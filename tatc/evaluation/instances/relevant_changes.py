"""Which state changes of a part of a session help the session's task.

Since December 2022 TEACh's instances keep only such changes; the code that chose them was never
released.  The rule here: a change helps if the task names its property, if the object is of a
type that the task asks for, or checks for at the end of the session, and if the session ends
with the same value.
"""

from collections.abc import Iterator

from tatc.evaluation.instances.state_differences import StateChanges
from tatc.home.state import ObjectState, Snapshot
from tatc.tdl import Task, TaskDefinition
from tatc.tdl.definition import AtomicComponent

_PARENT_PROPERTY = "simbotLastParentReceptacle"


def relevant_changes(changes: StateChanges, task: Task, end: Snapshot) -> StateChanges:
    """Return the changes that help a task, given the final state of the session."""
    named = frozenset(_named_properties(task.definition))
    ids = frozenset(obj.objectId for obj in _considered_objects(task.definition, end))
    found: StateChanges = {}
    for object_id, values in changes.items():
        obj = end.get(object_id)
        if obj is None or object_id not in ids:
            continue
        kept = {
            name: value
            for name, value in values.items()
            if name in named and getattr(obj, name) == value
        }
        if kept:
            found[object_id] = kept
    return found


def _named_properties(definition: TaskDefinition) -> Iterator[str]:
    """Return the properties that a task and its subtasks name."""
    if definition.relations:
        yield _PARENT_PROPERTY
    for part in _atomic_components(definition):
        for name, _ in part.conditions:
            yield name


def _considered_objects(definition: TaskDefinition, end: Snapshot) -> Iterator[ObjectState]:
    for part in _atomic_components(definition):
        for obj in end.objects:
            if _is_wanted(part, obj):
                yield obj


def _is_wanted(part: AtomicComponent, obj: ObjectState) -> bool:
    if part.primary_property == "simbotObjectClass":
        classes = obj.simbotObjectClass
        return isinstance(classes, tuple) and part.primary_value in classes
    return getattr(obj, part.primary_property, None) == part.primary_value


def _atomic_components(definition: TaskDefinition) -> Iterator[AtomicComponent]:
    for _, part in definition.components:
        if isinstance(part, AtomicComponent):
            yield part
        else:
            yield from _atomic_components(part.task)
