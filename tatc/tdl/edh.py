"""Makes the task by which an EDH instance is checked: TEACh's state difference (spec 3.11).

An EDH instance lists what the Follower's part of a session changed: for each object the new
values of properties.  For each type, property and value, the task asks for as many objects
with that value.  Which objects of the type have it does not matter.
"""

from collections.abc import Mapping
from typing import Any, cast

from tatc.base import errors, files
from tatc.tdl.definition import AtomicComponent, DesiredValue, TaskDefinition
from tatc.tdl.task import Task

EDH_PROPERTIES = tuple(
    "isToggled isBroken isFilledWithLiquid isDirty isUsedUp isCooked isOpen "
    "isPickedUp objectType simbotLastParentReceptacle simbotIsCooked "
    "simbotIsFilledWithWater simbotIsBoiled simbotIsFilledWithCoffee simbotPickedUp".split()
)
"""The properties of a difference that count; others are ignored."""

_SUPERSEDED_PROPERTIES = {
    "simbotPickedUp": ("isPickedUp",),
    "simbotIsCooked": ("isCooked",),
    "simbotIsFilledWithWater": ("isFilledWithLiquid",),
    "simbotIsFilledWithCoffee": ("isFilledWithLiquid",),
    "simbotIsBoiled": ("isCooked", "simbotIsCooked"),
}
"""For a more specific property, those that it replaces on the same object."""


def edh_task(state_changes: Mapping[str, Any]) -> Task:
    """Return the task of a state difference: `{"objects": {id: {property: value}}}`."""
    equal: dict[tuple[str, str, str], list[DesiredValue]] = {}
    for object_id, name, value in _counted_changes(state_changes):
        equal.setdefault((type_of_object_id(object_id), name, repr(value)), []).append(value)
    components = tuple(
        (f"{kind} {name} {shown}", _make_component(kind, name, values[0], len(values)))
        for (kind, name, shown), values in equal.items()
    )
    return Task(TaskDefinition(0, "edh_custom", "", None, components, (), params=()))


def type_of_object_id(object_id: str) -> str:
    """Return the object type that an object id contains, of slices and basins too."""
    fields = object_id.split("|")
    return fields[0] if len(fields) == 4 else fields[-1].split("_")[0]


def _make_component(kind: str, name: str, value: DesiredValue, count: int) -> AtomicComponent:
    if name == "simbotLastParentReceptacle" and isinstance(value, str):
        value = value.split("|")[0]
    conditions: dict[str, DesiredValue] = {"objectType": kind}
    if name != "objectType":
        conditions[name] = value
    return AtomicComponent(count, "objectType", False, tuple(conditions.items()))


def _counted_changes(state_changes: Mapping[str, Any]) -> list[tuple[str, str, DesiredValue]]:
    """Return the changes that count, as (object id, property, value)."""
    objects = _as_object(state_changes.get("objects"), "state_changes.objects")
    if len(objects) > files.MAX_STATE_OBJECTS:
        why = f"has more than {files.MAX_STATE_OBJECTS} entries"
        raise errors.GameFormatError(why, where="state_changes.objects")
    found: list[tuple[str, str, DesiredValue]] = []
    for object_id, changed in objects.items():
        where = f"state_changes.objects.{object_id}"
        values = _as_object(changed, where)
        known = (less for more, less in _SUPERSEDED_PROPERTIES.items() if more in values)
        hidden = {name for less in known for name in less}
        for name in EDH_PROPERTIES:
            if name not in values or name in hidden:
                continue
            value = values[name]
            if value is not None and not isinstance(value, str | int | float):
                raise errors.GameFormatError("is no simple value", where=f"{where}.{name}")
            found.append((object_id, name, value))
    return found


def _as_object(raw: object, where: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise errors.GameFormatError("should be an object", where=where)
    return cast(Mapping[str, Any], raw)
