"""Breakpoints: conditions on what has just happened at which a run stops, one per line.

`docs/how-to/debug.md` lists the kinds.  Patterns are regular expressions; they may match anywhere
and ignore case.  In a file, `in SESSION: ` stands before one of a single session, and then `off `
before one that is switched off.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from os.path import exists  # unlike Path's, it bears a name that is too long
from pathlib import Path

from tatc.base.errors import BadInput, UnknownName
from tatc.base.files import BREAKPOINTS, decode_text, read_bytes, write_atomically
from tatc.base.plain_text import counted, is_encodable, whole_number
from tatc.home import actions, state
from tatc.session.records import RecordedDecision
from tatc.session.timeline import Moment, progress_change

BreakpointTest = Callable[[Moment, Moment], str]
"""Return why a run stops between two moments, "" if it does not."""

_OFF_PREFIX, _GLOBAL_PREFIX = "off ", "global "
_OTHER_SESSION = re.compile(r"in .+?: ")
_USAGE = "breakpoints: failed, says, goal, key, policy, skill, object, departs, step"
_PROPERTY_PATTERN = re.compile(r"(?P<object>\S+)\.(?P<name>\w+?)(?:\s*=\s*(?P<value>\S+))?")


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """One condition: its text, its test, whether it is on, and whether in all sessions."""

    text: str
    test: BreakpointTest
    on: bool = True
    is_global: bool = True


def read_breakpoint(line: str, policies: Collection[str] = ()) -> Breakpoint:
    """Return the breakpoint that a line describes; of `policies`, if given, it must match one."""
    text = " ".join(line.split())
    if not is_encodable(text):
        raise BadInput(f"{text!a} cannot be saved: it has half of a surrogate pair", fix=_USAGE)
    on = not text.startswith(_OFF_PREFIX)
    text = text.removeprefix(_OFF_PREFIX)
    kind, _, rest = text.partition(" ")
    maker = _TEST_MAKERS.get(kind)
    if maker is None:
        raise UnknownName("breakpoint", kind, _TEST_MAKERS, fix=_USAGE)
    found = Breakpoint(text, maker(rest), on)
    known = policies if kind == "policy" else ()
    if known and not any(map(_compile_pattern(rest, kind).search, known)):
        raise UnknownName("policy", rest, policies, fix=f"there are {', '.join(policies)}")
    return found


class Breakpoints:
    """The user's breakpoints of a session and of all, stored in a file if one is named."""

    def __init__(self, path: Path | None = None, session: str = "") -> None:
        """Read those of this session, and the global ones, if the file exists."""
        self._path, self._prefix = path, f"in {session}: " if session else ""
        self.all: tuple[Breakpoint, ...] = ()
        self._of_others: tuple[str, ...] = ()
        if path is not None and exists(path):
            self._read_file(path)

    def add(self, line: str, policies: Collection[str] = ()) -> Breakpoint:
        """Add a breakpoint, or switch it on; `global` before it is for all sessions."""
        text = line.strip()
        made = read_breakpoint(text.removeprefix(_GLOBAL_PREFIX), policies)
        made = replace(made, is_global=text.startswith(_GLOBAL_PREFIX) or not self._prefix)
        self._save((*(each for each in self.all if each.text != made.text), made))
        return made

    def toggle(self, number: int) -> Breakpoint:
        """Switch a breakpoint on or off; numbers count from 1."""
        old = self._by_number(number)
        new = replace(old, on=not old.on)
        self._save(tuple(new if each is old else each for each in self.all))
        return new

    def remove(self, number: int) -> Breakpoint:
        """Remove a breakpoint; numbers count from 1."""
        old = self._by_number(number)
        self._save(tuple(each for each in self.all if each is not old))
        return old

    def stop_reason(self, moments: Sequence[Moment], index: int) -> str:
        """Return which breakpoint stops a run at a moment, and why; "" if it goes on."""
        if index == 0:
            return ""
        for number, each in enumerate(self.all, 1):
            if each.on and (why := each.test(moments[index - 1], moments[index])):
                text = "" if why.replace(":", "") == each.text else f" ({each.text})"
                return f"breakpoint {number}{text}: {why}"
        return ""

    def _by_number(self, number: int) -> Breakpoint:
        if not 1 <= number <= len(self.all):
            have = f"there are {len(self.all)}" if self.all else "there are none"
            raise BadInput(f"no breakpoint {number}: {have}", fix="the breakpoints pane lists them")
        return self.all[number - 1]

    def _save(self, breakpoints: tuple[Breakpoint, ...]) -> None:
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lines = *self._of_others, *map(self._line_of, breakpoints)
            text = "".join(f"{line}\n" for line in lines)
            write_atomically(text.encode(), self._path, force=True)
        self.all = breakpoints

    def _line_of(self, each: Breakpoint) -> str:
        off = "" if each.on else _OFF_PREFIX
        return f"{'' if each.is_global else self._prefix}{off}{each.text}"

    def _read_file(self, path: Path) -> None:
        text = decode_text(read_bytes(path, BREAKPOINTS), str(path), BREAKPOINTS)
        for number, line in enumerate(text.splitlines(), 1):
            is_own = bool(self._prefix) and line.startswith(self._prefix)
            if not is_own and _OTHER_SESSION.match(line):
                self._of_others += (line,)
            elif line.strip():
                try:
                    found = read_breakpoint(line.removeprefix(self._prefix))
                except BadInput as fault:
                    where = f"{path}: line {number}"
                    raise BadInput(fault.what, where=where, fix=fault.fix) from fault
                self.all += (replace(found, is_global=not is_own),)


