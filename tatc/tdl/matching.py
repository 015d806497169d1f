"""Which objects of a snapshot a component is about, and how many conditions each meets.

Candidates come from the snapshot's roster by type, or from one pass over the classes;
the order is always that of the snapshot's objects.
"""

from collections.abc import Callable
from itertools import chain
from typing import Any

from tatc.state import ObjectState, Snapshot, Vec3
from tatc.tdl.definition import Atomic
from tatc.tdl.properties import Test, compile_test, types_for

Row = tuple[ObjectState, int]
"""A related object and how many of the conditions it meets."""


class Look:
    """One check in progress: the snapshot and what was already found in it."""

    __slots__ = ("classes", "objects", "origin", "outcomes", "rows", "snapshot")

    def __init__(self, snapshot: Snapshot, origin: Vec3 | None) -> None:
        """Begin; candidates are ranked by distance from `origin`, if it is given."""
        self.snapshot = snapshot
        self.objects = snapshot.objects
        self.origin = origin
        self.classes: dict[str, list[ObjectState]] = {}
        self.rows: dict[int, list[Row]] = {}
        self.outcomes: dict[int, Any] = {}


Select = Callable[[Look], "list[ObjectState]"]


class Matcher:
    """Finds the objects related to a component and counts the conditions they meet.

    Related are those that meet the primary condition, and the whole food that a slice
    or a cracked egg would come from (spec section 3.5).
    """

    __slots__ = ("base", "conditions", "primary", "rest", "select", "slot")

    def __init__(self, atomic: Atomic, slot: int) -> None:
        """Compile the conditions; `slot` is the matcher's place in a check's memory."""
        wanted = atomic.wanted
        self.slot = slot
        self.conditions = len(atomic.conditions)
        self.base = base_of(wanted) if atomic.primary == "objectType" else None
        self.primary: Test = compile_test(atomic.primary, wanted)
        self.rest = tuple(
            compile_test(name, want)
            for name, want in atomic.conditions
            if name != atomic.primary
        )
        self.select = _selector(atomic, self.base, self.primary)

    def rows(self, look: Look) -> list[Row]:
        """Return the related objects in the snapshot's order, with their counts."""
        found = look.rows.get(self.slot)
        if found is None:
            found = look.rows[self.slot] = self._match(look)
        return found

    def _match(self, look: Look) -> list[Row]:
        base, rest, snapshot = self.base, self.rest, look.snapshot
        things = self.select(look)
        if not rest and base is None:
            return [(thing, 1) for thing in things]
        rows: list[Row] = []
        for thing in things:
            count = 0 if thing.objectType == base else 1
            for test in rest:
                if test(thing, snapshot):
                    count += 1
            rows.append((thing, count))
        return rows


def base_of(wanted: object) -> str | None:
    """Return the type of the whole food that slices or cracks into `wanted`."""
    if isinstance(wanted, str):
        for form in ("Sliced", "Cracked"):
            if form in wanted:
                return wanted.replace(form, "")
    return None


def _selector(atomic: Atomic, base: str | None, primary: Test) -> Select:
    wanted = atomic.wanted
    if atomic.primary == "objectType":
        types = types_for(wanted) if base is None else (*types_for(wanted), base)
        return _one_type(types[0]) if len(types) == 1 else _several_types(types)
    if atomic.primary == "simbotObjectClass" and isinstance(wanted, str):
        return _one_class(wanted)
    return lambda look: [t for t in look.objects if primary(t, look.snapshot)]


def _one_type(name: str) -> Select:
    def select(look: Look) -> list[ObjectState]:
        objects = look.objects
        return [objects[i] for i in look.snapshot.roster.types.get(name, ())]

    return select


def _several_types(names: tuple[str, ...]) -> Select:
    def select(look: Look) -> list[ObjectState]:
        objects, types = look.objects, look.snapshot.roster.types
        groups = [types[name] for name in names if name in types]
        if len(groups) == 1:
            return [objects[i] for i in groups[0]]
        return [objects[i] for i in sorted(chain.from_iterable(groups))]

    return select


def _one_class(name: str) -> Select:
    def select(look: Look) -> list[ObjectState]:
        found = look.classes.get(name)
        if found is None:
            found = look.classes[name] = [
                thing for thing in look.objects if name in thing.simbotObjectClass
            ]
        return found

    return select
