"""The debugger on a terminal: panes, keys, and a command line."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from typing import ClassVar

from rich.segment import Segment
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.events import Resize
from textual.filter import LineFilter
from textual.timer import Timer
from textual.widgets import Input, Static

from tatc.apps.debugger import breakpoints, command_prompt, follower_camera, pane_texts
from tatc.apps.debugger.debugger import Debugger, StepUnit, StopPoint
from tatc.apps.debugger.terminal_drawing import DIM_COLOUR, HIGHLIGHT_COLOUR
from tatc.apps.debugger.widgets import PANE_KEYS, Help, Pane, PaneLayout, timeline_bar_text
from tatc.base import errors, files
from tatc.base.plain_text import printable
from tatc.language.understanding.goal_json import goal_lines

NARROW_COLUMNS = 100  # with fewer columns, one pane is shown at a time

_RUN_TICK_SECONDS = 0.03  # between two updates of the screen during a run
_ACTIONS_PER_TICK = 4  # between two updates
_SHORT_HINTS = "n/b step  r run  t break  a act  x reload  ? help  q quit"
_BELIEF_HINTS = (
    "n/b step  u/U utterance  r run  t break  a act  e goal  F fork  v map  9 belief  "
    "0 differences  [ ] branch  ? help  q quit"
)
_HINTS = (
    "n/b step  u/U utterance  k/K problem key  r run  t break  a act  F fork  "
    "x reload  m/7 changes  / find  [ ] branch  ? help  q quit"
)
_KEYS: dict[str, str] = files.package_table("tatc.apps.debugger", "keys.toml")


class _PrintableFilter(LineFilter):
    """Takes what a terminal obeys out of the texts of records, games and agents."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(printable(text), style, control) for text, style, control in segments]


