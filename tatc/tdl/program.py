"""A task compiled for checking: what to look for, how many, and how it adds up.

A definition without macros becomes a tree of nodes.  Numbers multiply down the tree
and are known beforehand, so equal parts (the clean plate that toast, sandwich and salad
all want) become one node, which a check evaluates once.
"""

from collections.abc import Callable
from dataclasses import replace
from math import dist
from typing import Any

from tatc.errors import ParameterError
from tatc.state import ObjectState, Snapshot, Vec3
from tatc.tdl.definition import (
    Atomic,
    Component,
    Determiner,
    TaskDefinition,
)
from tatc.tdl.outcome import (
    AtomicOutcome,
    Outcome,
    RelationOutcome,
    TaskOutcome,
)
from tatc.tdl.properties import Test, compile_test, types_for
from tatc.tdl.relations import RelationNode

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
        return [objects[i] for i in sorted(i for n in names for i in types.get(n, ()))]

    return select


def _one_class(name: str) -> Select:
    def select(look: Look) -> list[ObjectState]:
        found = look.classes.get(name)
        if found is None:
            found = look.classes[name] = [
                thing
                for thing in look.objects
                if isinstance(classes := thing.simbotObjectClass, tuple)
                and name in classes
            ]
        return found

    return select


class AtomicNode:
    """A component of conditions, wanted `need` times or of all its objects."""

    __slots__ = ("atomic", "every", "matcher", "need", "slot", "splits")

    def __init__(self, atomic: Atomic, times: int, matcher: Matcher, slot: int) -> None:
        """Take the multiplicity from the task around it; a shareable one needs one."""
        self.atomic = atomic
        self.matcher = matcher
        self.slot = slot
        self.every = atomic.determiner == "all"
        self.need = 1 if atomic.shareable else times
        self.splits = "Sliced" in str(atomic.wanted)

    def check(self, look: Look) -> AtomicOutcome:
        """Return what was found, once for each check."""
        outcome = look.outcomes.get(self.slot)
        if outcome is None:
            rows = self.matcher.rows(look)
            outcome = (
                self._check_all(rows) if self.every else self._check_some(rows, look)
            )
            look.outcomes[self.slot] = outcome
        return outcome

    def _check_some(self, rows: list[Row], look: Look) -> AtomicOutcome:
        need = wanted = self.need
        conditions = self.matcher.conditions
        satisfied: list[ObjectState] = []
        candidates: list[Row] = []
        for row in rows:
            thing, count = row
            if count == conditions:
                satisfied.append(thing)
            elif len(satisfied) < need:
                candidates.append(row)
                if self.splits and count == conditions - 1:
                    if thing.objectType == self.matcher.base:
                        wanted = 1
        if len(candidates) > 1:
            _rank(candidates, look.origin)
        found = len(satisfied)
        problems = candidates[: wanted - found] if wanted > found else []
        met = conditions * (found if found < need else need)
        for _, count in problems:
            met += count
        return AtomicOutcome(
            self.atomic,
            found >= need,
            conditions * need,
            met,
            satisfied,
            [thing for thing, _ in candidates],
            len(problems),
        )

    def _check_all(self, rows: list[Row]) -> AtomicOutcome:
        conditions = self.matcher.conditions
        primary_only = [row for row in rows if row[0].objectType != self.matcher.base]
        satisfied = [thing for thing, count in primary_only if count == conditions]
        problems = [row for row in primary_only if row[1] != conditions]
        return AtomicOutcome(
            self.atomic,
            not problems,
            conditions * len(primary_only),
            conditions * len(satisfied) + sum(count for _, count in problems),
            satisfied,
            [thing for thing, _ in problems],
            len(problems),
        )


def _rank(candidates: list[Row], origin: Vec3 | None) -> None:
    """Order by conditions met, then by distance; equals keep the scan's order."""
    if origin is None:
        candidates.sort(key=lambda row: -row[1])
    else:
        candidates.sort(key=lambda row: (-row[1], dist(row[0].position, origin)))


