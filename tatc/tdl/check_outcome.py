"""The outcomes of a progress check: plain objects that are quick to make.

`tatc.tdl.subgoals` turns them into subgoals with steps and problem keys, which most checks
never need.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.home.state import ObjectState
from tatc.tdl.definition import AtomicComponent, DesiredValue, Determiner, Relation, TaskDefinition

_NO_OBJECTS: tuple[ObjectState, ...] = ()


@dataclass(slots=True, eq=False)
class AtomicOutcome:
    """The outcome for a component of conditions.

    `total` and `met` count goal conditions.  Satisfied objects meet all conditions,
    candidates only some.  The first `problem_count` candidates are those that still have to
    be changed.
    """

    atomic: AtomicComponent
    success: bool
    total: int
    met: int
    satisfied: Sequence[ObjectState]
    candidates: Sequence[ObjectState]
    problem_count: int

    @property
    def is_subgoal(self) -> bool:
        """Whether the component becomes a subgoal.

        An "all" that is met and has no step to show does not (spec section 3.3).
        """
        some = self.atomic.determiner != "all"
        return some or not self.success or bool(self.atomic.failure_texts and self.satisfied)

    @property
    def heads(self) -> Sequence[ObjectState]:
        """The objects that a relation considers."""
        return [*self.satisfied, *self.candidates]


@dataclass(slots=True, eq=False)
class RelationProblem:
    """Heads of one component that are not where the relation wants them.

    `desired` is the type of a wanted tail, `targets` are the ids of all tails that would do.
    """

    determiner: Determiner
    heads: Sequence[ObjectState]
    desired: DesiredValue
    targets: tuple[str, ...]


@dataclass(slots=True, eq=False)
class RelationOutcome:
    """The outcome for a relation: how many heads are in their tails, and which are not.

    `total` and `met` count goal conditions; each of `successful_heads` gets a successful
    step.  `has_tails` is False if no object that could be the tail exists.
    """

    relation: Relation
    success: bool
    total: int
    met: int
    problems: Sequence[RelationProblem] = ()
    successful_heads: Sequence[ObjectState] = ()
    has_tails: bool = True


@dataclass(slots=True, eq=False)
class TaskOutcome:
    """The outcome for a task: those of its subgoals, with their determiners, and its anchor's.

    `total` and `met` are sums over the subgoals.
    """

    definition: TaskDefinition
    success: bool
    total: int
    met: int
    subgoals: "Sequence[tuple[Determiner, ComponentOutcome | RelationOutcome]]"
    anchor_outcome: "ComponentOutcome | None"

    is_subgoal = True

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
