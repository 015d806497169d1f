"""The panes as Textual widgets; `pane_texts` makes their texts."""

from collections.abc import Sequence
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

from tatc.apps.debugger import command_prompt
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.half_block_canvas import Canvas
from tatc.apps.debugger.text_layout import (
    COMMANDER_COLOUR,
    DIM_COLOUR,
    FAILURE_COLOUR,
    HIGHLIGHT_COLOUR,
    SUCCESS_COLOUR,
)
from tatc.session.timeline import Moment, progress_change


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
    BELIEF = "belief"
    DIFFERENCES = "differences"


LIST_PANES = (Pane.OBJECTS, Pane.CHANGES, Pane.BREAKPOINTS, Pane.DIFFERENCES)
"""Panes that share one place on a wide screen, one shown at a time."""

PANE_KEYS = "1234567890"
"""The number keys, in the order of the panes."""

PANE_TITLES = {pane: pane.value for pane in Pane} | {
    Pane.VIEW: "the Follower's view",
    Pane.BREAKPOINTS: "breakpoints",
    Pane.BELIEF: "the Follower's belief",
    Pane.DIFFERENCES: "belief and world",
}
MAP_LEGEND = "▲ Follower  ◆ Commander  ◎ target  ▪ path"
"""The meaning of the letters on the map."""
BELIEF_LEGEND = "dark: not seen  ≠ believed wrongly  v as believed"
"""The meaning of what a belief adds to the map."""
BELIEVED_LEGEND = "as the Follower believes  v as it is"
"""What stands below the map of a belief."""

KEY_HELP = """\
n  b       step forward, back (also arrow keys)
u  U       next, previous utterance
k  K       next, previous problem key
s  S       next, previous skill
p  P       next, previous primitive
r  R       run to a breakpoint, back to one
home end   first, last step so far
g          go to a step
t          add a breakpoint
m          show changes since this step
/          find objects
1 to 0     choose a pane
v          map as the Follower believes, and as it is

a          act as the Follower
e          edit the Follower's goal, in a fork
F          fork: let the agents go on from here
x          reload changed code and replay to here
[  ]       previous, next branch
f          save the Follower's view as PNG
w  W       save the branch as a record, as a test
:          type any command below
q          quit
"""


class ScrolledText(VerticalScroll, inherit_bindings=False):
    """A pane of text that scrolls; it leaves the keys that step to the app."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", show=False),
        Binding("down", "scroll_down", show=False),
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
    ]

    def __init__(self, pane: Pane) -> None:
        """Make an empty pane."""
        super().__init__(id=pane.value, classes="pane")
        self.border_title = PANE_TITLES[pane]
        self._static, self._shown_text = Static(), Text()

    def compose(self) -> ComposeResult:
        """Lay out one text."""
        yield self._static

    def show_text(self, text: Text, title: str | None = None) -> None:
        """Show a text, unless it is shown already."""
        if text != self._shown_text:
            self._shown_text = text
            self._static.update(text)
        if title is not None:
            self.border_title = title


class SizedText(Static):
    """A pane whose lines are made for its size."""

    can_focus = True

    def __init__(self, pane: Pane) -> None:
        """Make an empty pane."""
        super().__init__(id=pane.value, classes="pane")
        self.border_title = PANE_TITLES[pane]


class CanvasWidget(Widget):
    """Shows a canvas of half blocks."""

    def __init__(self, name: str, classes: str = "") -> None:
        """Make a widget without a canvas."""
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
    """The help screen: keys and commands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "dismiss", show=False)
    ]

    def compose(self) -> ComposeResult:
        """Show both lists."""
        text = Text(KEY_HELP)
        text.append("\nCommands, after a or :\n", "bold")
        lines = (command_prompt.__doc__ or "").splitlines()[2:]
        text.append("\n".join(lines))
        with VerticalScroll(id="help") as scroll:
            scroll.border_subtitle = "escape closes this help"
            yield Static(text)


# The timeline: the whole session in one line, with events and the current step.

_EVENT_MARKS = (
    ("▼", FAILURE_COLOUR),
    ("✗", FAILURE_COLOUR),
    ("▲", SUCCESS_COLOUR),
    ("≠", HIGHLIGHT_COLOUR),
    ("✎", COMMANDER_COLOUR),
    ("╵", DIM_COLOUR),
)
"""Goal lost, action failed, goal gained, divergence, by hand, utterance: the first wins."""


def timeline_bar_text(debugger: Debugger, width: int) -> Text:
    """Return the timeline of the current branch, `width` characters wide."""
    moments, width = debugger.moments, max(width, 2)
    scale = (width - 1) / max(debugger.branch.last, 1)
    ranks = [len(_EVENT_MARKS)] * width
    for index in range(1, len(moments)):
        column = round(index * scale)
        ranks[column] = min(ranks[column], _event_rank(moments, index))
    text, here = Text(no_wrap=True), round(debugger.at * scale)
    for column, rank in enumerate(ranks):
        letter, style = _EVENT_MARKS[rank] if rank < len(_EVENT_MARKS) else ("─", DIM_COLOUR)
        text.append(letter, f"bold reverse {HIGHLIGHT_COLOUR}" if column == here else style)
    return text


def _event_rank(moments: Sequence[Moment], index: int) -> int:
    """Return the index of a moment's mark, their number if it has none."""
    moment = moments[index]
    change = progress_change(moments[index - 1], moment)
    holds = (
        change < 0,
        moment.failed,
        change > 0,
        bool(moment.divergence),
        moment.by_hand,
        moment.utterance is not None,
    )
    return holds.index(True) if True in holds else len(holds)
