"""The progress tree as lines: what a task still lacks, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from tatc.home.state import ABSENT, ShortNames, Snapshot
from tatc.tdl import ProblemKey, Progress, Subgoal


@dataclass(frozen=True, slots=True)
class ProgressLine:
    """One line of the progress tree; `is_reason` marks an explanation of the line above."""

    depth: int
    is_met: bool
    text: str
    is_reason: bool = False


def format_goal_count(progress: Progress) -> str:
    """Return how many goal conditions are met, as "3 of 6"."""
    total = progress.goal_conditions_total
    return f"{min(progress.goal_conditions_satisfied, total)} of {total}"


def progress_lines(progress: Progress, snapshot: Snapshot) -> tuple[ProgressLine, ...]:
    """Return the progress tree: the task, its subgoals, their steps, and why some are unmet."""
    names = ShortNames(snapshot)
    top = f"{progress.description} {format_goal_count(progress)}"
    lines = [ProgressLine(0, progress.success, top)]
    for subgoal in progress.subgoals:
        lines.extend(_subgoal_lines(subgoal, snapshot, names))
    return tuple(lines)


def _subgoal_lines(
    subgoal: Subgoal, snapshot: Snapshot, names: ShortNames
) -> Iterator[ProgressLine]:
    head, depth = subgoal.description, 1
    if head:
        met = min(subgoal.goal_conditions_satisfied, subgoal.goal_conditions_total)
        count = f"{met} of {subgoal.goal_conditions_total}"
        yield ProgressLine(1, subgoal.success, f"{head} {count}")
        depth = 2
    if head and subgoal.success:
        return
    yield from _step_lines(subgoal, depth, snapshot, names)
    if not subgoal.success and not subgoal.steps and not head:
        yield ProgressLine(depth, False, "an object that the task needs does not exist")


def _step_lines(
    subgoal: Subgoal, depth: int, snapshot: Snapshot, names: ShortNames
) -> Iterator[ProgressLine]:
    """Yield the steps of a subgoal; after an object's last unmet step, the reasons."""
    steps = tuple(dict.fromkeys(subgoal.steps))
    last = {step.object_id: i for i, step in enumerate(steps) if not step.success}
    keys = tuple(dict.fromkeys(subgoal.problem_keys))
    texts = [_explain_problem_key(key, snapshot, names) for key in keys]
    lines = [ProgressLine(depth + 1, False, text, is_reason=True) for text in texts]
    reasons = [(key.object_id, line) for key, line in zip(keys, lines, strict=True)]
    for i, step in enumerate(steps):
        yield ProgressLine(depth, step.success, f"{step.text} ({names.name_of(step.object_id)})")
        if last.get(step.object_id) == i:
            yield from (line for object_id, line in reasons if object_id == step.object_id)
    yield from (line for object_id, line in reasons if object_id not in last)


def _explain_problem_key(key: ProblemKey, snapshot: Snapshot, names: ShortNames) -> str:
    obj, now = names.name_of(key.object_id), snapshot.get(key.object_id)
    if key.property_name == "parentReceptacles":
        where = [names.name_of(each) for each in (now and now.parentReceptacles) or ()]
        there = [names.name_of(each) for each in key.targets] or [str(key.desired)]
        return f"{obj} is in {_join_alternatives(where)}, should be in {_join_alternatives(there)}"
    value = getattr(now, key.property_name, ABSENT)
    wanted = format_value(key.desired)
    return f"{obj}.{key.property_name} is {format_value(value)}, should be {wanted}"


def format_value(value: object) -> str:
    """Return a property's value in words: yes, no, not set, nothing, or the value itself."""
    if value is ABSENT:
        return "not set"
    if value is None:
        return "nothing"
    if isinstance(value, tuple):
        return ", ".join(map(str, cast(tuple[object, ...], value))) or "nothing"
    if isinstance(value, bool) or value in (0, 1):
        return "yes" if value else "no"
    return str(value)


def _join_alternatives(names: list[str]) -> str:
    return " or ".join(names[:3]) or "nothing"
