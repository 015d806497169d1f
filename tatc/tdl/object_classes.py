"""Assigns objects the classes of their types, which TEACh's tasks ask for."""

from collections.abc import Iterable
from dataclasses import replace

from tatc.home.state import ObjectState
from tatc.home.types.teach_classes import CLASSES_BY_TYPE
from tatc.tdl.properties import EQUIVALENT_TYPES


def object_classes_of(object_type: str) -> tuple[str, ...]:
    """Return the classes of a type: itself, its equivalent type if any, and its hypernyms."""
    twin = (EQUIVALENT_TYPES[object_type],) if object_type in EQUIVALENT_TYPES else ()
    return (object_type, *twin, *CLASSES_BY_TYPE.get(object_type, ()))


def assign_classes(objects: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
    """Return the objects with the classes of their types, as when TEACh captures a state.

    Slices that had their parent's classes get their own.  Objects that already have the right
    classes are returned themselves, not as copies.
    """
    return tuple(
        obj
        if obj.simbotObjectClass == (classes := object_classes_of(obj.objectType))
        else replace(obj, simbotObjectClass=classes)
        for obj in objects
    )
