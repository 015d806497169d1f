"""What was said and done around a moment, and the progress tree, as lines of text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from textwrap import wrap
from typing import cast

from tatc.base.plain_text import printable
from tatc.home.actions import MOTION_VERBS, Role, Verb
from tatc.home.state import ABSENT, ShortNames, Snapshot
from tatc.session.records import Interaction
from tatc.session.timeline import Moment, format_verb_runs
from tatc.tdl import ProblemKey, Progress, Subgoal

Moments = Sequence[Moment]


class LineKind(StrEnum):
    """What a line is about, which decides how it looks."""

    COMMANDER = "commander"
    FOLLOWER = "follower"
    ACTION = "action"
    FAILED = "failed"
    CHECK = "check"
    START = "start"


@dataclass(frozen=True, slots=True)
class DialogueLine:
    """A line of the dialogue pane, and the moment that it belongs to."""

    moment_index: int
    kind: LineKind
    text: str


def line_of_moment(moment: Moment, names: ShortNames) -> DialogueLine:
    """Return a moment as one line."""
    done = moment.interaction
    if done is None:
        return DialogueLine(moment.index, LineKind.START, "the session starts")
    if moment.utterance is not None:
        kind = LineKind.COMMANDER if done.role is Role.COMMANDER else LineKind.FOLLOWER
        text = names.shorten(done.text)
    elif done.verb is Verb.OPEN_PROGRESS_CHECK:
        kind, text = LineKind.CHECK, f"progress check: {format_goal_count(moment.progress)}"
    else:
        kind = LineKind.FAILED if moment.failed else LineKind.ACTION
        text = names.shorten(_describe_action(moment, done))
    by_hand = "(by hand) " if moment.by_hand else ""
    note = f" [{moment.divergence}]" if moment.divergence else ""
    return DialogueLine(moment.index, kind, f"{by_hand}{text}{note}")


def _describe_action(moment: Moment, done: Interaction) -> str:
    who = "camera " if done.role is Role.COMMANDER and done.verb in MOTION_VERBS else ""
    obj = f" {done.object_id}" if done.object_id else ""
    click = f" at {done.click.x:.2f} {done.click.y:.2f}" if done.click else ""
    words = f" {done.text}" if done.text else ""
    line = f"{who}{done.verb}{obj}{click}{words}"
    if moment.failed and moment.result is not None and moment.result.message:
        line += f": {moment.result.message}"
    return line


def lines_around(
    moments: Moments, at: int, width: int, height: int
) -> tuple[tuple[DialogueLine, bool], ...]:
    """Return the lines around a moment that fill `height` rows, and whether each is its own.

    Long lines are wrapped for the moment itself and cut for others; successful motions
    share a line.  Later moments get a third of the rows, if there are so many.
    """
    names = ShortNames(moments[at].snapshot)
    own = line_of_moment(moments[at], names)
    here = [(line, True) for line in _wrap_line(own, width, max_lines=6)]
    below, above = _lines_from(moments, at, 1, names), _lines_from(moments, at, -1, names)
    space = max(height - len(here), 0)
    after = _take_lines(below, width, space // 3)
    before = _take_lines(above, width, space - len(after))
    after += _take_lines(below, width, space - len(before) - len(after))
    return (*reversed(before), *here[:height], *after)


def _take_lines(
    lines: Iterator[DialogueLine], width: int, limit: int
) -> list[tuple[DialogueLine, bool]]:
    return [(_wrap_line(line, width, 1)[0], False) for line in islice(lines, limit)]


def _lines_from(moments: Moments, at: int, by: int, names: ShortNames) -> Iterator[DialogueLine]:
    """Yield the lines behind a moment (`by` is 1) or before it (-1), the nearest first."""
    index, inside = at + by, range(len(moments))
    while index in inside:
        first = index
        while index + by in inside and _are_plain_motions(moments, index, index + by):
            index += by
        yield _merge_motions(moments, min(first, index), max(first, index), names)
        index += by


def _are_plain_motions(moments: Moments, *indices: int) -> bool:
    for moment in (moments[index] for index in indices):
        done = moment.interaction
        if done is None or done.verb not in MOTION_VERBS or done.role is not Role.FOLLOWER:
            return False
        if moment.failed or moment.divergence or moment.by_hand:
            return False
    return True


def _merge_motions(moments: Moments, first: int, last: int, names: ShortNames) -> DialogueLine:
    if first == last:
        return line_of_moment(moments[first], names)
    verbs = [m.interaction.verb for m in moments[first : last + 1] if m.interaction]
    return DialogueLine(first, LineKind.ACTION, format_verb_runs(verbs))


def _wrap_line(line: DialogueLine, width: int, max_lines: int) -> list[DialogueLine]:
    parts = wrap(printable(line.text), max(width, 8), max_lines=max_lines, placeholder=" …") or [""]
    return [DialogueLine(line.moment_index, line.kind, part) for part in parts]


@dataclass(frozen=True, slots=True)
class ProgressLine:
    """One line of the progress tree; `is_reason` marks an explanation of the line above."""

    depth: int
    is_met: bool
    text: str
    is_reason: bool = False


def format_goal_count(progress: Progress | Subgoal) -> str:
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
        yield ProgressLine(1, subgoal.success, f"{head} {format_goal_count(subgoal)}")
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
