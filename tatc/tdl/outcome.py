"""What a check found, before it is put into words: plain and quick to make.

`tatc.tdl.report` turns outcomes into subgoals with steps and problem keys, which most
checks never need.
"""

from collections.abc import Sequence

from tatc.state import ObjectState
from tatc.tdl.definition import Atomic, Determiner, Relation, TaskDefinition, Want

_NOTHING: tuple[ObjectState, ...] = ()


class AtomicOutcome:
    """A component's objects: satisfied, candidates, of which the first are problems."""

    __slots__ = (
        "atomic",
        "candidates",
        "counts",
        "met",
        "problems",
        "satisfied",
        "success",
        "total",
    )

    def __init__(
        self,
        atomic: Atomic,
        success: bool,
        total: int,
        met: int,
        satisfied: Sequence[ObjectState],
        candidates: Sequence[ObjectState],
        problems: int,
    ) -> None:
        """Keep the lists and whether the component becomes a subgoal at all."""
        self.atomic = atomic
        self.success = success
        self.total = total
        self.met = met
        self.satisfied = satisfied
        self.candidates = candidates
        self.problems = problems
        # An "all" that is met and has nothing to say leaves no trace (spec 3.3).
        self.counts = (
            atomic.determiner != "all"
            or not success
            or bool(atomic.failure_texts and satisfied)
        )

    @property
    def heads(self) -> Sequence[ObjectState]:
        """The objects that a relation looks at."""
        return [*self.satisfied, *self.candidates]


class Complaint:
    """Heads of one key that do not lie where they should."""

    __slots__ = ("desired", "determiner", "heads", "targets")

    def __init__(
        self,
        determiner: Determiner,
        heads: Sequence[ObjectState],
        desired: Want,
        targets: tuple[str, ...],
    ) -> None:
        """Keep the heads, the wanted type and the ids of tails that would do."""
        self.determiner = determiner
        self.heads = heads
        self.desired = desired
        self.targets = targets


class RelationOutcome:
    """How many heads lie in their tails, and which do not."""

    __slots__ = (
        "complaints",
        "met",
        "praised",
        "relation",
        "success",
        "tails",
        "total",
    )

    def __init__(
        self,
        relation: Relation,
        success: bool,
        total: int,
        met: int,
        complaints: Sequence[Complaint] = (),
        praised: Sequence[ObjectState] = (),
        tails: bool = True,
    ) -> None:
        """Keep the counts; `praised` are heads that earn a positive step."""
        self.relation = relation
        self.success = success
        self.total = total
        self.met = met
        self.complaints = complaints
        self.praised = praised
        self.tails = tails


class TaskOutcome:
    """A task's subgoals with their determiners, and its anchor's objects."""

    __slots__ = ("anchored", "definition", "met", "subgoals", "success", "total")

    counts = True

    def __init__(
        self,
        definition: TaskDefinition,
        success: bool,
        total: int,
        met: int,
        subgoals: "Sequence[tuple[Determiner, Outcome | RelationOutcome]]",
        anchored: "Outcome | None",
    ) -> None:
        """Keep the sums over the subgoals."""
        self.definition = definition
        self.success = success
        self.total = total
        self.met = met
        self.subgoals = subgoals
        self.anchored = anchored

    @property
    def satisfied(self) -> Sequence[ObjectState]:
        """The anchor's satisfied objects; none without an anchor."""
        return _NOTHING if self.anchored is None else self.anchored.satisfied

    @property
    def candidates(self) -> Sequence[ObjectState]:
        """The anchor's candidates; none without an anchor."""
        return _NOTHING if self.anchored is None else self.anchored.candidates

    @property
    def heads(self) -> Sequence[ObjectState]:
        """The objects that a relation looks at: a task's satisfied ones alone."""
        return self.satisfied


Outcome = AtomicOutcome | TaskOutcome
"""What a component's check found."""
