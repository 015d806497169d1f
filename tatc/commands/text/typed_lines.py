"""The Commander `me`: what a person types while a session runs, at a prompt or from a pipe."""

import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext, suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import BinaryIO

from prompt_toolkit.application import Application, get_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Layout
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.widgets import TextArea

from tatc.commander.oracle import CommanderView, Decision, Oracle
from tatc.home.actions import Action, Verb
from tatc.session.loop import SECONDS_PER_ACTION
from tatc.tdl import Task

MAX_LINE_BYTES = 10_000  # a longer line from a pipe counts as several
PACE_SECONDS = SECONDS_PER_ACTION
"""What an action takes at least while a person watches: what it takes in records."""
_START_SECONDS = 10.0
_STOP_SECONDS = 5.0


class PipedLines:
    """Lines of a pipe or file, read in the Commander's turns: the same lines, the same session."""

    def __init__(self, stream: BinaryIO) -> None:
        """Read from a stream of bytes; what is no UTF-8 in it becomes U+FFFD."""
        self._stream = stream

    def wait_for_line(self) -> str | None:
        """Return the next line, None at the end."""
        line = self._stream.readline(MAX_LINE_BYTES)
        return line.decode("utf-8", "replace") if line else None

    def take_line(self) -> str | None:
        """Return "": a pipe never interrupts."""
        return ""


class PromptedLines:
    """Lines typed at a prompt below what is printed, in a thread from `start` to `stop`."""

    def __init__(self) -> None:
        """Make the prompt; it is not shown yet."""
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._is_shown = Event()
        self._field = TextArea(
            prompt="> ", multiline=False, accept_handler=self._accept, history=InMemoryHistory()
        )
        self._app: Application[None] = Application(
            Layout(self._field), key_bindings=self._keys(), erase_when_done=True
        )
        # A key typed while the terminal is not the prompt's would be lost: so nobody may type
        # before the prompt has been drawn, and what is printed above it leaves it the terminal.
        self._app.input.cooked_mode = nullcontext
        self._app.after_render.add_handler(lambda app: self._is_shown.set())
        self._thread = Thread(target=self._run, daemon=True)

    def wait_for_line(self) -> str | None:
        """Return the next line, once it is typed; None after Ctrl-D."""
        while True:
            # A wait without an end would miss a Ctrl-C that came just before it.
            with suppress(Empty):
                return self._lines.get(timeout=PACE_SECONDS)

    def take_line(self) -> str | None:
        """Return a typed line, "" for none, None after Ctrl-D; wait while one is being typed."""
        while True:
            try:
                return self._lines.get(timeout=PACE_SECONDS)
            except Empty:
                if not self._field.text:
                    return ""

    def start(self) -> None:
        """Show the prompt."""
        self._thread.start()
        self._is_shown.wait(_START_SECONDS)

    def stop(self) -> None:
        """Take the prompt away; the terminal is then as before."""
        loop = self._app.loop
        if loop is not None and self._thread.is_alive():
            loop.call_soon_threadsafe(self._exit)
        self._thread.join(_STOP_SECONDS)

    def _run(self) -> None:
        try:
            self._app.run()
        except KeyboardInterrupt:  # the prompt has taken the key from the terminal
            os.kill(os.getpid(), signal.SIGINT)

    def _accept(self, typed: Buffer) -> bool:
        """Take a line; return that the field is emptied."""
        self._lines.put(typed.text)
        return False

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-d")
        def _(event: KeyPressEvent) -> None:  # pyright: ignore[reportUnusedFunction]
            self._lines.put(None)
            self._exit()

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            self._app.exit(exception=KeyboardInterrupt())

        return keys

    def _exit(self) -> None:
        if self._app.future is not None and not self._app.future.done():
            self._app.exit()


TypedLines = PipedLines | PromptedLines  # where a person's lines come from


@contextmanager
def typed_lines() -> Generator[TypedLines]:
    """Yield what the person types: in a terminal at a prompt, below all that is printed."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield PipedLines(sys.stdin.buffer)
        return
    output = get_app_session().output
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False  # a prompt of one line need not know where it is
    with patch_stdout():
        lines = PromptedLines()
        lines.start()
        try:
            yield lines
        finally:
            lines.stop()


_MAX_EMPTY_LINES = 1000  # in a row, before the person counts as gone


class PersonCommander:
    """A Commander that says what a person types; the end of the lines ends the session."""

    decisions: tuple[Decision, ...] = ()  # a person gives no reasons

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


def _action_of(line: str) -> Action | None:
    text = line.strip()
    if text == "?":
        return Action(Verb.OPEN_PROGRESS_CHECK)
    return Action(Verb.TEXT, text=text) if text else None
