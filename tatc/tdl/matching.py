"""Finds the objects related to a component, and how many conditions each of them meets.

They come from the snapshot's index by type, or from one pass over the objects' classes.
They are always in the snapshot's order.
"""

from collections.abc import Callable
from itertools import chain
from typing import Any

from tatc.home.state import ObjectState, Snapshot, Vec3
from tatc.home.types.facts import WHOLE_TYPE_BY_PIECE
from tatc.tdl.definition import AtomicComponent
from tatc.tdl.properties import PropertyTest, compile_property_test, types_matching

MatchedObject = tuple[ObjectState, int]
"""A related object and how many of the conditions it meets."""


class CheckContext:
    """The state of one running check: the snapshot and the results so far."""

    __slots__ = ("matches", "objects", "objects_by_class", "origin", "outcomes", "snapshot")

    def __init__(self, snapshot: Snapshot, origin: Vec3 | None) -> None:
        """Start without results; with an `origin`, candidates are sorted by distance from it."""
        self.snapshot = snapshot
        self.objects = snapshot.objects
        self.origin = origin
        self.objects_by_class: dict[str, list[ObjectState]] = {}
        self.matches: dict[int, list[MatchedObject]] = {}
        self.outcomes: dict[int, Any] = {}


ObjectSelector = Callable[[CheckContext], "list[ObjectState]"]


class ComponentMatcher:
    """Finds the objects related to a component and counts the conditions they meet.

    Related objects are those that meet the primary condition, and the whole food that a slice
    or a cracked egg would come from (spec section 3.5).
    """

    def __init__(self, atomic: AtomicComponent, memo_index: int) -> None:
        """Compile the conditions; `memo_index` is where a check remembers the matches."""
        wanted = atomic.primary_value
        self.memo_index = memo_index
        self.condition_count = len(atomic.conditions)
        self.whole_food_type = (
            whole_food_of(wanted) if atomic.primary_property == "objectType" else None
        )
        self.primary_test: PropertyTest = compile_property_test(atomic.primary_property, wanted)
        self.other_tests = tuple(
            compile_property_test(name, want)
            for name, want in atomic.conditions
            if name != atomic.primary_property
        )
        self.select = _make_selector(atomic, self.whole_food_type, self.primary_test)

    def matches(self, context: CheckContext) -> list[MatchedObject]:
        """Return the related objects in the snapshot's order, with the conditions each meets."""
        found = context.matches.get(self.memo_index)
        if found is None:
            found = context.matches[self.memo_index] = self._match(context)
        return found

    def _match(self, context: CheckContext) -> list[MatchedObject]:
        base, rest, snapshot = self.whole_food_type, self.other_tests, context.snapshot
        objects = self.select(context)
        if not rest and base is None:
            return [(obj, 1) for obj in objects]
        rows: list[MatchedObject] = []
        for obj in objects:
            count = 0 if obj.objectType == base else 1
            for test in rest:
                if test(obj, snapshot):
                    count += 1
            rows.append((obj, count))
        return rows


def whole_food_of(wanted: object) -> str | None:
    """Return the type of the whole food that is cut or cracked into type `wanted`, or None."""
    return WHOLE_TYPE_BY_PIECE.get(wanted) if isinstance(wanted, str) else None


def _make_selector(
    atomic: AtomicComponent, base: str | None, primary: PropertyTest
) -> ObjectSelector:
    wanted = atomic.primary_value
    if atomic.primary_property == "objectType":
        types = types_matching(wanted) if base is None else (*types_matching(wanted), base)
        return _select_types(types)
    if atomic.primary_property == "simbotObjectClass" and isinstance(wanted, str):
        return _select_class(wanted)
    return lambda look: [t for t in look.objects if primary(t, look.snapshot)]


def _select_types(names: tuple[str, ...]) -> ObjectSelector:
    def select(look: CheckContext) -> list[ObjectState]:
        objects, types = look.objects, look.snapshot.object_index.by_type
        groups = [types[name] for name in names if name in types]
        if len(groups) == 1:
            return [objects[i] for i in groups[0]]
        return [objects[i] for i in sorted(chain.from_iterable(groups))]

    return select


def _select_class(name: str) -> ObjectSelector:
    def select(look: CheckContext) -> list[ObjectState]:
        found = look.objects_by_class.get(name)
        if found is None:
            found = look.objects_by_class[name] = [
                obj for obj in look.objects if name in obj.simbotObjectClass
            ]
        return found

    return select
