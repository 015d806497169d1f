"""What was said and done, as lines of text, around the current moment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from textwrap import wrap

from tatc.apps.debugger.progress_lines import format_goal_count
from tatc.home.actions import MOTION_VERBS, Role, Verb
from tatc.home.state import ShortNames
from tatc.session.timeline import Moment, format_verb_runs


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
        return DialogueLine(moment.index, kind, _with_notes(moment, names.shorten(done.text)))
    if done.verb is Verb.OPEN_PROGRESS_CHECK:
        text = f"progress check: {format_goal_count(moment.progress)}"
        return DialogueLine(moment.index, LineKind.CHECK, _with_notes(moment, text))
    return DialogueLine(
        moment.index,
        LineKind.FAILED if moment.failed else LineKind.ACTION,
        _with_notes(moment, names.shorten(_describe_action(moment))),
    )


def _describe_action(moment: Moment) -> str:
    done = moment.interaction
    assert done is not None
    who = "camera " if done.role is Role.COMMANDER and done.verb in MOTION_VERBS else ""
    obj = f" {done.object_id}" if done.object_id else ""
    click = f" at {done.click.x:.2f} {done.click.y:.2f}" if done.click else ""
    words = f" {done.text}" if done.text else ""
    line = f"{who}{done.verb}{obj}{click}{words}"
    if moment.failed and moment.result is not None and moment.result.message:
        line += f": {moment.result.message}"
    return line


def _with_notes(moment: Moment, text: str) -> str:
    by_hand = "(by hand) " if moment.by_hand else ""
    return f"{by_hand}{text}" + (f" [{moment.divergence}]" if moment.divergence else "")


def lines_around(
    moments: Sequence[Moment], at: int, width: int, height: int
) -> tuple[tuple[DialogueLine, bool], ...]:
    """Return the lines around a moment that fill `height` rows, and whether each is its own.

    Long lines are wrapped for the moment itself and cut for others; successful motions
    share a line.  Later moments get a third of the rows, if there are so many.
    """
    names = ShortNames(moments[at].snapshot)
    here = [
        (line, True) for line in _wrap_line(line_of_moment(moments[at], names), width, max_lines=6)
    ]
    below, above = _lines_after(moments, at, names), _lines_before(moments, at, names)
    space = max(height - len(here), 0)
    after = _take_lines(below, width, space // 3)
    before = _take_lines(above, width, space - len(after))
    after += _take_lines(below, width, space - len(before) - len(after))
    return (*reversed(before), *here[:height], *after)


def _take_lines(
    lines: Iterator[DialogueLine], width: int, limit: int
) -> list[tuple[DialogueLine, bool]]:
    return [(_wrap_line(line, width, 1)[0], False) for line in islice(lines, limit)]


def _lines_after(moments: Sequence[Moment], at: int, names: ShortNames) -> Iterator[DialogueLine]:
    index = at + 1
    while index < len(moments):
        first = index
        while index + 1 < len(moments) and _are_plain_motions(moments, index, index + 1):
            index += 1
        yield _merge_motions(moments, first, index, names)
        index += 1


def _lines_before(moments: Sequence[Moment], at: int, names: ShortNames) -> Iterator[DialogueLine]:
    index = at - 1
    while index >= 0:
        last = index
        while index > 0 and _are_plain_motions(moments, index - 1, index):
            index -= 1
        yield _merge_motions(moments, index, last, names)
        index -= 1


def _are_plain_motions(moments: Sequence[Moment], *indices: int) -> bool:
    """Whether all of these are successful motions of the Follower, as recorded."""
    for moment in (moments[index] for index in indices):
        done = moment.interaction
        if done is None or done.verb not in MOTION_VERBS or done.role is not Role.FOLLOWER:
            return False
        if moment.failed or moment.divergence or moment.by_hand:
            return False
    return True


def _merge_motions(
    moments: Sequence[Moment], first: int, last: int, names: ShortNames
) -> DialogueLine:
    if first == last:
        return line_of_moment(moments[first], names)
    verbs = [m.interaction.verb for m in moments[first : last + 1] if m.interaction]
    return DialogueLine(first, LineKind.ACTION, format_verb_runs(verbs))


def _wrap_line(line: DialogueLine, width: int, max_lines: int) -> list[DialogueLine]:
    parts = wrap(line.text, max(width, 8), max_lines=max_lines, placeholder=" …") or [""]
    return [DialogueLine(line.moment_index, line.kind, part) for part in parts]
