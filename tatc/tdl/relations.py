"""Relations: heads that must lie in tails (spec section 3.7).

With tail "a" each head may lie in any tail; with "the" one tail must hold them all.
"""

from collections.abc import Mapping, Sequence

from tatc.state import ObjectState, Snapshot
from tatc.tdl.definition import Determiner, Relation
from tatc.tdl.outcome import Complaint, Outcome, RelationOutcome
from tatc.tdl.properties import parents_of

Heads = list[tuple[Determiner, Sequence[ObjectState], Sequence[tuple[str, ...]]]]
"""For each head key: how many, its objects, and what each of these lies in."""


class Tail:
    """One tail object with the heads that lie in it, and those that should."""

    __slots__ = ("complaints", "heads_met", "met", "success", "thing")

    def __init__(self, thing: ObjectState, heads: Heads) -> None:
        """Count the heads in `thing`; a number is not multiplied by the task's."""
        self.thing = thing
        self.heads_met = 0
        self.met = 0
        self.complaints: list[Complaint] = []
        tail = thing.objectId
        for determiner, things, parents in heads:
            inside = 0
            for ids in parents:
                if tail in ids:
                    inside += 1
            need = len(things) if determiner == "all" else _number(determiner)
            if inside >= need:
                self.heads_met += 1
                self.met += need
                continue
            self.met += inside
            outside = [
                head
                for head, ids in zip(things, parents, strict=True)
                if tail not in ids
            ]
            self.complaints.append(
                Complaint(
                    determiner, outside[: need - inside], thing.objectType, (tail,)
                )
            )
        self.success = not self.complaints

    def beats(self, other: "Tail") -> bool:
        """Return whether this tail ranks before another unsatisfied one."""
        return other.heads_met < self.heads_met or other.met < self.met


class RelationNode:
    """A relation wanted `times` times."""

    __slots__ = ("heads", "relation", "single", "tail", "times")

    def __init__(self, relation: Relation, times: int) -> None:
        """Leave out heads of which none is wanted."""
        self.relation = relation
        self.times = times
        self.tail = relation.tail
        self.single = relation.tail_determiner == "the"
        self.heads = [
            (key, determiner)
            for key, determiner in relation.heads
            if determiner == "all" or _number(determiner)
        ]

    def check(
        self, found: Mapping[str, Outcome], snapshot: Snapshot
    ) -> RelationOutcome:
        """Return how the objects found for each component lie."""
        tails = found[self.tail].heads if self.tail in found else ()
        heads: Heads = []
        total = 0
        for key, determiner in self.heads:
            things = found[key].heads if key in found else ()
            number = len(things) if determiner == "all" else _number(determiner)
            total += self.times * number
            if tails:
                parents = [
                    thing.parentReceptacles
                    if thing.parentReceptacles is not None
                    else parents_of(thing, snapshot)
                    for thing in things
                ]
                heads.append((determiner, things, parents))
        if not tails:
            return RelationOutcome(self.relation, False, total, 0, tails=False)
        if self.single:
            return self._check_the(heads, tails, total)
        return self._check_a(heads, tails, total)

    def _check_a(
        self, heads: Heads, tails: Sequence[ObjectState], total: int
    ) -> RelationOutcome:
        targets = tuple(tail.objectId for tail in tails)
        ids = frozenset(targets)
        some = tails[0].objectType
        met = 0
        complaints: list[Complaint] = []
        praised: list[ObjectState] = []
        first_inside: ObjectState | None = None
        for determiner, things, parents in heads:
            outside: list[ObjectState] = []
            for thing, of_thing in zip(things, parents, strict=True):
                if ids.isdisjoint(of_thing):
                    outside.append(thing)
                elif first_inside is None:
                    first_inside = thing
            inside = len(things) - len(outside)
            met += inside
            every = determiner == "all"
            need = len(things) if every else self.times * _number(determiner)
            if inside < need:
                wrong = outside[: need - inside]
                complaints.append(Complaint(determiner, wrong, some, targets))
            elif every and things:
                praised.append(things[0])
        if not complaints and not praised and first_inside is not None:
            praised.append(first_inside)
        return RelationOutcome(
            self.relation, not complaints, total, met, complaints, praised
        )

    def _check_the(
        self, heads: Heads, tails: Sequence[ObjectState], total: int
    ) -> RelationOutcome:
        satisfied = met = 0
        ranked: list[Tail] = []
        for thing in tails:
            tail = Tail(thing, heads)
            if tail.success:
                satisfied += 1
                met += tail.met
                if satisfied >= self.times:
                    ranked.clear()
                    break
            else:
                place = next(
                    (i for i, other in enumerate(ranked) if tail.beats(other)),
                    len(ranked),
                )
                ranked.insert(place, tail)
            del ranked[max(0, self.times - satisfied) :]
        for tail in ranked:
            met += tail.met
        complaints = [each for tail in ranked for each in tail.complaints]
        return RelationOutcome(
            self.relation, satisfied >= self.times, total, met, complaints
        )


def _number(determiner: Determiner) -> int:
    return 1 if determiner == "a" else int(determiner)
