"""Checks relations: each head in or on any tail, or with "the" all in one tail (spec 3.7)."""

from collections.abc import Mapping, Sequence

from tatc.home.state import ObjectState, Snapshot
from tatc.tdl import definition, properties
from tatc.tdl.progress import AtomicOutcome, ComponentOutcome, RelationOutcome, RelationProblem

RelationHeads = list[tuple[definition.Determiner, Sequence[ObjectState], Sequence[tuple[str, ...]]]]
"""For each head: how many are wanted, its objects, and the receptacles of each object."""


class TailMatch:
    """How far one tail object holds the heads that it should, and which are missing."""

    __slots__ = ("met", "problems", "satisfied_head_count", "success", "tail_object")

    def __init__(self, tail_object: ObjectState, heads: RelationHeads) -> None:
        """Count the heads in `tail_object`, as for a task that is wanted once."""
        self.tail_object = tail_object
        self.satisfied_head_count = 0
        self.met = 0
        self.problems: list[RelationProblem] = []
        tail = tail_object.objectId
        for determiner, objects, parents in heads:
            outside = [head for head, ids in zip(objects, parents, strict=True) if tail not in ids]
            inside = len(objects) - len(outside)
            need = len(objects) if determiner == "all" else _head_count(determiner)
            if inside >= need:
                self.satisfied_head_count += 1
                self.met += need
                continue
            self.met += inside
            wrong, kind = outside[: need - inside], tail_object.objectType
            self.problems.append(RelationProblem(determiner, wrong, kind, (tail,)))
        self.success = not self.problems

    def ranks_before(self, other: "TailMatch") -> bool:
        """Return whether this unsatisfied tail ranks before another unsatisfied one."""
        return other.satisfied_head_count < self.satisfied_head_count or other.met < self.met


class RelationNode:
    """A relation wanted `times` times: heads in any tail ("a"), or all in one ("the"; spec 3.7)."""

    __slots__ = ("heads", "needs_one_tail", "relation", "tail", "times")

    def __init__(self, relation: definition.Relation, times: int) -> None:
        """Keep the heads of which at least one is wanted; `times` is how often the task is."""
        self.relation = relation
        self.times = times
        self.tail = relation.tail
        self.needs_one_tail = relation.tail_determiner == "the"
        self.heads = [
            (key, determiner)
            for key, determiner in relation.heads
            if determiner == "all" or _head_count(determiner)
        ]

    def check(
        self, outcomes_by_key: Mapping[str, ComponentOutcome], snapshot: Snapshot
    ) -> RelationOutcome:
        """Return the relation's outcome for the objects found for each component."""
        tails = self._objects_of(self.tail, outcomes_by_key)
        heads: RelationHeads = []
        total = 0
        for key, determiner in self.heads:
            objects = self._objects_of(key, outcomes_by_key)
            number = len(objects) if determiner == "all" else _head_count(determiner)
            total += self.times * number
            if tails:
                parents = [properties.parent_receptacles_of(obj, snapshot) for obj in objects]
                heads.append((determiner, objects, parents))
        if not tails:
            return RelationOutcome(self.relation, False, total, 0, has_tails=False)
        if self.needs_one_tail:
            return self._check_same_tail(heads, tails, total)
        return self._check_any_tail(heads, tails, total)

    def _objects_of(
        self, key: str, outcomes_by_key: Mapping[str, ComponentOutcome]
    ) -> Sequence[ObjectState]:
        """Return the objects of a component that count, () if the component is not wanted."""
        outcome = outcomes_by_key.get(key)
        if outcome is None:
            return ()
        if self.relation.is_same and isinstance(outcome, AtomicOutcome):
            return outcome.satisfied
        return outcome.heads

    def _check_any_tail(
        self, heads: RelationHeads, tails: Sequence[ObjectState], total: int
    ) -> RelationOutcome:
        targets = tuple(tail.objectId for tail in tails)
        ids = frozenset(targets)
        some = tails[0].objectType
        met = 0
        problems: list[RelationProblem] = []
        successful_heads: list[ObjectState] = []
        first_inside: ObjectState | None = None
        for determiner, objects, parents in heads:
            outside: list[ObjectState] = []
            for obj, parent_ids in zip(objects, parents, strict=True):
                if ids.isdisjoint(parent_ids):
                    outside.append(obj)
                elif first_inside is None:
                    first_inside = obj
            inside = len(objects) - len(outside)
            met += inside
            every = determiner == "all"
            need = len(objects) if every else self.times * _head_count(determiner)
            if inside < need:
                wrong = outside[: need - inside]
                problems.append(RelationProblem(determiner, wrong, some, targets))
            elif every and objects:
                successful_heads.append(objects[0])
        if not problems and not successful_heads and first_inside is not None:
            successful_heads.append(first_inside)
        return RelationOutcome(self.relation, not problems, total, met, problems, successful_heads)

    def _check_same_tail(
        self, heads: RelationHeads, tails: Sequence[ObjectState], total: int
    ) -> RelationOutcome:
        satisfied = met = 0
        ranked: list[TailMatch] = []
        for obj in tails:
            tail = TailMatch(obj, heads)
            if tail.success:
                satisfied += 1
                met += tail.met
                if satisfied >= self.times:
                    ranked.clear()
                    break
            else:
                worse = (i for i, other in enumerate(ranked) if tail.ranks_before(other))
                ranked.insert(next(worse, len(ranked)), tail)
            del ranked[max(0, self.times - satisfied) :]
        for tail in ranked:
            met += tail.met
        problems = [each for tail in ranked for each in tail.problems]
        return RelationOutcome(self.relation, satisfied >= self.times, total, met, problems)


def _head_count(determiner: definition.Determiner) -> int:
    return 1 if determiner == "a" else int(determiner)
