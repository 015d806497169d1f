"""Compiles a task for progress checks: a tree of nodes for its components and relations.

The definition must have no macros left.  Numbers multiply down the tree and are known in
advance, so equal parts (the clean plate that toast, sandwich and salad all want) become one
node, which each check evaluates once.
"""

from dataclasses import replace
from math import dist
from typing import Any

from tatc.base.errors import ParameterError
from tatc.base.file_limits import MAX_NEEDED_OBJECTS
from tatc.base.plain_text import whole_number
from tatc.home.state import ObjectState, Vec3
from tatc.home.types.facts import SLICE_TYPES
from tatc.tdl.check_outcome import AtomicOutcome, ComponentOutcome, RelationOutcome, TaskOutcome
from tatc.tdl.definition import AtomicComponent, Component, Determiner, TaskDefinition
from tatc.tdl.matching import CheckContext, ComponentMatcher, MatchedObject
from tatc.tdl.relations import RelationNode


class AtomicNode:
    """A component of conditions, which `needed_count` objects or all its objects must meet."""

    def __init__(
        self, atomic: AtomicComponent, times: int, matcher: ComponentMatcher, memo_index: int
    ) -> None:
        """Compile a component that is wanted `times` times; a shareable one is needed once.

        `memo_index` is where a check remembers this node's outcome.
        """
        self.atomic = atomic
        self.matcher = matcher
        self.memo_index = memo_index
        self.wants_all = atomic.determiner == "all"
        self.needed_count = 1 if atomic.is_shareable else times
        self.slices_from_whole = atomic.primary_value in SLICE_TYPES

    def check(self, context: CheckContext) -> AtomicOutcome:
        """Return what was found, once for each check."""
        outcome = context.outcomes.get(self.memo_index)
        if outcome is None:
            rows = self.matcher.matches(context)
            outcome = self._check_all(rows) if self.wants_all else self._check_some(rows, context)
            context.outcomes[self.memo_index] = outcome
        return outcome

    def _check_some(self, matches: list[MatchedObject], context: CheckContext) -> AtomicOutcome:
        need = wanted = self.needed_count
        conditions = self.matcher.condition_count
        satisfied: list[ObjectState] = []
        candidates: list[MatchedObject] = []
        for row in matches:
            obj, count = row
            if count == conditions:
                satisfied.append(obj)
            elif len(satisfied) < need:
                candidates.append(row)
                if self.slices_from_whole and count == conditions - 1:
                    if obj.objectType == self.matcher.whole_food_type:
                        wanted = 1
        if len(candidates) > 1:
            _sort_candidates(candidates, context.origin)
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
            [obj for obj, _ in candidates],
            len(problems),
        )

    def _check_all(self, matches: list[MatchedObject]) -> AtomicOutcome:
        conditions = self.matcher.condition_count
        primary_only = [row for row in matches if row[0].objectType != self.matcher.whole_food_type]
        satisfied = [obj for obj, count in primary_only if count == conditions]
        problems = [row for row in primary_only if row[1] != conditions]
        return AtomicOutcome(
            self.atomic,
            not problems,
            conditions * len(primary_only),
            conditions * len(satisfied) + sum(count for _, count in problems),
            satisfied,
            [obj for obj, _ in problems],
            len(problems),
        )


def _sort_candidates(candidates: list[MatchedObject], origin: Vec3 | None) -> None:
    """Sort by conditions met, then by distance from `origin`, if there is one.

    Equal candidates stay in the snapshot's order.
    """
    if origin is None:
        candidates.sort(key=lambda row: -row[1])
    else:
        candidates.sort(key=lambda row: (-row[1], dist(row[0].position, origin)))


