"""The outcomes of a progress check: plain objects that are quick to make.

`tatc.tdl.subgoals` turns them into subgoals with steps and problem keys, which most checks
never need.
"""

from collections.abc import Sequence

from tatc.state import ObjectState
from tatc.tdl.definition import AtomicComponent, DesiredValue, Determiner, Relation, TaskDefinition

_NO_OBJECTS: tuple[ObjectState, ...] = ()


class AtomicOutcome:
    """The outcome for a component of conditions.

    Satisfied objects meet all conditions, candidates only some.  The first `problem_count`
    candidates are those that still have to be changed.
    """

    __slots__ = (
        "atomic",
        "candidates",
        "is_subgoal",
        "met",
        "problem_count",
        "satisfied",
        "success",
        "total",
    )

    def __init__(
        self,
        atomic: AtomicComponent,
        success: bool,
        total: int,
        met: int,
        satisfied: Sequence[ObjectState],
        candidates: Sequence[ObjectState],
        problem_count: int,
    ) -> None:
        """Store the values, and decide whether the component becomes a subgoal.

        `total` and `met` count goal conditions.
        """
        self.atomic = atomic
        self.success = success
        self.total = total
        self.met = met
        self.satisfied = satisfied
        self.candidates = candidates
        self.problem_count = problem_count
        # An "all" that is met and has no step to show is left out of the subgoals (spec 3.3).
        self.is_subgoal = (
            atomic.determiner != "all" or not success or bool(atomic.failure_texts and satisfied)
        )

    @property
    def heads(self) -> Sequence[ObjectState]:
        """The objects that a relation considers."""
        return [*self.satisfied, *self.candidates]


class RelationProblem:
    """Heads of one component that are not where the relation wants them."""

    __slots__ = ("desired", "determiner", "heads", "targets")

    def __init__(
        self,
        determiner: Determiner,
        heads: Sequence[ObjectState],
        desired: DesiredValue,
        targets: tuple[str, ...],
    ) -> None:
        """Store the heads, the type of a wanted tail, and the ids of all tails that would do."""
        self.determiner = determiner
        self.heads = heads
        self.desired = desired
        self.targets = targets


class RelationOutcome:
    """The outcome for a relation: how many heads are in their tails, and which are not."""

    __slots__ = ("has_tails", "met", "problems", "relation", "success", "successful_heads", "total")

    def __init__(
        self,
        relation: Relation,
        success: bool,
        total: int,
        met: int,
        problems: Sequence[RelationProblem] = (),
        successful_heads: Sequence[ObjectState] = (),
        has_tails: bool = True,
    ) -> None:
        """Store the values.

        `total` and `met` count goal conditions; each of `successful_heads` gets a successful
        step.  `has_tails` is False if no object that could be the tail exists.
        """
        self.relation = relation
        self.success = success
        self.total = total
        self.met = met
        self.problems = problems
        self.successful_heads = successful_heads
        self.has_tails = has_tails


class TaskOutcome:
    """The outcome for a task: those of its subgoals, with their determiners, and its anchor's."""

    __slots__ = ("anchor_outcome", "definition", "met", "subgoals", "success", "total")

    is_subgoal = True

    def __init__(
        self,
        definition: TaskDefinition,
        success: bool,
        total: int,
        met: int,
        subgoals: "Sequence[tuple[Determiner, ComponentOutcome | RelationOutcome]]",
        anchor_outcome: "ComponentOutcome | None",
    ) -> None:
        """Store the values; `total` and `met` are sums over the subgoals."""
        self.definition = definition
        self.success = success
        self.total = total
        self.met = met
        self.subgoals = subgoals
        self.anchor_outcome = anchor_outcome

    @property
    def satisfied(self) -> Sequence[ObjectState]:
        """The anchor's satisfied objects; empty without an anchor."""
        return _NO_OBJECTS if self.anchor_outcome is None else self.anchor_outcome.satisfied

    @property
    def candidates(self) -> Sequence[ObjectState]:
        """The anchor's candidates; empty without an anchor."""
        return _NO_OBJECTS if self.anchor_outcome is None else self.anchor_outcome.candidates

    @property
    def heads(self) -> Sequence[ObjectState]:
        """The objects that a relation considers: for a task, only the satisfied ones."""
        return self.satisfied


ComponentOutcome = AtomicOutcome | TaskOutcome
"""The outcome for a component of either kind."""
