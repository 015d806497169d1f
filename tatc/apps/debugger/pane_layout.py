"""The layout of all panes, and what each shows at a moment."""

from collections.abc import Callable

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.widgets import Static

from tatc.apps.debugger import belief_texts, list_pane_texts, pane_texts
from tatc.apps.debugger.click_marks import follower_view_canvas, target_ids
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.follower_camera import FollowerCamera
from tatc.apps.debugger.room_map import draw_map, map_knowledge, plan_of_moment, seen_floor
from tatc.apps.debugger.widgets import (
    BELIEF_LEGEND,
    BELIEVED_LEGEND,
    LIST_PANES,
    MAP_LEGEND,
    PANE_TITLES,
    CanvasWidget,
    Pane,
    ScrolledText,
    SizedText,
)
from tatc.session.timeline import remaining_steps_at
from tatc.session.timeline.belief_in_world import BeliefInWorld
from tatc.sim.top_view.plan_model import PlanFloor

PANE_COLUMNS = {
    "left": (Pane.MAP, Pane.VIEW),
    "middle": (Pane.DIALOGUE, Pane.BELIEF),
    "right": (Pane.PROGRESS, Pane.DECISION, *LIST_PANES),
}
"""The panes of a wide screen by column."""

_VISIBLE_LIST_WIDTH = 24  # columns of the list of visible objects


class PaneLayout(Container):
    """The panes of a debugger."""

    def __init__(self, debugger: Debugger, camera: FollowerCamera) -> None:
        """Show this debugger; `camera` renders the Follower's view."""
        super().__init__(id="panes")
        self._debugger, self._camera = debugger, camera
        self._floor = PlanFloor.of_scene(debugger.branch.timeline.opening.scene)
        self.object_search = ""
        self._is_map_believed = False

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
        with Vertical(id="left", classes="column"):
            plan = CanvasWidget(Pane.MAP, "pane")
            plan.border_title, plan.border_subtitle = PANE_TITLES[Pane.MAP], MAP_LEGEND
            yield plan
            with Container(id=Pane.VIEW, classes="pane") as view:
                view.border_title = PANE_TITLES[Pane.VIEW]
                yield CanvasWidget("image")
                yield Static(id="sight")
        with Vertical(id="middle", classes="column"):
            yield SizedText(Pane.DIALOGUE)
            yield ScrolledText(Pane.BELIEF)
        with Vertical(id="right", classes="column"):
            for pane in PANE_COLUMNS["right"]:
                yield ScrolledText(pane)

    def on_mount(self) -> None:
        """Choose the panes that are shown first."""
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
        self._update_scrolled(Pane.PROGRESS, lambda wide: pane_texts.progress_text(debugger, wide))
        self._update_scrolled(Pane.DECISION, lambda wide: pane_texts.decision_text(debugger, wide))
        search = self.object_search
        self._update_scrolled(
            Pane.OBJECTS,
            lambda wide: list_pane_texts.objects_text(debugger, search, wide),
            f"objects: {search}" if search else "objects",
        )
        self._update_scrolled(Pane.CHANGES, lambda wide: list_pane_texts.changes_text(debugger))
        self._update_scrolled(
            Pane.BREAKPOINTS, lambda wide: list_pane_texts.breakpoints_text(debugger)
        )
        self._update_scrolled(
            Pane.BELIEF,
            lambda wide: belief_texts.belief_text(debugger, wide),
            belief_texts.belief_title(debugger),
        )
        self._update_scrolled(
            Pane.DIFFERENCES, lambda wide: belief_texts.differences_text(debugger, wide)
        )

    def _update_scrolled(
        self, pane: Pane, text: Callable[[int], Text], title: str | None = None
    ) -> None:
        widget = self.query_one(f"#{pane}", ScrolledText)
        if widget.size.width:
            # One column is kept free, so that a scroll bar does not rewrap the text.
            widget.show_text(text(widget.content_size.width - 1), title)

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
            floor, snapshot = seen_floor(floor, here), here.snapshot
        plan = plan_of_moment(floor, moments, at, remaining, targets, snapshot)
        known = None if here is None or self._is_map_believed else map_knowledge(here)
        widget.border_subtitle = self._map_legend(here)
        widget.show_canvas(draw_map(plan, columns, rows, known))

    def _map_legend(self, here: BeliefInWorld | None) -> str:
        if here is None:
            return MAP_LEGEND
        return BELIEVED_LEGEND if self._is_map_believed else BELIEF_LEGEND

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
        self._update_static(
            "sight", pane_texts.visible_objects_text(self._debugger, self._camera, rows)
        )
