"""All panes together: where each stands, and what it says at a moment."""

from collections.abc import Callable

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.widgets import Static

from tatc.debugger import lists, panes
from tatc.debugger.aims import eyes, targets
from tatc.debugger.control import Debugger
from tatc.debugger.floorplan import TRAIL, FloorPlan, Plan
from tatc.debugger.sight import Sight
from tatc.debugger.widgets import (
    LEGEND,
    LISTED,
    TITLES,
    Lines,
    Pane,
    Picture,
    Scrolled,
)
from tatc.timeline import ahead

COLUMNS = {
    "left": (Pane.MAP, Pane.VIEW),
    "middle": (Pane.DIALOGUE,),
    "right": (Pane.PROGRESS, Pane.DECISION, *LISTED),
}
"""The panes of a wide screen, column by column."""

_LIST = 24  # columns for the list of what is in view


class Board(Container):
    """The panes of one debugger."""

    def __init__(self, debugger: Debugger, sight: Sight) -> None:
        """Show this debugger, and the Follower's view by `sight`."""
        super().__init__(id="panes")
        self._debugger, self._sight = debugger, sight
        self._plan = FloorPlan(debugger.branch.timeline.opening.scene)
        self.search = ""

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
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
            for pane in COLUMNS["right"]:
                yield Scrolled(pane)

    def on_mount(self) -> None:
        """Choose what a small screen shows first."""
        for pane in LISTED:
            self.query_one(f"#{pane}").add_class("listed")
        self.choose(Pane.OBJECTS)
        self.choose(Pane.DIALOGUE)

    def choose(self, pane: Pane) -> None:
        """Show a pane, and let it take the keys that scroll."""
        for each in Pane:
            other = self.query_one(f"#{each}")
            other.set_class(each is pane, "shown")
            if pane in LISTED:
                other.set_class(each is pane, "chosen")
        for column, inside in COLUMNS.items():
            self.query_one(f"#{column}").set_class(pane in inside, "chosen")
        widget = self.query_one(f"#{pane}")
        if widget.can_focus:
            widget.focus()
        self.call_after_refresh(self.redraw)

    @property
    def shown(self) -> Pane:
        """The pane that was chosen last."""
        return next(p for p in Pane if self.query_one(f"#{p}").has_class("shown"))

    def redraw(self) -> None:
        """Show the moment in every pane that is on the screen."""
        debugger = self._debugger
        self._draw_map()
        self._draw_view()
        columns, rows = self.query_one(f"#{Pane.DIALOGUE}").content_size
        if rows:
            self._write(Pane.DIALOGUE, panes.story(debugger, columns, rows))
        self._tell(Pane.PROGRESS, lambda wide: panes.progress(debugger, wide))
        self._tell(Pane.DECISION, lambda wide: panes.decision(debugger, wide))
        search = self.search
        self._tell(
            Pane.OBJECTS,
            lambda wide: lists.objects(debugger, search, wide),
            f"objects: {search}" if search else "objects",
        )
        self._tell(Pane.CHANGES, lambda wide: lists.changes(debugger))
        self._tell(Pane.BREAKS, lambda wide: lists.breakpoints(debugger))

    def _tell(
        self, pane: Pane, text: Callable[[int], Text], title: str | None = None
    ) -> None:
        widget = self.query_one(f"#{pane}", Scrolled)
        if widget.size.width:
            # One column is kept for the scroll bar, so that it moves no words.
            widget.tell(text(widget.content_size.width - 1), title)

    def _write(self, name: str, text: Text) -> None:
        """Write into a place whose size does not depend on what is written."""
        self.query_one(f"#{name}", Static).update(text, layout=False)

    def _draw_map(self) -> None:
        widget = self.query_one(f"#{Pane.MAP}", Picture)
        columns, rows = widget.content_size
        if columns < 4 or rows < 2:
            return
        moments, at = self._debugger.moments, self._debugger.at
        left = ahead(moments, at)
        plan = Plan(
            moments[at].snapshot,
            left,
            [each.snapshot for each in moments[max(at - TRAIL, 0) : at]],
            targets(moments[at], left, self._sight),
        )
        widget.show(self._plan.draw(plan, columns, rows))

    def _draw_view(self) -> None:
        columns, rows = self.query_one(f"#{Pane.VIEW}").content_size
        if columns < 4 or rows < 2:
            return
        size = max(min(columns - _LIST, 2 * rows) // 2 * 2, 2)
        image = self.query_one("#image", Picture)
        if image.size.width != size:
            image.styles.width, image.styles.height = size, size // 2
        image.show(eyes(self._sight, self._debugger.moments, self._debugger.at, size))
        self._write("sight", panes.sight_list(self._debugger, self._sight, rows))
