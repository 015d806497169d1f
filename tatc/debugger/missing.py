"""What a task still lacks and why, in the task's own words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from tatc.debugger.naming import Names
from tatc.state import ABSENT, Snapshot
from tatc.tdl import ProblemKey, Progress, Subgoal


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the progress tree; `why` marks those that explain the one above."""

    depth: int
    met: bool
    text: str
    why: bool = False


def counted(progress: Progress) -> str:
    """Return how many goal conditions are met, as "3 of 6"."""
    total = progress.goal_conditions_total
    return f"{min(progress.goal_conditions_satisfied, total)} of {total}"


def tree(progress: Progress, snapshot: Snapshot) -> tuple[Line, ...]:
    """Return the progress tree: the task, its parts, what each lacks, and why."""
    names = Names(snapshot)
    top = f"{progress.description} {counted(progress)}"
    lines = [Line(0, progress.success, top)]
    for subgoal in progress.subgoals:
        lines.extend(_part(subgoal, snapshot, names))
    return tuple(lines)


def _part(subgoal: Subgoal, snapshot: Snapshot, names: Names) -> Iterator[Line]:
    head, depth = subgoal.description, 1
    if head:
        met = min(subgoal.goal_conditions_satisfied, subgoal.goal_conditions_total)
        count = f"{met} of {subgoal.goal_conditions_total}"
        yield Line(1, subgoal.success, f"{head} {count}")
        depth = 2
    if head and subgoal.success:
        return
    yield from _steps(subgoal, depth, snapshot, names)
    if not subgoal.success and not subgoal.steps and not head:
        yield Line(depth, False, "something that the task needs is not there")


def _steps(
    subgoal: Subgoal, depth: int, snapshot: Snapshot, names: Names
) -> Iterator[Line]:
    """Yield what a part asks for; after an object's last line, why it is not met."""
    steps = tuple(dict.fromkeys(subgoal.steps))
    last = {step.object_id: i for i, step in enumerate(steps) if not step.success}
    for i, step in enumerate(steps):
        yield Line(depth, step.success, f"{step.text} ({names.of(step.object_id)})")
        if last.get(step.object_id) == i:
            for key in dict.fromkeys(subgoal.problem_keys):
                if key.object_id == step.object_id:
                    yield Line(depth + 1, False, _why(key, snapshot, names), why=True)
    for key in dict.fromkeys(subgoal.problem_keys):
        if key.object_id not in last:
            yield Line(depth + 1, False, _why(key, snapshot, names), why=True)


def _why(key: ProblemKey, snapshot: Snapshot, names: Names) -> str:
    thing = names.of(key.object_id)
    if key.property_name == "parentReceptacles":
        now = snapshot.get(key.object_id)
        where = [names.of(each) for each in (now and now.parentReceptacles) or ()]
        there = [names.of(each) for each in key.targets] or [str(key.desired)]
        return f"{thing} is in {_listed(where)}, should be in {_listed(there)}"
    now = snapshot.get(key.object_id)
    value = getattr(now, key.property_name, ABSENT)
    wanted = told(key.desired)
    return f"{thing}.{key.property_name} is {told(value)}, should be {wanted}"


def told(value: object) -> str:
    """Return a property's value in words: yes, no, not set, or as it stands."""
    if value is ABSENT:
        return "not set"
    if value is None:
        return "nothing"
    if isinstance(value, tuple):
        return ", ".join(map(str, cast(tuple[object, ...], value))) or "nothing"
    if isinstance(value, bool) or value in (0, 1):
        return "yes" if value else "no"
    return str(value)


def _listed(names: list[str]) -> str:
    return " or ".join(names[:3]) or "nothing"