def _failure_test(rest: str) -> BreakpointTest:
    verbs = {verb.value.replace(" ", "").lower(): verb for verb in actions.Verb}
    wanted = verbs.get(rest.replace(" ", "").lower())
    if rest and wanted is None:
        names = [verb.value for verb in actions.Verb]
        raise UnknownName("action", rest, names, fix="failed, or failed Pickup")

    def test(before: Moment, after: Moment) -> str:
        done = after.interaction
        if done is None or not after.failed or wanted not in (None, done.verb):
            return ""
        why = after.result.message if after.result else ""
        return f"{done.verb} failed: {why}" if why else f"{done.verb} failed"

    return test


def _speech_test(rest: str) -> BreakpointTest:
    pattern = _compile_pattern(rest, "says")

    def test(before: Moment, after: Moment) -> str:
        said = after.utterance
        return f"said: {said}" if said is not None and pattern.search(said) else ""

    return test


def _goal_test(rest: str) -> BreakpointTest:
    if rest not in ("", "gained", "lost"):
        raise BadInput(f"a goal is gained or lost, not {rest!r}", fix="for example: goal gained")

    def test(before: Moment, after: Moment) -> str:
        change = progress_change(before, after)
        direction = "gained" if change > 0 else "lost"
        if not change or rest not in ("", direction):
            return ""
        return f"{counted(abs(change), 'goal condition')} {direction}"

    return test


def _problem_key_test(rest: str) -> BreakpointTest:
    pattern = _compile_pattern(rest, "key")

    def test(before: Moment, after: Moment) -> str:
        now = _new_decision(before, after)
        if now is None or now.problem_key is None:
            return ""
        object_id, kind, name, wanted = now.problem_key
        key = f"{kind} {name}"
        found = pattern.search(key) or pattern.search(object_id)
        return f"problem key: {key} should be {wanted}" if found else ""

    return test


def _decision_test(field: str) -> Callable[[str], BreakpointTest]:
    def make(rest: str) -> BreakpointTest:
        pattern = _compile_pattern(rest, field)

        def test(before: Moment, after: Moment) -> str:
            value: str = getattr(_new_decision(before, after), field, "")
            return f"{field}: {value}" if value and pattern.search(value) else ""

        return test

    return make


def _new_decision(before: Moment, after: Moment) -> RecordedDecision | None:
    return after.decision if after.decision is not before.decision else None


def _property_test(rest: str) -> BreakpointTest:
    match = _PROPERTY_PATTERN.fullmatch(rest)
    if match is None:
        raise BadInput(f"{rest!r} names no property", fix="for example: object Mug.isDirty")
    obj, name, value = match["object"], match["name"], match["value"]
    if name not in state.ObjectState.__dataclass_fields__:
        known = state.ObjectState.__dataclass_fields__
        raise UnknownName("property", name, known, fix="object Mug.isDirty")

    def test(before: Moment, after: Moment) -> str:
        for new in after.snapshot.objects:
            if obj not in (new.objectType, new.objectId):
                continue
            old = before.snapshot.get(new.objectId)
            if old is new or old is None:
                continue
            was, now = getattr(old, name), getattr(new, name)
            if was != now and value in (None, str(now)):
                return f"{new.objectId}: {name} {was} becomes {now}"
        return ""

    return test


def _step_test(rest: str) -> BreakpointTest:
    wanted = whole_number(rest)
    if wanted is None:
        raise BadInput(f"{rest!r} is not a step number", fix="for example: step 40")
    return lambda before, after: f"step {wanted}" if after.index == wanted else ""


def _compile_pattern(text: str, kind: str) -> re.Pattern[str]:
    if not text:
        raise BadInput(f"{kind} needs a pattern", fix=f"{kind} PATTERN")
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as fault:
        why = f"{text!r} is not a regular expression: {fault}"
        raise BadInput(why, fix="put a backslash before ( ) [ ] . * + ?") from fault


_TEST_MAKERS: dict[str, Callable[[str], BreakpointTest]] = {
    "failed": _failure_test,
    "says": _speech_test,
    "goal": _goal_test,
    "key": _problem_key_test,
    "policy": _decision_test("policy"),
    "skill": _decision_test("skill"),
    "object": _property_test,
    "departs": lambda rest: lambda before, after: after.divergence,
    "step": _step_test,
}
