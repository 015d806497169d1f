"""The debugger on a terminal: panes, keys, and one line to type into."""

from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.timer import Timer
from textual.widgets import Input, Static

from tatc.debugger import panes
from tatc.debugger.board import Board
from tatc.debugger.breakpoints import Breakpoint
from tatc.debugger.control import Debugger, Stop
from tatc.debugger.prompt import Prompt
from tatc.debugger.sight import Sight
from tatc.debugger.stepping import Unit
from tatc.debugger.timebar import timebar
from tatc.debugger.widgets import TABS, Help, Pane
from tatc.debugger.writing import DIM, WARM
from tatc.errors import TatcError

NARROW = 100
"""Columns below which one pane is shown at a time."""

_TICK = 0.03  # seconds between two pictures of a run
_AT_ONCE = 4  # actions between them
_FEW_HINTS = "n/b step  r run  t break  a act  x reload  ? help  q quit"
_HINTS = (
    "n/b step  u/U words  k/K key  r run  t break  a act  F fork  x reload  "
    "m/7 changes  / find  [ ] branch  ? help  q quit"
)


def _bind(key: str, action: str) -> Binding:
    return Binding(key, action, show=False)


class DebuggerApp(App[None]):
    """Shows a `Debugger` and passes keys on to it."""

    CSS_PATH = "debugger.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        _bind("n,right", "forward('action')"),
        _bind("b,left", "backward('action')"),
        _bind("p", "forward('primitive')"),
        _bind("P", "backward('primitive')"),
        _bind("u", "forward('utterance')"),
        _bind("U", "backward('utterance')"),
        _bind("s", "forward('skill')"),
        _bind("S", "backward('skill')"),
        _bind("k", "forward('problem key')"),
        _bind("K", "backward('problem key')"),
        _bind("r,space", "run"),
        _bind("R", "run_back"),
        _bind("home", "start"),
        _bind("end", "last"),
        _bind("m", "mark"),
        _bind("g", "type('to ')"),
        _bind("t", "type('break ')"),
        _bind("slash", "type('find ')"),
        _bind("a,colon", "type('')"),
        _bind("f", "obey('png')"),
        _bind("F", "obey('fork')"),
        _bind("x", "obey('reload')"),
        _bind("w", "type('save ')"),
        _bind("W", "type('case test_')"),
        _bind("left_square_bracket", "branch(-1)"),
        _bind("right_square_bracket", "branch(1)"),
        _bind("question_mark", "help"),
        _bind("escape", "close"),
        _bind("q", "quit"),
        *(_bind(str(i), f"pane('{pane}')") for i, pane in enumerate(Pane, 1)),
    ]

    def __init__(self, debugger: Debugger, told: str = "") -> None:
        """Show this debugger, and what there is to tell at first."""
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-wide")]
        self.debugger, self._first = debugger, told
        sight = Sight(debugger.branch.timeline.opening.scene)
        self._board, self._prompt = Board(debugger, sight), Prompt(debugger, sight)
        self._until: Breakpoint | None = None
        self._run_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out title, panes, timeline and the lines below it."""
        yield Static(id="title")
        yield Static(id="tabs")
        yield self._board
        yield Static(id="bar")
        yield Static(id="message")
        yield Input(id="prompt", select_on_focus=False)
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Say what there is to say at first."""
        self._say(self._first)

    def on_resize(self, event: Resize) -> None:
        """Draw anew in the new size, once it is laid out."""
        self.call_after_refresh(self._redraw)

    def _redraw(self) -> None:
        wide = self.size.width >= NARROW
        self._write("title", panes.title(self.debugger))
        self._write("tabs", self._tabs())
        self._write("bar", timebar(self.debugger, self.size.width - 2))
        self._write("keys", Text(_HINTS if wide else _FEW_HINTS))
        self._board.redraw()

    def _tabs(self) -> Text:
        text, shown = Text(), self._board.shown
        for number, pane in enumerate(Pane, 1):
            text.append(f"{number}", DIM)
            style = f"bold {WARM}" if pane is shown else ""
            text.append(f" {TABS[pane]} ", style)
        return text

    def _write(self, name: str, text: Text) -> None:
        """Write a line; its place is as wide as the screen."""
        self.query_one(f"#{name}", Static).update(text, layout=False)

    def _say(self, text: str, *, bad: bool = False) -> None:
        self.query_one("#message", Static).set_class(bad, "-bad")
        self._write("message", Text(" ".join(text.split())))

    def _stopped(self, stop: Stop) -> None:
        self._say(stop.why)
        self._redraw()

    def action_forward(self, unit: str) -> None:
        """Step forward."""
        self._pause()
        self._stopped(self.debugger.forward(Unit(unit)))

    def action_backward(self, unit: str) -> None:
        """Step back."""
        self._pause()
        self._stopped(self.debugger.back(Unit(unit)))

    def action_start(self) -> None:
        """Go to the start."""
        self._pause()
        self._stopped(self.debugger.jump(0))

    def action_last(self) -> None:
        """Go to the last moment so far."""
        self._pause()
        self._stopped(self.debugger.jump(self.debugger.branch.last))

    def action_run(self) -> None:
        """Run, or pause."""
        if self._run_timer is None:
            self._start_run(None)
        else:
            self._pause()
            self._say(f"paused at step {self.debugger.at}")

    def action_run_back(self) -> None:
        """Run back to a breakpoint."""
        self._pause()
        self._stopped(self.debugger.run_back())

    def action_mark(self) -> None:
        """Compare with this moment from now on."""
        self.debugger.mark()
        self.action_pane(Pane.CHANGES)
        self._say(f"changes are told since step {self.debugger.at}")

    def action_branch(self, by: int) -> None:
        """Look at another branch."""
        self._pause()
        branch = self.debugger.switch(by)
        self._say(f"{branch.name}, {branch.last} steps so far")
        self._redraw()

    def action_pane(self, name: str) -> None:
        """Choose a pane."""
        self._board.choose(Pane(name))
        self.call_after_refresh(self._redraw)

    def action_help(self) -> None:
        """Show what the keys do."""
        self._pause()
        self.push_screen(Help())

    def action_type(self, begin: str) -> None:
        """Open the line to type into."""
        self._pause()
        line = self.query_one("#prompt", Input)
        line.value = begin
        line.cursor_position = len(begin)
        line.display = True
        self.screen.set_focus(line)  # at once: what is typed next belongs to it

    def action_close(self) -> None:
        """Close the line to type into."""
        line = self.query_one("#prompt", Input)
        line.display = False
        self.screen.set_focus(self.query_one(f"#{Pane.DIALOGUE}"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Obey what was typed."""
        self.action_close()
        if event.value.strip():
            self.action_obey(event.value)

    def action_obey(self, line: str) -> None:
        """Do what a line says."""
        self._pause()
        try:
            reply = self._prompt.obey(line)
        except TatcError as fault:
            self._say(str(fault), bad=True)
            return
        self._say(reply.told)
        if reply.find is not None:
            self._board.search = reply.find
            self.action_pane(Pane.OBJECTS)
        elif line.startswith("break"):
            self.action_pane(Pane.BREAKS)
        if reply.run_until is not None:
            self._start_run(reply.run_until)
        self._redraw()

    def _start_run(self, until: Breakpoint | None) -> None:
        self._pause()
        self._until = until
        self._run_timer = self.set_interval(_TICK, self._run_on)
        self._say("running; r pauses")

    def _pause(self) -> None:
        if self._run_timer is not None:
            self._run_timer.stop()
            self._run_timer = None

    def _run_on(self) -> None:
        stop = self.debugger.run(_AT_ONCE, self._until)
        if stop is None:
            self._redraw()
            return
        self._pause()
        self._stopped(stop)


async def picture(debugger: Debugger, size: tuple[int, int] = (150, 44)) -> str:
    """Return the screen as SVG, as it stands at the debugger's moment."""
    app = DebuggerApp(debugger)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        return app.export_screenshot(title="tatc debug")
