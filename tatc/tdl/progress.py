"""The result of a progress check, as TEACh's JSON (spec 3.8); subgoals are made when asked for."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tatc.home.state import ObjectState, Snapshot
from tatc.tdl.definition import AtomicComponent, DesiredValue, Determiner, Relation, TaskDefinition
from tatc.tdl.properties import compile_property_test


@dataclass(frozen=True, slots=True)
class SubgoalStep:
    """One line of a subgoal: an object, and whether it is as `text` asks."""

    success: bool
    object_id: str
    object_type: str
    text: str

    def to_json(self) -> dict[str, Any]:
        """Return TEACh's dictionary."""
        return {
            "success": int(self.success),
            "objectId": self.object_id,
            "objectType": self.object_type,
            "desc": self.text,
        }


@dataclass(frozen=True, slots=True)
class ProblemKey:
    """One property of one object that is not as the task wants it.

    `targets` are the ids of the receptacles that would do, for parentReceptacles only;
    TEACh's JSON has only the type of one of them, which is `desired`.
    """

    object_id: str
    object_type: str
    determiner: Determiner
    property_name: str
    desired: DesiredValue
    targets: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return TEACh's dictionary, without the object's id, which is its key there."""
        return {
            "objectType": self.object_type,
            "determiner": self.determiner,
            "property_name": self.property_name,
            "desired_property_value": self.desired,
        }


@dataclass(frozen=True, slots=True)
class Subgoal:
    """The progress of one part of a task: a component, a nested task, or a relation.

    Only nested tasks have `representative`, an object's id, and `step_successes`.
    `has_no_tail` marks a relation whose receptacle does not exist yet: TEACh then writes the
    problem keys as an empty list instead of an empty object.
    """

    success: bool
    goal_conditions_total: int
    goal_conditions_satisfied: int
    steps: tuple[SubgoalStep, ...] = ()
    problem_keys: tuple[ProblemKey, ...] = ()
    description: str = ""
    representative: str | None = None
    step_successes: tuple[bool, ...] = ()
    has_no_tail: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return TEACh's dictionary, its keys in TEACh's order."""
        head: dict[str, Any] = {}
        if self.representative is not None:
            head["representative_obj_id"] = self.representative
            head["step_successes"] = [int(success) for success in self.step_successes]
        keys: dict[str, list[dict[str, Any]]] = {}
        for key in self.problem_keys:
            keys.setdefault(key.object_id, []).append(key.to_json())
        return head | {
            "success": int(self.success),
            "description": self.description,
            "steps": [step.to_json() for step in self.steps],
            "problem_keys": [] if self.has_no_tail else keys,
            "goal_conditions_total": self.goal_conditions_total,
            "goal_conditions_satisfied": self.goal_conditions_satisfied,
        }


@dataclass(frozen=True, slots=True)
class Progress:
    """The result of a progress check.

    The counts are ready; `make_subgoals` makes the subgoals when they are asked for.
    `satisfied_objects` and `candidate_objects` are those of the task's anchor, None for a task
    without one.  `goal_conditions_satisfied` may exceed the total, as in TEACh (spec section 3.7).
    """

    success: bool
    goal_conditions_total: int
    goal_conditions_satisfied: int
    description: str
    satisfied_objects: tuple[ObjectState, ...] | None = field(repr=False)
    candidate_objects: tuple[ObjectState, ...] | None = field(repr=False)
    make_subgoals: Callable[[], tuple[Subgoal, ...]] = field(repr=False, compare=False)

    @property
    def subgoals(self) -> tuple[Subgoal, ...]:
        """The subgoals in the order of the task's components, then those of its relations."""
        return self.make_subgoals()

    def problem_keys(self) -> tuple[ProblemKey, ...]:
        """Return the problem keys of all subgoals in order, each once."""
        keys = (key for subgoal in self.subgoals for key in subgoal.problem_keys)
        return tuple(dict.fromkeys(keys))

    def to_json(self) -> dict[str, Any]:
        """Return the answer of TEACh's OpenProgressCheck."""
        return {
            "task_desc": self.description,
            "success": int(self.success),
            "subgoals": [subgoal.to_json() for subgoal in self.subgoals],
        }


@dataclass(slots=True, eq=False)
class AtomicOutcome:
    """The outcome for a component: its goal conditions, and objects that meet all or some of them.

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
        """Whether it becomes a subgoal: not an "all" that is met and has no step (spec 3.3)."""
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
    """The outcome for a task: its subgoals' outcomes with determiners, sums, and its anchor's."""

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
