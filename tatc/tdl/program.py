"""A task compiled for checking: what to look for, how many, and how it adds up.

A definition without macros becomes a tree of nodes.  Numbers multiply down the tree
and are known beforehand, so equal parts (the clean plate that toast, sandwich and salad
all want) become one node, which a check evaluates once.
"""

from dataclasses import replace
from math import dist
from typing import Any

from tatc.errors import ParameterError
from tatc.state import ObjectState, Vec3
from tatc.tdl.definition import (
    Atomic,
    Component,
    Determiner,
    TaskDefinition,
)
from tatc.tdl.matching import Look, Matcher, Row
from tatc.tdl.outcome import (
    AtomicOutcome,
    Outcome,
    RelationOutcome,
    TaskOutcome,
)
from tatc.tdl.relations import RelationNode


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