class TaskNode:
    """A task wanted `times` times: its parts, then its relations."""

    __slots__ = ("anchor", "definition", "parts", "relations", "slot", "times")

    def __init__(self, definition: TaskDefinition, times: int, slot: int) -> None:
        """Make an empty node; `compile_program` adds the parts."""
        self.definition = definition
        self.times = times
        self.slot = slot
        self.anchor = definition.anchor
        self.parts: list[tuple[str, Determiner, Node]] = []
        self.relations: list[RelationNode] = []

    def check(self, look: Look) -> TaskOutcome:
        """Return what was found, once for each check."""
        outcome = look.outcomes.get(self.slot)
        if outcome is None:
            outcome = look.outcomes[self.slot] = self._check(look)
        return outcome

    def _check(self, look: Look) -> TaskOutcome:
        subgoals: list[tuple[Determiner, Outcome | RelationOutcome]] = []
        by_key: dict[str, Outcome] = {}
        for key, determiner, node in self.parts:
            outcome = by_key[key] = node.check(look)
            if outcome.counts:
                subgoals.append((determiner, outcome))
        for relation in self.relations:
            subgoals.append(("a", relation.check(by_key, look.snapshot)))
        success, total, met = True, 0, 0
        for _, outcome in subgoals:
            success = success and outcome.success
            total += outcome.total
            met += outcome.met
        return TaskOutcome(
            self.definition, success, total, met, subgoals, self._anchored(by_key)
        )

    def _anchored(self, by_key: dict[str, Outcome]) -> Outcome | None:
        return None if self.anchor is None else by_key.get(self.anchor)


Node = AtomicNode | TaskNode


class _Compiler:
    """Makes nodes, one for each different part."""

    def __init__(self) -> None:
        self.nodes: dict[str, Any] = {}
        self.matchers: dict[str, Matcher] = {}

    def task(self, definition: TaskDefinition, times: int) -> TaskNode:
        key = f"{times} {definition!r}"
        node = self.nodes.get(key)
        if node is None:
            node = TaskNode(definition, times, len(self.nodes))
            self.nodes[key] = node
            for name, component in definition.components:
                count = number_of(component.determiner, definition)
                if count:
                    part = self.component(component, times * count, definition)
                    node.parts.append((name, component.determiner, part))
            node.relations.extend(
                RelationNode(relation, times) for relation in definition.relations
            )
        return node

    def component(
        self, component: Component, times: int, owner: TaskDefinition
    ) -> Node:
        if isinstance(component, Atomic):
            return self.atomic(component, times)
        if component.determiner == "all":
            raise ParameterError(
                "'all' cannot be asked of a part that is a task",
                where=f"task {owner.name!r}",
                fix="give a number",
            )
        return self.task(component.task, times)

    def atomic(self, atomic: Atomic, times: int) -> AtomicNode:
        key = f"{times} {atomic!r}"
        node = self.nodes.get(key)
        if node is None:
            looks_for = repr(replace(atomic, determiner="", failure_texts=()))
            matcher = self.matchers.get(looks_for)
            if matcher is None:
                matcher = Matcher(atomic, len(self.matchers))
                self.matchers[looks_for] = matcher
            node = AtomicNode(atomic, times, matcher, len(self.nodes))
            self.nodes[key] = node
        return node


def number_of(determiner: Determiner, owner: TaskDefinition) -> int:
    """Return how many a determiner multiplies by: 1 for "a" and "all", 0 to skip.

    Raises:
        ParameterError: it is none of these (a macro was filled with something else).

    """
    if determiner in ("a", "all"):
        return 1
    if isinstance(determiner, int):
        return determiner
    if determiner.isdecimal():
        return int(determiner)
    raise ParameterError(
        f"{determiner!r} is not a number",
        where=f"task {owner.name!r}",
        fix="a count is a whole number such as 2",
    )


def compile_program(definition: TaskDefinition) -> TaskNode:
    """Compile an expanded definition.

    Raises:
        ParameterError: a macro was filled with what cannot stand in its place.

    """
    return _Compiler().task(definition, 1)
