"""What a check found, before it is put into words: plain and quick to make.

`tatc.tdl.subgoals` turns outcomes into subgoals with steps and problem keys, which most
checks never need.
"""

from collections.abc import Sequence

from tatc.state import ObjectState
from tatc.tdl.definition import AtomicComponent, DesiredValue, Determiner, Relation, TaskDefinition

_NO_OBJECTS: tuple[ObjectState, ...] = ()


class AtomicOutcome:
    """A component's objects: satisfied, candidates, of which the first are problems."""

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
        """Keep the lists and whether the component becomes a subgoal at all."""
        self.atomic = atomic
        self.success = success
        self.total = total
        self.met = met
        self.satisfied = satisfied
        self.candidates = candidates
        self.problem_count = problem_count
        # An "all" that is met and has nothing to say leaves no trace (spec 3.3).
        self.is_subgoal = (
            atomic.determiner != "all" or not success or bool(atomic.failure_texts and satisfied)
        )

    @property
    def heads(self) -> Sequence[ObjectState]:
        """The objects that a relation looks at."""
        return [*self.satisfied, *self.candidates]


class RelationProblem:
    """Heads of one key that do not lie where they should."""

    __slots__ = ("desired", "determiner", "heads", "targets")

    def __init__(
        self,
        determiner: Determiner,
        heads: Sequence[ObjectState],
        desired: DesiredValue,
        targets: tuple[str, ...],
    ) -> None:
        """Keep the heads, the wanted type and the ids of tails that would do."""
        self.determiner = determiner
        self.heads = heads
        self.desired = desired
        self.targets = targets


class RelationOutcome:
    """How many heads lie in their tails, and which do not."""

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
        """Keep the counts; `successful_heads` are heads that earn a positive step."""
        self.relation = relation
        self.success = success
        self.total = total
        self.met = met
        self.problems = problems
        self.successful_heads = successful_heads
        self.has_tails = has_tails


class TaskOutcome:
    """A task's subgoals with their determiners, and its anchor's objects."""

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
        """Keep the sums over the subgoals."""
        self.definition = definition
        self.success = success
        self.total = total
        self.met = met
        self.subgoals = subgoals
        self.anchor_outcome = anchor_outcome

    @property
    def satisfied(self) -> Sequence[ObjectState]:
        """The anchor's satisfied objects; none without an anchor."""
        return _NO_OBJECTS if self.anchor_outcome is None else self.anchor_outcome.satisfied

    @property
    def candidates(self) -> Sequence[ObjectState]:
        """The anchor's candidates; none without an anchor."""
        return _NO_OBJECTS if self.anchor_outcome is None else self.anchor_outcome.candidates

    @property
    def heads(self) -> Sequence[ObjectState]:
        """The objects that a relation looks at: a task's satisfied ones alone."""
        return self.satisfied


ComponentOutcome = AtomicOutcome | TaskOutcome
"""What a component's check found."""
