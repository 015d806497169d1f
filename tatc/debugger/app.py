"""The debugger on a terminal: panes, keys, and one line to type into."""

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.events import Resize
from textual.timer import Timer
from textual.widgets import Input, Static

from tatc.debugger import panes
from tatc.debugger.aims import eyes, targets
from tatc.debugger.breakpoints import Breakpoint
from tatc.debugger.control import Debugger, Stop
from tatc.debugger.floorplan import FloorPlan, Plan
from tatc.debugger.prompt import Prompt
from tatc.debugger.sight import Sight
from tatc.debugger.stepping import Unit
from tatc.debugger.widgets import (
    LEGEND,
    LISTED,
    TABS,
    TITLES,
    Help,
    Lines,
    Pane,
    Picture,
    Scrolled,
)
from tatc.errors import TatcError
from tatc.timeline import ahead

NARROW = 100
"""Columns below which one pane is shown at a time."""

_TICK = 0.03  # seconds between two pictures of a run
_AT_ONCE = 4  # actions between them
_COLUMNS = {
    "left": (Pane.MAP, Pane.VIEW),
    "middle": (Pane.DIALOGUE,),
    "right": (Pane.PROGRESS, Pane.DECISION, *LISTED),
}
_LIST = 24  # columns for the list of what is in view
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
        scene = debugger.branch.timeline.opening.scene
        self._sight, self._plan = Sight(scene), FloorPlan(scene)
        self._prompt = Prompt(debugger, self._sight)
        self._search = ""
        self._until: Breakpoint | None = None
        self._run_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
        yield Static(id="title")
        yield Static(id="tabs")
        with Container(id="panes"):
            with Vertical(id="left", classes="column"):
                plan = Picture(Pane.MAP, "pane")
                plan.border_title, plan.border_subtitle = TITLES[Pane.MAP], LEGEND
                yield plan
                with Container(id=Pane.VIEW, classes="pane") as view:
                    view.border_title = TITLES[Pane.VIEW]
                    yield Picture("image")
                    yield Static(id="sight")
            with Vertical(id="middle", classes="column"):
                yield Lines(Pane.DIALOGUE)
            with Vertical(id="right", classes="column"):
                for pane in _COLUMNS["right"]:
                    yield Scrolled(pane)
        yield Static(id="bar")
        yield Static(id="message")
        yield Input(id="prompt", select_on_focus=False)
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Choose what a small screen shows first."""
        for pane in LISTED:
            self.query_one(f"#{pane}").add_class("listed")
        self.action_pane(Pane.OBJECTS)
        self.action_pane(Pane.DIALOGUE)
        self._say(self._first)

    def on_resize(self, event: Resize) -> None:
        """Draw anew in the new size, once it is laid out."""
        self.call_after_refresh(self.redraw)

    # Showing.

    def redraw(self) -> None:
        """Show the moment in every pane that is on the screen."""
        debugger = self.debugger
        wide = self.size.width >= NARROW
        self._write("title", panes.title(debugger))
        self._write("tabs", self._tabs())
        self._write("keys", Text(_HINTS if wide else _FEW_HINTS))
        self._write("bar", panes.timebar(debugger, self.size.width - 2))
        self._draw_map()
        self._draw_view()
        columns, rows = self.query_one(f"#{Pane.DIALOGUE}").content_size
        if rows:
            self._write(Pane.DIALOGUE, panes.story(debugger, columns, rows))
        self._tell(Pane.PROGRESS, lambda wide: panes.progress(debugger, wide))
        self._tell(Pane.DECISION, lambda wide: panes.decision(debugger, wide))
        found = f"objects: {self._search}" if self._search else "objects"
        search = self._search
        self._tell(
            Pane.OBJECTS, lambda wide: panes.objects(debugger, search, wide), found
        )
        self._tell(Pane.CHANGES, lambda wide: panes.changes(debugger))
        self._tell(Pane.BREAKS, lambda wide: panes.breakpoints(debugger))

    def _tell(
        self, pane: Pane, text: Callable[[int], Text], title: str | None = None
    ) -> None:
        widget = self.query_one(f"#{pane}", Scrolled)
        if widget.size.width:
            # One column is kept for the scroll bar, so that it moves no words.
            widget.tell(text(widget.content_size.width - 1), title)

    def _draw_map(self) -> None:
        widget = self.query_one(f"#{Pane.MAP}", Picture)
        columns, rows = widget.content_size
        if columns < 4 or rows < 2:
            return
        debugger, moment = self.debugger, self.debugger.moment
        left = ahead(debugger.moments, debugger.at)
        plan = Plan(
            moment.snapshot,
            left,
            [each.snapshot for each in debugger.moments[: debugger.at]],
            targets(moment, left, self._sight),
        )
        widget.show(self._plan.draw(plan, columns, rows))

    def _draw_view(self) -> None:
        columns, rows = self.query_one(f"#{Pane.VIEW}").content_size
        if columns < 4 or rows < 2:
            return
        size = max(min(columns - _LIST, 2 * rows) // 2 * 2, 2)
        moments, at = self.debugger.moments, self.debugger.at
        image = self.query_one("#image", Picture)
        if image.size.width != size:
            image.styles.width, image.styles.height = size, size // 2
        image.show(eyes(self._sight, moments, at, size))
        self._write("sight", panes.sight_list(self.debugger, self._sight, rows))

    def _tabs(self) -> Text:
        text = Text(no_wrap=True)
        for number, pane in enumerate(Pane, 1):
            chosen = self.query_one(f"#{pane}").has_class("shown")
            text.append(f"{number}", panes.DIM)
            text.append(f" {TABS[pane]} ", f"bold {panes.WARM}" if chosen else "")
        return text

    def _write(self, name: str, text: Text) -> None:
        """Write into a place whose size does not depend on what is written."""
        self._static(name).update(text, layout=False)

    def _static(self, name: str) -> Static:
        return self.query_one(f"#{name}", Static)

    def _say(self, text: str, *, bad: bool = False) -> None:
        message = self._static("message")
        message.set_class(bad, "-bad")
        self._write("message", Text(" ".join(text.split())))

    def _stopped(self, stop: Stop) -> None:
        self._say(stop.why)
        self.redraw()

    # Keys.

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
        self.redraw()

    def action_pane(self, name: str) -> None:
        """Choose a pane: show it, and let it take the keys that scroll."""
        pane = Pane(name)
        widget = self.query_one(f"#{pane}")
        for each in Pane:
            other = self.query_one(f"#{each}")
            other.set_class(each is pane, "shown")
            if pane in LISTED:
                other.set_class(each is pane, "chosen")
        for column, inside in _COLUMNS.items():
            self.query_one(f"#{column}").set_class(pane in inside, "chosen")
        if widget.can_focus:
            widget.focus()
        self.call_after_refresh(self.redraw)

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
            self._search = reply.find
            self.action_pane(Pane.OBJECTS)
        elif line.startswith("break"):
            self.action_pane(Pane.BREAKS)
        if reply.run_until is not None:
            self._start_run(reply.run_until)
        self.redraw()

    # Running.

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
            self.redraw()
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
