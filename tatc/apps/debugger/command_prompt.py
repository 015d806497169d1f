"""The debugger's command line: carries out a typed line (see `help.txt`), returns what to show."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from os.path import exists, expanduser  # unlike Path's, it bears a name that is too long
from pathlib import Path

from tatc.apps.debugger import breakpoints, follower_camera, pytest_cases, suspended_screen
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.suspended_screen import open_python_prompt, show_picture
from tatc.base.errors import BadInput, UnknownName
from tatc.base.files import write_atomically
from tatc.base.plain_text import whole_number
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Click, Role, Verb
from tatc.session.records import RecordedModelCall

_VERBS_BY_WORD = {
    verb.value.lower().replace(" ", ""): verb for verb in MOTION_VERBS + INTERACTION_VERBS
}
_ROLES_BY_PREFIX = {"follower:": Role.FOLLOWER, "commander:": Role.COMMANDER}
_GOAL_LINE_PATTERN = re.compile(r"(\d{1,3}):(.*)", re.DOTALL)
_USAGE = "? lists the commands"


@dataclass(frozen=True, slots=True)
class PromptReply:
    """What to show; `run_until` asks for a run, `object_search` for a list of objects.

    `on_terminal` takes the terminal for a while.
    """

    message: str = ""
    run_until: breakpoints.Breakpoint | None = None
    object_search: str | None = None
    on_terminal: Callable[[suspended_screen.Suspend], None] | None = None


class CommandPrompt:
    """Carries out typed lines."""

    def __init__(self, debugger: Debugger, camera: follower_camera.FollowerCamera) -> None:
        """Command this debugger; `camera` finds where to click on a named object."""
        self._debugger, self._camera = debugger, camera
        self._commands: dict[str, Callable[[str], PromptReply]] = {
            "to": lambda rest: PromptReply(debugger.go_to(_parse_number(rest, "to 40")).reason),
            "until": lambda rest: PromptReply(
                run_until=breakpoints.read_breakpoint(rest, debugger.known_policies)
            ),
            "break": self._add_breakpoint,
            "off": self._toggle_breakpoint,
            "on": self._toggle_breakpoint,
            "delete": self._delete_breakpoint,
            "find": lambda rest: PromptReply(object_search=rest),
            "since": self._compare_since,
            "check": lambda rest: PromptReply(
                debugger.act_by_hand(Role.COMMANDER, Action(Verb.OPEN_PROGRESS_CHECK))
            ),
            "goal": self._edit_goal,
            "model": self._show_model_calls,
            "message": self._edit_message,
            "fork": lambda rest: PromptReply(debugger.fork()),
            "reload": lambda rest: PromptReply(debugger.reload()),
            "python": lambda rest: PromptReply(
                on_terminal=partial(open_python_prompt, debugger.python_names(), debugger.at)
            ),
            "picture": lambda rest: PromptReply(
                on_terminal=partial(show_picture, partial(camera.frame, debugger.moment.snapshot))
            ),
            "png": self._save_view,
            "save": self._save_record,
            "case": self._save_pytest_case,
        }

    def execute(self, line: str) -> PromptReply:
        """Carry out a line."""
        line = line.strip()
        word, _, rest = line.partition(" ")
        for name, role in _ROLES_BY_PREFIX.items():
            if line.lower().startswith(name):
                return self._speak(role, line[len(name) :].strip())
        if word.lower() in self._commands:
            return self._commands[word.lower()](rest.strip())
        verb, rest = _split_verb(line)
        if verb is None:
            known = (*self._commands, *_VERBS_BY_WORD, *_ROLES_BY_PREFIX)
            raise UnknownName("word", word, known, fix=_USAGE)
        return self._act(verb, rest)

    def _act(self, verb: Verb, rest: str) -> PromptReply:
        click = None
        if verb in INTERACTION_VERBS:
            click = _parse_click(rest)
            if click is None:
                if not rest:
                    why = f"{verb} needs an object or a click"
                    raise BadInput(why, fix=f"{verb} Mug, or {verb} 0.5 0.5")
                click = self._camera.find_click(self._debugger.moment.snapshot, verb, rest)
        elif rest:
            raise BadInput(f"{verb} takes no object", fix="type one action per line")
        note = self._debugger.act_by_hand(Role.FOLLOWER, Action(verb, click))
        moment = self._debugger.moment
        why = f": {moment.result.message}" if moment.result and moment.result.message else ""
        came = f"refused{why}" if moment.failed else "done"
        return PromptReply(". ".join(each for each in (note, f"{verb}: {came}") if each))

    def _speak(self, role: Role, words: str) -> PromptReply:
        if not words:
            raise BadInput("there are no words to say", fix="for example: commander: TurnLeft")
        return PromptReply(self._debugger.act_by_hand(role, Action(Verb.TEXT, text=words)))

    def _add_breakpoint(self, rest: str) -> PromptReply:
        made = self._debugger.breakpoints.add(rest, self._debugger.known_policies)
        where = "all sessions" if made.is_global else "this session; `break global` is for all"
        return PromptReply(f"breakpoint: {made.text} ({where})")

    def _toggle_breakpoint(self, rest: str) -> PromptReply:
        changed = self._debugger.breakpoints.toggle(_parse_number(rest, "off 1"))
        return PromptReply(f"{'on' if changed.on else 'off'}: {changed.text}")

    def _delete_breakpoint(self, rest: str) -> PromptReply:
        gone = self._debugger.breakpoints.remove(_parse_number(rest, "delete 1"))
        return PromptReply(f"deleted: {gone.text}")

    def _compare_since(self, rest: str) -> PromptReply:
        index = _parse_number(rest, "since 12")
        if index > self._debugger.branch.last:
            last = self._debugger.branch.last
            why = f"the last step so far is {last}"
            raise BadInput(why, fix=f"since {last}, or an earlier step")
        self._debugger.since = index
        return PromptReply(f"showing changes since step {index}")

    def _edit_goal(self, rest: str) -> PromptReply:
        found = _GOAL_LINE_PATTERN.fullmatch(rest)
        if found is not None:
            return PromptReply(self._debugger.edit_goal(found[2].strip(), int(found[1])))
        if not rest:
            raise BadInput("there is no goal", fix="for example: goal make two cups of coffee")
        return PromptReply(self._debugger.edit_goal(rest))

    def _show_model_calls(self, rest: str) -> PromptReply:
        calls = self._debugger.model_calls
        if not calls:
            raise BadInput("no language model was asked at this step", fix="go to another step")
        return PromptReply("; ".join(map(_describe_call, calls)))

    def _edit_message(self, rest: str) -> PromptReply:
        if not rest:
            fix = "for example: message The mug is in the cabinet."
            raise BadInput("there is no message", fix=fix)
        return PromptReply(self._debugger.edit_message(rest))

    def _save_view(self, rest: str) -> PromptReply:
        from tatc.home.camera.views import encode_image

        debugger = self._debugger
        path = Path(rest or f"step-{debugger.at}.png")
        frame = self._camera.frame(debugger.moment.snapshot, suspended_screen.PICTURE_PIXELS)
        write_atomically(encode_image(frame, "PNG"), path, force=True)
        return PromptReply(f"the Follower's view at step {debugger.at}: {path}")

    def _save_record(self, rest: str) -> PromptReply:
        path = _parse_new_path(rest, "save fork.game.json")
        self._debugger.save(path)
        return PromptReply(f"record: {path}")

    def _save_pytest_case(self, rest: str) -> PromptReply:
        path = _parse_new_path(rest, "case test_fork.py")
        pytest_cases.write_pytest_case(self._debugger, path)
        at = self._debugger.at
        return PromptReply(f"test of the session up to step {at}: {path} (pytest {path})")


def _split_verb(line: str) -> tuple[Verb | None, str]:
    words = line.split()
    for count in (2, 1):
        verb = _VERBS_BY_WORD.get("".join(words[:count]).lower())
        if verb is not None:
            return verb, " ".join(words[count:])
    return None, line


def _parse_click(text: str) -> Click | None:
    try:
        x, y = map(float, text.split())
    except ValueError:
        return None
    if not (0 <= x <= 1 and 0 <= y <= 1):
        raise BadInput(f"{text} is outside the frame", fix="give fractions from 0 to 1")
    return Click(x, y)


def _describe_call(call: RecordedModelCall) -> str:
    """Return who was asked, and what came of it: "Follower (qwen3): go_to {"object": ...}"."""
    answer = call.why or f"{call.tool} {call.arguments}".strip() or call.text
    answer = f"asked {call.probe}: {answer}" if call.probe else answer
    return f"{call.role.name.title()} ({call.model}): {answer}"


def _parse_number(text: str, example: str) -> int:
    number = whole_number(text)
    if number is None:
        what = f"{text!r} is not a number" if text else "a number is missing"
        raise BadInput(what, fix=f"for example: {example}")
    return number


def _parse_new_path(text: str, example: str) -> Path:
    if not text:
        raise BadInput("a file name is missing", fix=f"for example: {example}")
    path = Path(expanduser(text))
    if exists(path):
        raise BadInput("there is a file already", where=str(path), fix="name another")
    return path
