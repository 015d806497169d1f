"""What a person types into the debugger: words in, what came of them out.

pickup mug   place 0.5 0.6   turn left   act as the Follower
follower: I am here.                     speak as the Follower
commander: TurnLeft Forward              speak as the Commander
check                                    check the progress
to 40        until failed                run to there
break failed   off 1   delete 1          breakpoints
find mug     since 12                    objects; changes
fork         reload                      as F and x do
png FILE     save FILE                   the view, a record
case test_it.py                          a test for pytest
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tatc.actions import INTERACTIONS, MOTIONS, Action, Click, Role, Verb
from tatc.debugger.breakpoints import Breakpoint, read_breakpoint
from tatc.debugger.cases import write_case
from tatc.debugger.control import Debugger
from tatc.debugger.sight import Sight
from tatc.errors import BadInput, UnknownName

PICTURE = 900
"""Pixels along the sides of a picture that is written."""

_VERBS = {verb.value.lower().replace(" ", ""): verb for verb in MOTIONS + INTERACTIONS}
_SPEAKERS = {"follower:": Role.FOLLOWER, "commander:": Role.COMMANDER}
_FIX = "? shows what can be typed"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of it; `run_until` asks for a run, `find` for a search of objects."""

    told: str = ""
    run_until: Breakpoint | None = None
    find: str | None = None


class Prompt:
    """Obeys what is typed."""

    def __init__(self, debugger: Debugger, sight: Sight) -> None:
        """Obey for this debugger; `sight` finds what is clicked on."""
        self._debugger, self._sight = debugger, sight
        self._words: dict[str, Callable[[str], Reply]] = {
            "to": self._to,
            "until": self._until,
            "break": self._break,
            "off": self._off,
            "on": self._off,
            "delete": self._delete,
            "find": lambda rest: Reply(find=rest),
            "since": self._since,
            "check": self._check,
            "fork": lambda rest: Reply(debugger.fork()),
            "reload": lambda rest: Reply(debugger.reload()),
            "png": self._png,
            "save": self._save,
            "case": self._case,
        }

    def obey(self, line: str) -> Reply:
        """Do what a line says.

        Raises:
            BadInput: it says nothing that can be done here.
            OutputError: a file cannot be written.

        """
        line = line.strip()
        word, _, rest = line.partition(" ")
        for name, role in _SPEAKERS.items():
            if line.lower().startswith(name):
                return self._speak(role, line[len(name) :].strip())
        if word.lower() in self._words:
            return self._words[word.lower()](rest.strip())
        verb, rest = _verb(line)
        if verb is None:
            known = (*self._words, *_VERBS, *_SPEAKERS)
            raise UnknownName("word", word, known, fix=_FIX)
        return self._act(verb, rest)

    def _act(self, verb: Verb, rest: str) -> Reply:
        click = None
        if verb in INTERACTIONS:
            click = _point(rest)
            if click is None:
                if not rest:
                    raise BadInput(
                        f"{verb} what?", fix=f"{verb} Mug, or {verb} 0.5 0.5"
                    )
                snapshot = self._debugger.moment.snapshot
                click = self._sight.click(snapshot, verb, rest.replace(" ", ""))
        elif rest:
            raise BadInput(f"{verb} takes nothing more", fix="one action a line")
        told = self._debugger.by_hand(Role.FOLLOWER, Action(verb, click))
        moment = self._debugger.moment
        came = "done" if not moment.failed else _refusal(moment.result)
        return Reply(". ".join(each for each in (told, f"{verb}: {came}") if each))

    def _speak(self, role: Role, words: str) -> Reply:
        if not words:
            raise BadInput("there is nothing to say", fix="commander: TurnLeft")
        return Reply(self._debugger.by_hand(role, Action(Verb.TEXT, text=words)))

    def _check(self, rest: str) -> Reply:
        check = Action(Verb.OPEN_PROGRESS_CHECK)
        return Reply(self._debugger.by_hand(Role.COMMANDER, check))

    def _to(self, rest: str) -> Reply:
        return Reply(self._debugger.jump(_whole(rest, "to 40")).why)

    def _until(self, rest: str) -> Reply:
        return Reply(run_until=read_breakpoint(rest))

    def _break(self, rest: str) -> Reply:
        made = self._debugger.breakpoints.add(rest)
        return Reply(f"breakpoint: {made.text}")

    def _off(self, rest: str) -> Reply:
        changed = self._debugger.breakpoints.switch(_whole(rest, "off 1"))
        return Reply(f"{'on' if changed.on else 'off'}: {changed.text}")

    def _delete(self, rest: str) -> Reply:
        gone = self._debugger.breakpoints.remove(_whole(rest, "delete 1"))
        return Reply(f"deleted: {gone.text}")

    def _since(self, rest: str) -> Reply:
        index = _whole(rest, "since 12")
        if index > self._debugger.branch.last:
            last = self._debugger.branch.last
            raise BadInput(f"there are {last} steps so far", fix="since 12")
        self._debugger.since = index
        return Reply(f"changes since step {index}")

    def _png(self, rest: str) -> Reply:
        at = self._debugger.at
        path = Path(rest or f"step-{at}.png")
        write_png(self._sight, self._debugger, path)
        return Reply(f"the Follower's view at step {at}: {path}")

    def _save(self, rest: str) -> Reply:
        path = _path(rest, "save fork.game.json")
        self._debugger.save(path)
        return Reply(f"record: {path}")

    def _case(self, rest: str) -> Reply:
        path = _path(rest, "case test_fork.py")
        write_case(self._debugger, path)
        return Reply(f"test: {path} (pytest {path})")


def write_png(sight: Sight, debugger: Debugger, path: Path) -> None:
    """Write the Follower's view as a picture; one of the same name is replaced.

    Raises:
        OutputError: it cannot be written.

    """
    from io import BytesIO

    from PIL import Image

    from tatc.atomic import write_whole

    buffer = BytesIO()
    frame = sight.frame(debugger.moment.snapshot, PICTURE)
    Image.fromarray(frame).save(buffer, "PNG")
    write_whole(buffer.getvalue(), path, force=True)


def _verb(line: str) -> tuple[Verb | None, str]:
    """Return the verb that a line begins with, and the rest of the line."""
    words = line.split()
    for count in (2, 1):
        verb = _VERBS.get("".join(words[:count]).lower())
        if verb is not None:
            return verb, " ".join(words[count:])
    return None, line


def _point(text: str) -> Click | None:
    """Return the click that two fractions give, None where the text is no two."""
    try:
        x, y = map(float, text.split())
    except ValueError:
        return None
    if not (0 <= x <= 1 and 0 <= y <= 1):
        raise BadInput(f"{text} is outside the frame", fix="fractions from 0 to 1")
    return Click(x, y)


def _refusal(result: object) -> str:
    message = getattr(result, "message", "")
    return f"refused: {message}" if message else "refused"


def _whole(text: str, example: str) -> int:
    if not text.isdigit():
        raise BadInput(f"{text!r} is no number", fix=f"for example: {example}")
    return int(text)


def _path(text: str, example: str) -> Path:
    if not text:
        raise BadInput("where to?", fix=f"for example: {example}")
    return Path(text).expanduser()
