"""What was said and done, line by line, around the moment that is looked at."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, islice
from textwrap import wrap

from tatc.actions import MOTIONS, Role, Verb
from tatc.debugger.missing import counted
from tatc.debugger.naming import Names
from tatc.timeline import Moment


class Tone(StrEnum):
    """What a line is about, and so how it looks."""

    COMMANDER = "commander"
    FOLLOWER = "follower"
    DEED = "deed"
    FAILED = "failed"
    CHECK = "check"
    START = "start"


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the story: the moment that it belongs to, and what it says."""

    index: int
    tone: Tone
    text: str


def told(moment: Moment, names: Names) -> Told:
    """Return a moment as a line of the story."""
    done = moment.interaction
    if done is None:
        return Told(moment.index, Tone.START, "the session begins")
    if moment.said is not None:
        tone = Tone.COMMANDER if done.role is Role.COMMANDER else Tone.FOLLOWER
        return Told(moment.index, tone, _marked(moment, names.shorten(done.text)))
    if done.verb is Verb.OPEN_PROGRESS_CHECK:
        text = f"progress check: {counted(moment.progress)}"
        return Told(moment.index, Tone.CHECK, _marked(moment, text))
    return Told(
        moment.index,
        Tone.FAILED if moment.failed else Tone.DEED,
        _marked(moment, names.shorten(_deed(moment))),
    )


def _deed(moment: Moment) -> str:
    done = moment.interaction
    assert done is not None
    who = "camera " if done.role is Role.COMMANDER and done.verb in MOTIONS else ""
    thing = f" {done.object_id}" if done.object_id else ""
    click = f" at {done.click.x:.2f} {done.click.y:.2f}" if done.click else ""
    words = f" {done.text}" if done.text else ""
    line = f"{who}{done.verb}{thing}{click}{words}"
    if moment.failed and moment.result is not None and moment.result.message:
        line += f": {moment.result.message}"
    return line


def _marked(moment: Moment, text: str) -> str:
    by_hand = "(by hand) " if moment.by_hand else ""
    return f"{by_hand}{text}" + (f" [{moment.departs}]" if moment.departs else "")


def window(
    moments: Sequence[Moment], at: int, width: int, height: int
) -> tuple[tuple[Told, bool], ...]:
    """Return the lines around a moment that fill so many rows, and which are its own.

    Long words are wrapped at the moment itself and cut elsewhere; motions that worked
    share a line.  What follows takes a third of the rows, if there is as much.
    """
    names = Names(moments[at].snapshot)
    here = [(line, True) for line in _lines(told(moments[at], names), width, most=6)]
    below, above = _following(moments, at, names), _preceding(moments, at, names)
    space = max(height - len(here), 0)
    after = _take(below, width, space // 3)
    before = _take(above, width, space - len(after))
    after += _take(below, width, space - len(before) - len(after))
    return (*reversed(before), *here[:height], *after)


def _take(lines: Iterator[Told], width: int, most: int) -> list[tuple[Told, bool]]:
    return [(_lines(line, width, 1)[0], False) for line in islice(lines, most)]


def _following(moments: Sequence[Moment], at: int, names: Names) -> Iterator[Told]:
    index = at + 1
    while index < len(moments):
        first = index
        while index + 1 < len(moments) and _walks(moments, index, index + 1):
            index += 1
        yield _together(moments, first, index, names)
        index += 1


def _preceding(moments: Sequence[Moment], at: int, names: Names) -> Iterator[Told]:
    index = at - 1
    while index >= 0:
        last = index
        while index > 0 and _walks(moments, index - 1, index):
            index -= 1
        yield _together(moments, index, last, names)
        index -= 1


def _walks(moments: Sequence[Moment], *indices: int) -> bool:
    """Whether all of these are motions that went as they should."""
    for moment in (moments[index] for index in indices):
        done = moment.interaction
        if done is None or done.verb not in MOTIONS or done.role is not Role.FOLLOWER:
            return False
        if moment.failed or moment.departs or moment.by_hand:
            return False
    return True


def _together(moments: Sequence[Moment], first: int, last: int, names: Names) -> Told:
    if first == last:
        return told(moments[first], names)
    verbs = [m.interaction.verb for m in moments[first : last + 1] if m.interaction]
    return Told(first, Tone.DEED, counted_verbs(verbs))


def counted_verbs(verbs: Iterable[Verb]) -> str:
    """Return verbs in a line, those that follow themselves counted: "Forward x3"."""
    runs = ((verb, len(list(same))) for verb, same in groupby(verbs))
    return ", ".join(f"{verb} x{n}" if n > 1 else str(verb) for verb, n in runs)


def _lines(line: Told, width: int, most: int) -> list[Told]:
    parts = wrap(line.text, max(width, 8), max_lines=most, placeholder=" …") or [""]
    return [Told(line.index, line.tone, part) for part in parts]