class TaskNode:
    """A task: its components, then its relations."""

    def __init__(self, definition: TaskDefinition, memo_index: int) -> None:
        """Make an empty node; `compile_check_tree` adds components and relations."""
        self.definition = definition
        self.memo_index = memo_index
        self.component_nodes: list[tuple[str, Determiner, ComponentNode]] = []
        self.relations: list[RelationNode] = []

    def check(self, context: CheckContext) -> TaskOutcome:
        """Return what was found, once for each check."""
        outcome = context.outcomes.get(self.memo_index)
        if outcome is None:
            outcome = context.outcomes[self.memo_index] = self._check(context)
        return outcome

    def _check(self, context: CheckContext) -> TaskOutcome:
        subgoals: list[tuple[Determiner, ComponentOutcome | RelationOutcome]] = []
        by_key: dict[str, ComponentOutcome] = {}
        for key, determiner, node in self.component_nodes:
            outcome = by_key[key] = node.check(context)
            if outcome.is_subgoal:
                subgoals.append((determiner, outcome))
        for relation in self.relations:
            subgoals.append(("a", relation.check(by_key, context.snapshot)))
        success, total, met = True, 0, 0
        for _, outcome in subgoals:
            success = success and outcome.success
            total += outcome.total
            met += outcome.met
        anchor_outcome = by_key.get(self.definition.anchor or "")
        return TaskOutcome(self.definition, success, total, met, subgoals, anchor_outcome)


ComponentNode = AtomicNode | TaskNode


class _TreeCompiler:
    """Makes nodes and matchers, one for all equal components."""

    def __init__(self) -> None:
        self.nodes: dict[str, Any] = {}
        self.matchers: dict[str, ComponentMatcher] = {}

    def task_node(self, definition: TaskDefinition, times: int) -> TaskNode:
        key = f"{times} {definition!r}"
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = TaskNode(definition, len(self.nodes))
            for name, component in definition.components:
                count = determiner_count(component.determiner, definition)
                if count:
                    if times * count > MAX_NEEDED_OBJECTS:
                        why = f"asks for more than {MAX_NEEDED_OBJECTS} of {name!r}"
                        raise ParameterError(why, where=f"task {definition.name!r}")
                    part = self.component_node(component, times * count, definition)
                    node.component_nodes.append((name, component.determiner, part))
            for relation in definition.relations:
                for _, determiner in relation.heads:
                    determiner_count(determiner, definition)  # rejects what is no number
                node.relations.append(RelationNode(relation, times))
        return node

    def component_node(
        self, component: Component, times: int, owner: TaskDefinition
    ) -> ComponentNode:
        if isinstance(component, AtomicComponent):
            return self.atomic_node(component, times)
        if component.determiner == "all":
            raise ParameterError(
                "'all' cannot be asked of a part that is a task",
                where=f"task {owner.name!r}",
                fix="give a number",
            )
        return self.task_node(component.task, times)

    def atomic_node(self, atomic: AtomicComponent, times: int) -> AtomicNode:
        key = f"{times} {atomic!r}"
        node = self.nodes.get(key)
        if node is None:
            looks_for = repr(replace(atomic, determiner="", failure_texts=()))
            matcher = self.matchers.get(looks_for)
            if matcher is None:
                matcher = self.matchers[looks_for] = ComponentMatcher(atomic, len(self.matchers))
            node = self.nodes[key] = AtomicNode(atomic, times, matcher, len(self.nodes))
        return node


def determiner_count(determiner: Determiner, owner: TaskDefinition) -> int:
    """Return the number that a determiner stands for; 1 for "a" and "all".

    A component with the number 0 is skipped.
    """
    if determiner in ("a", "all"):
        return 1
    if isinstance(determiner, int):
        return determiner
    number = whole_number(determiner)
    if number is not None:
        return number
    raise ParameterError(
        f"{determiner!r} is not a number",
        where=f"task {owner.name!r}",
        fix="a count is a whole number such as 2",
    )


def compile_check_tree(definition: TaskDefinition) -> TaskNode:
    """Return the check tree of an expanded definition."""
    return _TreeCompiler().task_node(definition, 1)
