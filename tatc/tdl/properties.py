"""When an object's property is as a task wants it (spec section 3.4).

Each wanted value is compiled once to a test, so that a check calls small functions and
looks nothing up by name.
"""

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any

from tatc.errors import UnknownName
from tatc.state import ABSENT, Affordances, ObjectState, Snapshot
from tatc.tdl.definition import Want

Test = Callable[[ObjectState, Snapshot], Any]
"""Says, by truth, whether an object of a snapshot is as wanted."""

AFFORDANCES = tuple(field.name for field in fields(Affordances))
"""Properties that never change while a session lasts."""

_NOT_PROPERTIES = ("affordances", "position", "rotation", "box")
PROPERTIES = frozenset(
    {field.name for field in fields(ObjectState)} - set(_NOT_PROPERTIES)
).union(AFFORDANCES)
"""Every property name that a condition may use."""

TWINS = {
    "Sink": "SinkBasin",
    "SinkBasin": "Sink",
    "Bathtub": "BathtubBasin",
    "BathtubBasin": "Bathtub",
}
"""Types that stand for each other wherever a type is asked for."""

_MOST_PARENTS = 32  # no tower of receptacles is higher; ends a ring of parents


def getter(name: str) -> Callable[[ObjectState], Any]:
    """Return what reads a property, one of `PROPERTIES`, from an object."""
    return attrgetter(f"affordances.{name}" if name in AFFORDANCES else name)


def types_for(want: Want) -> tuple[str, ...]:
    """Return the object types that a wanted objectType takes."""
    if not isinstance(want, str):
        return ()
    return (want, TWINS[want]) if want in TWINS else (want,)


def is_kind(thing: ObjectState | None, want: Want) -> bool:
    """Return whether an object is of a wanted type, or has it among its classes."""
    if thing is None:
        return False
    if thing.objectType in types_for(want):
        return True
    return want in thing.simbotObjectClass


def parents_of(thing: ObjectState, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the ids of the receptacles an object is in (spec section 2.9).

    Where the backend does not say, TEACh's record of the last receptacle is followed
    upwards until one is known, unset or met again.
    """
    known = thing.parentReceptacles
    if known is not None:
        return known
    chain: list[str] = []
    current: ObjectState | None = thing
    while current is not None and len(chain) < _MOST_PARENTS:
        if current.parentReceptacles is not None:
            return (*chain, *current.parentReceptacles)
        parent = current.simbotLastParentReceptacle
        if not isinstance(parent, str) or parent in chain or parent == thing.objectId:
            break
        chain.append(parent)
        current = snapshot.get(parent)
    return tuple(chain)


def compile_test(name: str, want: Want) -> Test:
    """Return the test that a property is as wanted; the first fitting rule counts.

    Raises:
        UnknownName: objects have no such property.

    """
    if name not in PROPERTIES:
        fix = "AI2-THOR's metadata and TEACh's simbot properties are known"
        raise UnknownName("property", name, PROPERTIES, fix=fix)
    if name == "objectType":
        types = types_for(want)
        return lambda thing, _: thing.objectType in types
    if name == "simbotLastParentReceptacle" and want is not None:
        return lambda thing, snapshot: _last_parent_is(thing, snapshot, want)
    if name == "parentReceptacles":
        return lambda thing, snapshot: any(
            is_kind(snapshot.get(parent), want)
            for parent in parents_of(thing, snapshot)
        )
    read = getter(name)
    if isinstance(want, int) and not isinstance(want, bool) and want in (0, 1):
        if want:
            return lambda thing, _: read(thing)
        return lambda thing, _: (value := read(thing)) is not ABSENT and not value
    return lambda thing, _: _equals(read(thing), want)


def _last_parent_is(thing: ObjectState, snapshot: Snapshot, want: Want) -> bool:
    parent = thing.simbotLastParentReceptacle
    return isinstance(parent, str) and is_kind(snapshot.get(parent), want)


def _equals(value: Any, want: Want) -> bool:
    if isinstance(value, tuple):
        return want in value
    return value is not ABSENT and value == want
