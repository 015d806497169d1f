"""Tests whether a property is as a task wants it (spec 3.4); receptacles and classes of objects."""

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

from tatc.base.errors import UnknownName
from tatc.home import metadata, state
from tatc.home.type_facts import BASIN_TYPE_BY_SINK, CLASSES_BY_TYPE
from tatc.tdl.definition import DesiredValue

PropertyTest = Callable[[state.ObjectState, state.Snapshot], Any]
"""Returns a true value if an object of a snapshot is as wanted."""

IMMUTABLE_PROPERTIES = frozenset(
    {*metadata.AFFORDANCE_FIELDS, "objectId", "objectType", "simbotObjectClass"}
)
"""Properties that no interaction changes on an object (slices are new objects)."""

_NON_PROPERTY_FIELDS = ("affordances", "position", "rotation", "box")
CONDITION_PROPERTIES = frozenset(
    {field.name for field in fields(state.ObjectState)} - set(_NON_PROPERTY_FIELDS)
).union(metadata.AFFORDANCE_FIELDS)
"""The names of all properties that a condition may use."""

EQUIVALENT_TYPES = BASIN_TYPE_BY_SINK | {b: sink for sink, b in BASIN_TYPE_BY_SINK.items()}
"""For a sink or tub its basin, and the other way round: types accepted in place of each other."""

_MAX_PARENT_CHAIN = 32  # receptacles are never nested deeper; ends a cycle of parents


def types_matching(desired: DesiredValue) -> tuple[str, ...]:
    """Return the object types that a wanted objectType accepts; empty if it is no string."""
    if not isinstance(desired, str):
        return ()
    return (desired, EQUIVALENT_TYPES[desired]) if desired in EQUIVALENT_TYPES else (desired,)


def is_of_type_or_class(obj: state.ObjectState | None, desired: DesiredValue) -> bool:
    """Return whether an object has a wanted type or class; False for None."""
    if obj is None:
        return False
    return obj.objectType in types_matching(desired) or desired in obj.simbotObjectClass


def parent_receptacles_of(obj: state.ObjectState, snapshot: state.Snapshot) -> tuple[str, ...]:
    """Return the ids of the receptacles that an object is in or on (spec section 2.9).

    If the simulator does not give them, the object's last receptacle as recorded by TEACh is
    followed, then that receptacle's, and so on.  This ends at a receptacle whose own ones are
    given, at one without a record, or at one met before.
    """
    known = obj.parentReceptacles
    if known is not None:
        return known
    chain: list[str] = []
    current: state.ObjectState | None = obj
    while current is not None and len(chain) < _MAX_PARENT_CHAIN:
        if current.parentReceptacles is not None:
            return (*chain, *current.parentReceptacles)
        parent = current.simbotLastParentReceptacle
        if not isinstance(parent, str) or parent in chain or parent == obj.objectId:
            break
        chain.append(parent)
        current = snapshot.get(parent)
    return tuple(chain)


def compile_property_test(name: str, desired: DesiredValue) -> PropertyTest:
    """Return the test whether a property has a wanted value; an unknown name is an UnknownName."""
    if name not in CONDITION_PROPERTIES:
        fix = "AI2-THOR's metadata and TEACh's simbot properties are known"
        raise UnknownName("property", name, CONDITION_PROPERTIES, fix=fix)
    if name == "objectType":
        types = types_matching(desired)
        return lambda obj, _: obj.objectType in types
    if name == "simbotLastParentReceptacle" and desired is not None:
        return lambda obj, snapshot: (
            isinstance(parent := obj.simbotLastParentReceptacle, str)
            and is_of_type_or_class(snapshot.get(parent), desired)
        )
    if name == "parentReceptacles":
        return lambda obj, snapshot: any(
            is_of_type_or_class(snapshot.get(parent), desired)
            for parent in parent_receptacles_of(obj, snapshot)
        )
    read = attrgetter(f"affordances.{name}" if name in metadata.AFFORDANCE_FIELDS else name)
    if isinstance(desired, int) and not isinstance(desired, bool) and desired in (0, 1):
        if desired:
            return lambda obj, _: read(obj)
        return lambda obj, _: (value := read(obj)) is not state.ABSENT and not value
    return lambda obj, _: _is_equal(read(obj), desired)


def _is_equal(value: Any, desired: DesiredValue) -> bool:
    if isinstance(value, tuple):
        return desired in value
    return value is not state.ABSENT and value == desired


@cache
def object_classes_of(object_type: str) -> tuple[str, ...]:
    """Return the classes of a type: itself, its equivalent type if any, and its hypernyms."""
    twin = (EQUIVALENT_TYPES[object_type],) if object_type in EQUIVALENT_TYPES else ()
    return (object_type, *twin, *CLASSES_BY_TYPE.get(object_type, ()))


def assign_classes(objects: Iterable[state.ObjectState]) -> tuple[state.ObjectState, ...]:
    """Return objects with the classes of their types, as TEACh does; right ones are not copied."""
    return tuple(
        obj
        if obj.simbotObjectClass == (classes := object_classes_of(obj.objectType))
        else obj.with_values(simbotObjectClass=classes)
        for obj in objects
    )
