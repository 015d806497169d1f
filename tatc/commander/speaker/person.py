"""The Commander `me`: a person who types what the Follower shall do, and may do so at any time."""

from typing import Protocol

from tatc.commander.oracle import CommanderView, Decision, Oracle
from tatc.home.actions import Action, Verb
from tatc.tdl import Task

CHECK_LINE = "?"
"""What a person types for a progress check."""
_MAX_EMPTY_LINES = 1000  # in a row, before the person counts as gone


class TypedLines(Protocol):
    """Where a person's lines come from."""

    def wait_for_line(self) -> str | None:
        """Return the next line, once there is one; None when no line will come any more."""
        ...

    def take_line(self) -> str | None:
        """Return a typed line, "" if there is none yet, None at the end; it may take a moment."""
        ...


class PersonCommander:
    """A Commander that says what a person types; the end of the lines ends the session."""

    def __init__(self, lines: TypedLines) -> None:
        """Take what to say from these lines."""
        self._lines = lines

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a new session; the person knows the task."""

    def act(self, view: CommanderView) -> Action:
        """Wait for what the person types, for it is their turn."""
        for _ in range(_MAX_EMPTY_LINES):
            line = self._lines.wait_for_line()
            if line is None:
                break
            if (action := _action_of(line)) is not None:
                return action
        return Action(Verb.STOP)

    def interject(self) -> Action | None:
        """Return what the person has typed meanwhile, None for nothing."""
        line = self._lines.take_line()
        return Action(Verb.STOP) if line is None else _action_of(line)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """None: a person gives no reasons."""
        return ()


def _action_of(line: str) -> Action | None:
    """Return what a line means, None for an empty one."""
    text = line.strip()
    if text == CHECK_LINE:
        return Action(Verb.OPEN_PROGRESS_CHECK)
    return Action(Verb.TEXT, text=text) if text else None
