"""The outcomes of a progress check, quick to make, and the subgoals that few checks need."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tatc.home.state import ObjectState, Snapshot
from tatc.tdl.definition import AtomicComponent, DesiredValue, Determiner, Relation, TaskDefinition
from tatc.tdl.progress import ProblemKey, Subgoal, SubgoalStep
from tatc.tdl.properties import compile_property_test


@dataclass(slots=True, eq=False)
class AtomicOutcome:
    """The outcome for a component: goal conditions, and the objects that meet all or some.

    The first `problem_count` candidates still have to be changed.
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
        """Whether it becomes a subgoal: not an "all" met without a step to show (spec 3.3)."""
        some = self.atomic.determiner != "all"
        return some or not self.success or bool(self.atomic.failure_texts and self.satisfied)

    @property
    def heads(self) -> Sequence[ObjectState]:
        """The objects that a relation considers."""
        return [*self.satisfied, *self.candidates]


@dataclass(slots=True, eq=False)
class RelationProblem:
    """Heads that are not where a relation wants them; `desired` is the type of one of `targets`."""

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
    """The outcome for a task: those of its subgoals with determiners and sums, and its anchor's."""

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
        return () if self.anchor_outcome is None else self.anchor_outcome.satisfied

    @property
    def candidates(self) -> Sequence[ObjectState]:
        """The anchor's candidates; empty without an anchor."""
        return () if self.anchor_outcome is None else self.anchor_outcome.candidates

    @property
    def heads(self) -> Sequence[ObjectState]:
        """The objects that a relation considers: for a task, only the satisfied ones."""
        return self.satisfied


ComponentOutcome = AtomicOutcome | TaskOutcome
"""The outcome for a component of either kind."""


def subgoals_of(outcome: TaskOutcome, snapshot: Snapshot) -> tuple[Subgoal, ...]:
    """Return the subgoals of a task's outcome, in order."""
    found: list[Subgoal] = []
    for determiner, inner in outcome.subgoals:
        if isinstance(inner, AtomicOutcome):
            found.append(_component_subgoal(inner, snapshot))
        elif isinstance(inner, RelationOutcome):
            found.append(_relation_subgoal(inner))
        else:
            found.append(_task_subgoal(determiner, inner, snapshot))
    return tuple(found)


def _component_subgoal(outcome: AtomicOutcome, snapshot: Snapshot) -> Subgoal:
    problems = outcome.candidates[: outcome.problem_count]
    # The object to show for a condition that no object fails, if there is one.
    examples = outcome.satisfied[:1]
    if not examples and outcome.atomic.determiner != "all":
        examples = outcome.candidates[:1]
    steps: list[SubgoalStep] = []
    wants = dict(outcome.atomic.conditions)
    for name, text in outcome.atomic.failure_texts:
        is_met = compile_property_test(name, wants[name])
        failing = [
            SubgoalStep(False, obj.objectId, obj.objectType, text)
            for obj in problems
            if not is_met(obj, snapshot)
        ]
        steps.extend(failing or _success_steps(examples, text))
    keys = tuple(
        ProblemKey(obj.objectId, obj.objectType, outcome.atomic.determiner, name, want)
        for obj in problems
        for name, want in outcome.atomic.conditions
        if not compile_property_test(name, want)(obj, snapshot)
    )
    return Subgoal(outcome.success, outcome.total, outcome.met, tuple(steps), keys)


def _success_steps(objects: Iterable[ObjectState], text: str) -> list[SubgoalStep]:
    return [SubgoalStep(True, obj.objectId, obj.objectType, text) for obj in objects]


def _relation_subgoal(outcome: RelationOutcome) -> Subgoal:
    text = outcome.relation.failure_text
    steps = _success_steps(outcome.successful_heads, text)
    keys: list[ProblemKey] = []
    for problem in outcome.problems:
        wanted = problem.determiner, "parentReceptacles", problem.desired, problem.targets
        for head in problem.heads:
            steps.append(SubgoalStep(False, head.objectId, head.objectType, text))
            keys.append(ProblemKey(head.objectId, head.objectType, *wanted))
    found = Subgoal(outcome.success, outcome.total, outcome.met, tuple(steps), tuple(keys))
    return found if outcome.has_tails else replace(found, has_no_tail=True)


def _task_subgoal(determiner: Determiner, outcome: TaskOutcome, snapshot: Snapshot) -> Subgoal:
    inner = subgoals_of(outcome, snapshot)
    steps = [step for subgoal in inner for step in subgoal.steps]
    text = outcome.definition.description
    return Subgoal(
        outcome.success,
        outcome.total,
        outcome.met,
        tuple(step for step in steps if not step.success),
        tuple(key for subgoal in inner for key in subgoal.problem_keys),
        text if determiner in ("a", "all") else f"{determiner} x {text}",
        _representative_object_id(outcome, steps),
        tuple(subgoal.success for subgoal in inner),
    )


def _representative_object_id(outcome: TaskOutcome, steps: list[SubgoalStep]) -> str:
    """Return the id of the object that stands for a task, or an empty string."""
    if not outcome.success and outcome.candidates:
        return outcome.candidates[0].objectId
    objects = outcome.satisfied or outcome.candidates
    if objects:
        return objects[0].objectId
    if steps:
        return next((step for step in steps if step.success), steps[-1]).object_id
    return ""
