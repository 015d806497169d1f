"""The panes as Textual widgets and their layout; `pane_texts` makes their texts."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from tatc.apps.debugger import pane_texts, terminal_drawing
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.follower_camera import FollowerCamera, follower_view_canvas, target_ids
from tatc.session.timeline import Moment, progress_change, remaining_steps_at
from tatc.sim.top_view.plan_model import PlanFloor


class Pane(StrEnum):
    """The panes, in the order of their keys."""

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
    POLICY = "policy"


LIST_PANES = (Pane.OBJECTS, Pane.CHANGES, Pane.BREAKPOINTS, Pane.DIFFERENCES, Pane.POLICY)
"""Panes that share one place on a wide screen, one shown at a time."""
PANE_KEYS = "1234567890y"  # the keys that choose a pane, in the order of the panes
PANE_TITLES = {pane: pane.value for pane in Pane} | {
    Pane.VIEW: "the Follower's view",
    Pane.BREAKPOINTS: "breakpoints",
    Pane.BELIEF: "the Follower's belief",
    Pane.DIFFERENCES: "belief and world",
    Pane.POLICY: "what policies returned",
}
MAP_LEGEND = "▲ Follower  ◆ Commander  ◎ target  ▪ path"  # the meaning of the letters on the map
_BELIEF_LEGENDS = (
    "dark: not seen  ≠ believed wrongly  v as believed",
    "as the Follower believes  v as it is",
)
PANE_COLUMNS = {
    "left": (Pane.MAP, Pane.VIEW),
    "middle": (Pane.DIALOGUE, Pane.BELIEF),
    "right": (Pane.PROGRESS, Pane.DECISION, *LIST_PANES),
}
"""The panes of a wide screen by column."""


class PaneLayout(Container):
    """The panes of a debugger."""

    def __init__(self, debugger: Debugger, camera: FollowerCamera) -> None:
        """Show this debugger; `camera` renders the Follower's view."""
        super().__init__(id="panes")
        self._debugger, self._camera = debugger, camera
        self._floor = PlanFloor.of_scene(debugger.branch.session.start.scene)
        self.object_search = ""
        self._is_map_believed = False

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
        with Vertical(id="left", classes="column"):
            yield CanvasWidget(Pane.MAP, "pane")
            with Container(id=Pane.VIEW, classes="pane"):
                yield CanvasWidget("image")
                yield Static(id="sight")
        with Vertical(id="middle", classes="column"):
            yield SizedText(id=Pane.DIALOGUE, classes="pane")
            yield ScrolledText(Pane.BELIEF)
        with Vertical(id="right", classes="column"):
            for pane in PANE_COLUMNS["right"]:
                yield ScrolledText(pane)

    def on_mount(self) -> None:
        """Name the panes, and choose those that are shown first."""
        for pane, title in PANE_TITLES.items():
            self.query_one(f"#{pane}").border_title = title
        for pane in LIST_PANES:
            self.query_one(f"#{pane}").add_class("listed")
        shows_belief = self._debugger.branch.shows_belief
        self.set_class(shows_belief, "-believing")
        self.choose_pane(Pane.DIFFERENCES if shows_belief else Pane.OBJECTS)
        self.choose_pane(Pane.DIALOGUE)

    def choose_pane(self, pane: Pane) -> None:
        """Show a pane, and let the scroll keys go to it."""
        for each in Pane:
            other = self.query_one(f"#{each}")
            other.set_class(each is pane, "shown")
            if pane in LIST_PANES:
                other.set_class(each is pane, "chosen")
        for column, inside in PANE_COLUMNS.items():
            self.query_one(f"#{column}").set_class(pane in inside, "chosen")
        widget = self.query_one(f"#{pane}")
        if widget.can_focus:
            self.screen.set_focus(widget)  # at once: a deferred focus could leave the command line
        self.call_after_refresh(self.redraw)

    @property
    def chosen_pane(self) -> Pane:
        """The pane that was chosen last."""
        return next(p for p in Pane if self.query_one(f"#{p}").has_class("shown"))

    def toggle_believed_map(self) -> None:
        """Switch between the map as the Follower believes and as it is."""
        self._is_map_believed = not self._is_map_believed
        self._draw_map()

    def redraw(self) -> None:
        """Show the current moment in every visible pane."""
        debugger = self._debugger
        if debugger.branch.shows_belief is not self.has_class("-believing"):
            self.toggle_class("-believing")
            self.call_after_refresh(self.redraw)
        self._draw_map()
        self._draw_view()
        columns, rows = self.query_one(f"#{Pane.DIALOGUE}").content_size
        if rows:
            self._update_static(Pane.DIALOGUE, pane_texts.dialogue_text(debugger, columns, rows))
        search = self.object_search
        objects_title = f"objects: {search}" if search else "objects"
        self.query_one(f"#{Pane.OBJECTS}").border_title = objects_title
        self.query_one(f"#{Pane.BELIEF}").border_title = pane_texts.belief_title(debugger)
        texts: dict[Pane, Callable[[int], Text]] = {
            Pane.PROGRESS: lambda wide: pane_texts.progress_text(debugger, wide),
            Pane.DECISION: lambda wide: pane_texts.decision_text(debugger, wide),
            Pane.OBJECTS: lambda wide: pane_texts.objects_text(debugger, search, wide),
            Pane.CHANGES: lambda wide: pane_texts.changes_text(debugger, wide),
            Pane.BREAKPOINTS: lambda wide: pane_texts.breakpoints_text(debugger),
            Pane.BELIEF: lambda wide: pane_texts.belief_text(debugger, wide),
            Pane.DIFFERENCES: lambda wide: pane_texts.differences_text(debugger, wide),
            Pane.POLICY: lambda wide: pane_texts.policy_text(debugger, wide),
        }
        for pane, text in texts.items():
            widget = self.query_one(f"#{pane}", ScrolledText)
            if widget.size.width:
                # One column is kept free, so that a scroll bar does not rewrap the text.
                widget.show_text(text(widget.content_size.width - 1))

    def _update_static(self, name: str, text: Text) -> None:
        """Update a widget whose size does not depend on its text."""
        self.query_one(f"#{name}", Static).update(text, layout=False)

    def _draw_map(self) -> None:
        widget = self.query_one(f"#{Pane.MAP}", CanvasWidget)
        columns, rows = widget.content_size
        if columns < 4 or rows < 2:
            return
        moments, at = self._debugger.moments, self._debugger.at
        remaining = remaining_steps_at(moments, at)
        targets = target_ids(moments[at], remaining, self._camera)
        here = self._debugger.belief
        floor, snapshot = self._floor, moments[at].snapshot
        if here is not None and self._is_map_believed:
            floor, snapshot = terminal_drawing.seen_floor(floor, here), here.snapshot
        plan = terminal_drawing.plan_of_moment(floor, moments, at, remaining, targets, snapshot)
        known = (
            None if here is None or self._is_map_believed else terminal_drawing.map_knowledge(here)
        )
        believed = _BELIEF_LEGENDS[self._is_map_believed]
        widget.border_subtitle = MAP_LEGEND if here is None else believed
        widget.show_canvas(terminal_drawing.draw_map(plan, columns, rows, known))

    def _draw_view(self) -> None:
        columns, rows = self.query_one(f"#{Pane.VIEW}").content_size
        if columns < 4 or rows < 2:
            return
        size = max(min(columns - _VISIBLE_LIST_WIDTH, 2 * rows) // 2 * 2, 2)
        image = self.query_one("#image", CanvasWidget)
        if image.size.width != size:
            image.styles.width, image.styles.height = size, size // 2
        image.show_canvas(
            follower_view_canvas(self._camera, self._debugger.moments, self._debugger.at, size)
        )
        sight = pane_texts.visible_objects_text(self._debugger, self._camera, rows)
        self._update_static("sight", sight)


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
        super().__init__(id=pane, classes="pane")
        self._static, self._shown_text = Static(), Text()

    def compose(self) -> ComposeResult:
        """Lay out one text."""
        yield self._static

    def show_text(self, text: Text) -> None:
        """Show a text, unless it is shown already."""
        if text != self._shown_text:
            self._shown_text = text
            self._static.update(text)


class SizedText(Static, can_focus=True):
    """A pane whose lines are made for its size."""


class CanvasWidget(Widget):
    """Shows a canvas of half blocks."""

    def __init__(self, name: str, classes: str = "") -> None:
        """Make a widget without a canvas."""
        super().__init__(id=name, classes=classes)
        self._strips: list[Strip] = []

    def show_canvas(self, canvas: terminal_drawing.Canvas) -> None:
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
        text = Text((Path(__file__).parent / "help.txt").read_text(encoding="utf-8").rstrip("\n"))
        text.highlight_regex("Commands, .*", "bold")
        with VerticalScroll(id="help") as scroll:
            scroll.border_subtitle = "escape closes this help"
            yield Static(text)


_EVENT_MARKS = (
    ("▼", terminal_drawing.FAILURE_COLOUR),
    ("✗", terminal_drawing.FAILURE_COLOUR),
    ("▲", terminal_drawing.SUCCESS_COLOUR),
    ("≠", terminal_drawing.HIGHLIGHT_COLOUR),
    ("✎", terminal_drawing.COMMANDER_COLOUR),
    ("╵", terminal_drawing.DIM_COLOUR),
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
    highlight, unmarked = terminal_drawing.HIGHLIGHT_COLOUR, ("─", terminal_drawing.DIM_COLOUR)
    for column, rank in enumerate(ranks):
        letter, style = _EVENT_MARKS[rank] if rank < len(_EVENT_MARKS) else unmarked
        text.append(letter, f"bold reverse {highlight}" if column == here else style)
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


_VISIBLE_LIST_WIDTH = 24  # columns of the list of visible objects
