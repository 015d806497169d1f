"""From what a check found to subgoals: steps, problem keys, representatives."""

from collections.abc import Iterable
from itertools import islice

from tatc.state import ObjectState, Snapshot
from tatc.tdl.definition import Atomic, Determiner, Want
from tatc.tdl.outcome import AtomicOutcome, RelationOutcome, TaskOutcome
from tatc.tdl.progress import ProblemKey, Step, Subgoal
from tatc.tdl.properties import compile_test


def subgoals_of(outcome: TaskOutcome, snapshot: Snapshot) -> tuple[Subgoal, ...]:
    """Return a task's subgoals in order."""
    return tuple(
        _subgoal(determiner, inner, snapshot) for determiner, inner in outcome.subgoals
    )


def _subgoal(
    determiner: Determiner,
    outcome: AtomicOutcome | RelationOutcome | TaskOutcome,
    snapshot: Snapshot,
) -> Subgoal:
    if isinstance(outcome, AtomicOutcome):
        return _of_component(outcome, snapshot)
    if isinstance(outcome, RelationOutcome):
        return _of_relation(outcome)
    return _of_task(determiner, outcome, snapshot)


def _of_component(outcome: AtomicOutcome, snapshot: Snapshot) -> Subgoal:
    problems = list(islice(outcome.candidates, outcome.problems))
    steps: list[Step] = []
    for name, text in outcome.atomic.failure_texts:
        failing = [
            Step(False, thing.objectId, thing.objectType, text)
            for thing in problems
            if not _holds(outcome.atomic, name, thing, snapshot)
        ]
        steps.extend(failing or _praise(_shown(outcome), text))
    keys = tuple(
        ProblemKey(
            thing.objectId, thing.objectType, outcome.atomic.determiner, name, want
        )
        for thing in problems
        for name, want in outcome.atomic.conditions
        if not compile_test(name, want)(thing, snapshot)
    )
    return Subgoal(outcome.success, outcome.total, outcome.met, tuple(steps), keys)


def _holds(atomic: Atomic, name: str, thing: ObjectState, snapshot: Snapshot) -> bool:
    want: Want = dict(atomic.conditions)[name]
    return bool(compile_test(name, want)(thing, snapshot))


def _shown(outcome: AtomicOutcome) -> Iterable[ObjectState]:
    """Return the object that stands for a condition nobody fails, if there is one."""
    if outcome.satisfied:
        return outcome.satisfied[:1]
    return () if outcome.atomic.determiner == "all" else outcome.candidates[:1]


def _praise(things: Iterable[ObjectState], text: str) -> list[Step]:
    return [Step(True, thing.objectId, thing.objectType, text) for thing in things]


def _of_relation(outcome: RelationOutcome) -> Subgoal:
    text = outcome.relation.failure_text
    steps = _praise(outcome.praised, text)
    keys: list[ProblemKey] = []
    for complaint in outcome.complaints:
        for head in complaint.heads:
            steps.append(Step(False, head.objectId, head.objectType, text))
            keys.append(
                ProblemKey(
                    head.objectId,
                    head.objectType,
                    complaint.determiner,
                    "parentReceptacles",
                    complaint.desired,
                    complaint.targets,
                )
            )
    return Subgoal(
        outcome.success,
        outcome.total,
        outcome.met,
        tuple(steps),
        tuple(keys),
        no_tail=not outcome.tails,
    )


def _of_task(
    determiner: Determiner, outcome: TaskOutcome, snapshot: Snapshot
) -> Subgoal:
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
        _representative(outcome, steps),
        tuple(subgoal.success for subgoal in inner),
    )


def _representative(outcome: TaskOutcome, steps: list[Step]) -> str:
    """Return the id of the object that stands for a task, or an empty text."""
    if not outcome.success and outcome.candidates:
        return outcome.candidates[0].objectId
    things = outcome.satisfied or outcome.candidates
    if things:
        return things[0].objectId
    if steps:
        return next((step for step in steps if step.success), steps[-1]).object_id
    return ""