class DebuggerApp(App[None]):
    """Shows a `Debugger`, and turns keys into its commands."""

    CSS_PATH = "debugger.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, action, show=False) for key, action in _KEYS.items()),
        *(
            Binding(key, f"pane('{pane}')", show=False)
            for key, pane in zip(PANE_KEYS, Pane, strict=True)
        ),
    ]

    def __init__(self, debugger: Debugger, message: str = "") -> None:
        """Show this debugger, with a first message."""
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW_COLUMNS, "-wide")]
        self.debugger, self._first_message = debugger, message
        camera = follower_camera.FollowerCamera(debugger.branch.session.start.scene)
        self._pane_layout = PaneLayout(debugger, camera)
        self._command_prompt = command_prompt.CommandPrompt(debugger, camera)
        self._run_breakpoint: breakpoints.Breakpoint | None = None
        self._run_timer: Timer | None = None
        self._is_terminal_free = False

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what every line of the screen passes through."""
        return (*super().get_line_filters(), _PrintableFilter())

    def compose(self) -> ComposeResult:
        """Lay out title, panes, timeline, message and command line."""
        yield Static(id="title")
        yield Static(id="tabs")
        yield self._pane_layout
        yield Static(id="bar")
        yield Static(id="message")
        yield Input(id="prompt", select_on_focus=False)
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Show the first message."""
        self._show_message(self._first_message)

    @contextmanager
    def free_terminal(self) -> Generator[None]:
        """Give the terminal to the block; a block inside it changes nothing."""
        is_free, self._is_terminal_free = self._is_terminal_free, True
        try:
            with nullcontext() if is_free else self.suspend():
                yield
        finally:
            self._is_terminal_free = is_free

    def on_resize(self, event: Resize) -> None:
        """Redraw in the new size, once the layout is done."""
        self.call_after_refresh(self._redraw)

    def _redraw(self) -> None:
        wide = self.size.width >= NARROW_COLUMNS
        self._update_line("title", pane_texts.title_text(self.debugger))
        # The only line that may take several: in a narrow screen it is laid out anew.
        self.query_one("#tabs", Static).update(self._tabs_text(), layout=not wide)
        self._update_line("bar", timeline_bar_text(self.debugger, self.size.width - 2))
        hints = _BELIEF_HINTS if self.debugger.branch.shows_belief else _HINTS
        self._update_line("keys", Text(hints if wide else _SHORT_HINTS))
        self._pane_layout.redraw()

    def _tabs_text(self) -> Text:
        tabs, shown = list[Text](), self._pane_layout.chosen_pane
        for key, pane in zip(PANE_KEYS, Pane, strict=True):
            style = f"bold {HIGHLIGHT_COLOUR}" if pane is shown else ""
            head = f"{key}\N{NO-BREAK SPACE}"  # keeps the key on the line of its pane
            tabs.append(Text.assemble((head, DIM_COLOUR), (pane.value, style)))
        return Text(" ").join(tabs)

    def _update_line(self, name: str, text: Text) -> None:
        """Update a line that is as wide as the screen."""
        self.query_one(f"#{name}", Static).update(text, layout=False)

    def _show_message(self, text: str, *, bad: bool = False) -> None:
        self.query_one("#message", Static).set_class(bad, "-bad")
        self._update_line("message", Text(" ".join(text.split())))

    def _show_stop(self, stop: StopPoint) -> None:
        self._pause_run()
        self._show_message(stop.reason)
        self._redraw()

    def action_step(self, unit: str, back: bool = False) -> None:
        """Step forward, or back."""
        step = self.debugger.backward if back else self.debugger.forward
        self._show_stop(step(StepUnit(unit)))

    def action_go_to(self, end: bool) -> None:
        """Go to the start, or to the last moment so far."""
        self._show_stop(self.debugger.go_to(self.debugger.branch.last if end else 0))

    def action_run(self) -> None:
        """Run, or pause."""
        if self._run_timer is None:
            self._start_run(None)
        else:
            self._pause_run()
            self._show_message(f"paused at step {self.debugger.at}")

    def action_run_back(self) -> None:
        """Run back to a breakpoint."""
        self._show_stop(self.debugger.run_back())

    def action_mark(self) -> None:
        """Show changes since this moment from now on."""
        self.debugger.since = self.debugger.at
        self.action_pane(Pane.CHANGES)
        self._show_message(f"showing changes since step {self.debugger.at}")

    def action_branch(self, by: int) -> None:
        """Switch to another branch."""
        self._pause_run()
        branch = self.debugger.switch_branch(by)
        self._show_message(f"{branch.name}, up to step {branch.last} so far")
        self._redraw()

    def action_pane(self, name: str) -> None:
        """Choose a pane."""
        self._pane_layout.choose_pane(Pane(name))
        self.call_after_refresh(self._redraw)

    def action_help(self) -> None:
        """Show what the keys do."""
        self._pause_run()
        self.push_screen(Help())

    def action_type(self, begin: str) -> None:
        """Open the command line with a text."""
        self._pause_run()
        line = self.query_one("#prompt", Input)
        line.value = begin
        line.cursor_position = len(begin)
        line.display = True
        self.screen.set_focus(line)  # at once, so that the next key goes to it

    def action_name_case(self) -> None:
        """Open the command line with a name for a test, and say what the test will hold."""
        at = self.debugger.at
        self.action_type(f"case test_step_{at}.py")
        self._show_message(f"the test holds the session up to step {at}, the present one")

    def action_edit_goal(self) -> None:
        """Open the command line with the first line of the goal, or for all of it."""
        here = self.debugger.belief
        goal = None if here is None else here.belief.goal
        lines = () if goal is None or goal.content is None else goal_lines(goal.content)
        self.action_type(f"goal 1: {lines[0]}" if lines else "goal ")

    def action_believed_map(self) -> None:
        """Switch between the map as the Follower believes and as it is."""
        self._pane_layout.toggle_believed_map()

    def action_close(self) -> None:
        """Close the command line."""
        line = self.query_one("#prompt", Input)
        line.display = False
        self.screen.set_focus(self.query_one(f"#{Pane.DIALOGUE}"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Carry out the typed line."""
        self.action_close()
        if event.value.strip():
            self.action_command(event.value)

    def action_command(self, line: str) -> None:
        """Carry out a command line."""
        self._pause_run()
        try:
            reply = self._command_prompt.execute(line)
        except errors.TatcError as fault:
            self._show_message(str(fault), bad=True)
            return
        self._show_message(reply.message)
        if reply.object_search is not None:
            self._pane_layout.object_search = reply.object_search
            self.action_pane(Pane.OBJECTS)
        elif line.startswith("break"):
            self.action_pane(Pane.BREAKPOINTS)
        if reply.on_terminal is not None:
            reply.on_terminal(self.free_terminal)
        if reply.run_until is not None:
            self._start_run(reply.run_until)
        self._redraw()

    def _start_run(self, until: breakpoints.Breakpoint | None) -> None:
        self._pause_run()
        self._run_breakpoint = until
        self._run_timer = self.set_interval(_RUN_TICK_SECONDS, self._continue_run)
        self._show_message("running; r pauses")

    def _pause_run(self) -> None:
        if self._run_timer is not None:
            self._run_timer.stop()
            self._run_timer = None

    def _continue_run(self) -> None:
        stop = self.debugger.run(_ACTIONS_PER_TICK, self._run_breakpoint)
        if stop is None:
            self._redraw()
        else:
            self._show_stop(stop)


async def screenshot_svg(debugger: Debugger, size: tuple[int, int] = (150, 44)) -> str:
    """Return the screen at the debugger's moment as SVG; `size` is columns and rows."""
    app = DebuggerApp(debugger)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        return app.export_screenshot(title="tatc debug")
