"""The panes as Textual widgets; what they say comes from `pane_texts`."""

from enum import StrEnum
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from tatc.debugger import command_prompt
from tatc.debugger.half_block_canvas import Canvas


class Pane(StrEnum):
    """The panes, in the order of their number keys."""

    MAP = "map"
    VIEW = "view"
    DIALOGUE = "dialogue"
    PROGRESS = "progress"
    DECISION = "decision"
    OBJECTS = "objects"
    CHANGES = "changes"
    BREAKPOINTS = "breaks"


LIST_PANES = (Pane.OBJECTS, Pane.CHANGES, Pane.BREAKPOINTS)
"""Panes that share one place on a wide screen."""

PANE_TITLES = {
    Pane.MAP: "map",
    Pane.VIEW: "the Follower's view",
    Pane.DIALOGUE: "dialogue",
    Pane.PROGRESS: "progress",
    Pane.DECISION: "decision",
    Pane.OBJECTS: "objects",
    Pane.CHANGES: "changes",
    Pane.BREAKPOINTS: "breakpoints",
}

MAP_LEGEND = "▲ Follower  ◆ camera  ◎ target  ▪ way"
"""What the letters on the map stand for."""

TAB_LABELS = {
    Pane.MAP: "map",
    Pane.VIEW: "view",
    Pane.DIALOGUE: "talk",
    Pane.PROGRESS: "goals",
    Pane.DECISION: "why",
    Pane.OBJECTS: "objects",
    Pane.CHANGES: "diff",
    Pane.BREAKPOINTS: "breaks",
}
"""The panes' names where 60 columns hold them all."""

KEY_HELP = """\
n  b       a step forward, back; arrow keys too
u  U       to the next utterance, the last one
k  K       to the next problem key, the last one
s  S       to the next skill, the last one
p  P       to the next primitive, the last one
r  R       run to a breakpoint, back to one
home end   the start, the last step so far
g          go to a step
t          add a breakpoint
m          tell changes since this step
/          search objects
1 to 8     choose a pane

a          act by hand in the Follower's place
F          fork: let the agents go on from here
x          load changed code, play over to here
[  ]       the branch before, the next one
f          write the Follower's view as a picture
w  W       save the branch: a record, a test
:          type any of what is below
q          leave
"""


class ScrolledText(VerticalScroll, inherit_bindings=False):
    """A pane of text that scrolls; the keys that step are not its own."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", show=False),
        Binding("down", "scroll_down", show=False),
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
    ]

    def __init__(self, pane: Pane) -> None:
        """Make the pane, with nothing in it yet."""
        super().__init__(id=pane.value, classes="pane")
        self.border_title = PANE_TITLES[pane]
        self._static, self._shown_text = Static(), Text()

    def compose(self) -> ComposeResult:
        """Hold one text."""
        yield self._static

    def show_text(self, text: Text, title: str | None = None) -> None:
        """Show a text; one that is shown already costs nothing."""
        if text != self._shown_text:
            self._shown_text = text
            self._static.update(text)
        if title is not None:
            self.border_title = title


class SizedText(Static):
    """A pane of lines that are made for its size."""

    can_focus = True

    def __init__(self, pane: Pane) -> None:
        """Make the pane, with nothing in it yet."""
        super().__init__(id=pane.value, classes="pane")
        self.border_title = PANE_TITLES[pane]


class CanvasWidget(Widget):
    """A canvas of half blocks, in a border or without one."""

    def __init__(self, name: str, classes: str = "") -> None:
        """Make a place for a canvas, which is empty at first."""
        super().__init__(id=name, classes=classes)
        self._strips: list[Strip] = []

    def show_canvas(self, canvas: Canvas) -> None:
        """Show a canvas."""
        self._strips = [Strip(line) for line in canvas.segment_rows()]
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a row of the canvas, or an empty one below it."""
        width = self.content_size.width
        if y >= len(self._strips):
            return Strip.blank(width, self.rich_style)
        return self._strips[y].adjust_cell_length(width, self.rich_style)


class Help(ModalScreen[None]):
    """What the keys do and what can be typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "dismiss", show=False)
    ]

    def compose(self) -> ComposeResult:
        """Show both lists."""
        text = Text(KEY_HELP)
        text.append("\nTo type after a or :\n", "bold")
        lines = (command_prompt.__doc__ or "").splitlines()[2:]
        text.append("\n".join(lines))
        with VerticalScroll(id="help") as scroll:
            scroll.border_subtitle = "escape closes"
            yield Static(text)
