"""Compiles a task for progress checks: a tree of nodes for its components and relations.

The definition must have no macros left.  Numbers multiply down the tree and are known in advance,
so equal parts (the clean plate that toast, sandwich and salad all want) become one node, which each
check evaluates once.  The objects related to a component come from the snapshot's index by type, or
from one pass over the objects' classes, always in the snapshot's order.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from math import dist
from typing import Any

from tatc.base import errors, files, plain_text
from tatc.home.state import ObjectState, Snapshot, Vec3
from tatc.home.type_facts import SLICE_TYPES, WHOLE_TYPE_BY_PIECE
from tatc.tdl import progress, relations
from tatc.tdl.definition import AtomicComponent, Component, Determiner, TaskDefinition
from tatc.tdl.properties import compile_property_test, types_matching

MatchedObject = tuple[ObjectState, int]  # a related object and how many of the conditions it meets


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
    """Finds what may meet a component, or be cut into what does; counts conditions (spec 3.5)."""

    def __init__(self, atomic: AtomicComponent, memo_index: int) -> None:
        """Compile the conditions; `memo_index` is where a check remembers the matches."""
        wanted = atomic.primary_value
        self.memo_index = memo_index
        self.condition_count = len(atomic.conditions)
        is_typed = atomic.primary_property == "objectType"
        self.whole_food_type = whole_food_of(wanted) if is_typed else None
        self.other_tests = tuple(
            compile_property_test(name, want)
            for name, want in atomic.conditions
            if name != atomic.primary_property
        )
        self.select = _make_selector(atomic, self.whole_food_type)

    def matches(self, context: CheckContext) -> list[MatchedObject]:
        """Return the related objects in snapshot order, and how many conditions each meets."""
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


def _make_selector(atomic: AtomicComponent, base: str | None) -> ObjectSelector:
    wanted = atomic.primary_value
    primary = compile_property_test(atomic.primary_property, wanted)
    if atomic.primary_property == "objectType":
        return _select_types((*types_matching(wanted), *([] if base is None else [base])))
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


class AtomicNode:
    """A component of conditions, which `needed_count` objects or all its objects must meet."""

    def __init__(
        self, atomic: AtomicComponent, times: int, matcher: ComponentMatcher, memo_index: int
    ) -> None:
        """Compile a component wanted `times` times; checks keep its outcome at `memo_index`."""
        self.atomic = atomic
        self.matcher = matcher
        self.memo_index = memo_index
        self.wants_all = atomic.determiner == "all"
        self.needed_count = 1 if atomic.is_shareable else times
        self.slices_from_whole = atomic.primary_value in SLICE_TYPES

    def check(self, context: CheckContext) -> progress.AtomicOutcome:
        """Return the outcome; it is found once for each check."""
        outcome = context.outcomes.get(self.memo_index)
        if outcome is None:
            rows = self.matcher.matches(context)
            outcome = self._check_all(rows) if self.wants_all else self._check_some(rows, context)
            context.outcomes[self.memo_index] = outcome
        return outcome

    def _check_some(
        self, matches: list[MatchedObject], context: CheckContext
    ) -> progress.AtomicOutcome:
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
            # By conditions met, then by distance; equal candidates stay in the snapshot's order.
            origin = context.origin
            if origin is None:
                candidates.sort(key=lambda row: -row[1])
            else:
                candidates.sort(key=lambda row: (-row[1], dist(row[0].position, origin)))
        found = len(satisfied)
        problems = candidates[: wanted - found] if wanted > found else []
        met = conditions * (found if found < need else need)
        for _, count in problems:
            met += count
        objects, total = [obj for obj, _ in candidates], conditions * need
        return progress.AtomicOutcome(
            self.atomic, found >= need, total, met, satisfied, objects, len(problems)
        )

    def _check_all(self, matches: list[MatchedObject]) -> progress.AtomicOutcome:
        conditions = self.matcher.condition_count
        primary_only = [row for row in matches if row[0].objectType != self.matcher.whole_food_type]
        satisfied = [obj for obj, count in primary_only if count == conditions]
        problems = [obj for obj, count in primary_only if count != conditions]
        met, total = sum(count for _, count in primary_only), conditions * len(primary_only)
        return progress.AtomicOutcome(
            self.atomic, not problems, total, met, satisfied, problems, len(problems)
        )


class TaskNode:
    """A task: its components, then its relations."""

    def __init__(self, definition: TaskDefinition, memo_index: int) -> None:
        """Make an empty node; `compile_check_tree` adds components and relations."""
        self.definition = definition
        self.memo_index = memo_index
        self.component_nodes: list[tuple[str, Determiner, ComponentNode]] = []
        self.relations: list[relations.RelationNode] = []

    def check(self, context: CheckContext) -> progress.TaskOutcome:
        """Return the outcome; it is found once for each check."""
        outcome = context.outcomes.get(self.memo_index)
        if outcome is None:
            outcome = context.outcomes[self.memo_index] = self._check(context)
        return outcome

    def _check(self, context: CheckContext) -> progress.TaskOutcome:
        subgoals: list[tuple[Determiner, progress.ComponentOutcome | progress.RelationOutcome]] = []
        by_key: dict[str, progress.ComponentOutcome] = {}
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
        return progress.TaskOutcome(self.definition, success, total, met, subgoals, anchor_outcome)


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
                    if times * count > files.MAX_NEEDED_OBJECTS:
                        why = f"asks for more than {files.MAX_NEEDED_OBJECTS} of {name!r}"
                        raise errors.ParameterError(why, where=f"task {definition.name!r}")
                    part = self.component_node(component, times * count, definition)
                    node.component_nodes.append((name, component.determiner, part))
            for relation in definition.relations:
                for _, determiner in relation.heads:
                    determiner_count(determiner, definition)  # rejects what is no number
                node.relations.append(relations.RelationNode(relation, times))
        return node

    def component_node(self, part: Component, times: int, owner: TaskDefinition) -> ComponentNode:
        if isinstance(part, AtomicComponent):
            return self.atomic_node(part, times)
        if part.determiner == "all":
            why = "'all' cannot be asked of a part that is a task"
            raise errors.ParameterError(why, where=f"task {owner.name!r}", fix="give a number")
        return self.task_node(part.task, times)

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
    """Return a determiner's number, 1 for "a" and "all"; ParameterError if it is none."""
    if determiner in ("a", "all"):
        return 1
    number = determiner if isinstance(determiner, int) else plain_text.whole_number(determiner)
    if number is None:
        why, fix = f"{determiner!r} is not a number", "a count is a whole number such as 2"
        raise errors.ParameterError(why, where=f"task {owner.name!r}", fix=fix)
    return number


def wanted_components(
    definition: TaskDefinition, times: int = 1
) -> Iterator[tuple[AtomicComponent, int]]:
    """Yield the wanted components of conditions, nested too, and how often; "all" is once."""
    for _, component in definition.components:
        count = determiner_count(component.determiner, definition)
        if count and isinstance(component, AtomicComponent):
            yield component, times * count
        elif count and not isinstance(component, AtomicComponent):
            yield from wanted_components(component.task, times * count)


def compile_check_tree(definition: TaskDefinition) -> TaskNode:
    """Return the check tree of an expanded definition; ParameterError for a number too high."""
    return _TreeCompiler().task_node(definition, 1)
