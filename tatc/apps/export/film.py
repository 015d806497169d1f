"""The frames of a film of a session, one per moment.

title                                      step 12 of 88
the Follower's view      the room from above, with both agents and the trail
Commander  last utterance
last action                                goal conditions met
"""

from PIL import Image, ImageDraw

from tatc.apps.export.caption import Caption
from tatc.apps.export.overlay import Overlay
from tatc.apps.export.palette import BACKGROUND_COLOUR
from tatc.home.actions import Role
from tatc.home.camera.room_bounds import room_bounds_of
from tatc.home.state import Snapshot
from tatc.session.records import Interaction
from tatc.session.timeline import Moment, Timeline
from tatc.session.timeline.moment import have_same_objects
from tatc.session.transcript import format_title
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.sim.top_view.plan_model import PlanAgents, Point

_MIN_FONT_SIZE_PIXELS = 10  # pixels


class Film:
    """Draws the frames of a session; `size` is the pixels along each side of its two views."""

    def __init__(self, timeline: Timeline, size: int) -> None:
        """Prepare to draw a session."""
        self._timeline = timeline
        self._size = size
        self._renderer = SnapshotRenderer(timeline.opening.scene)
        self._room_bounds = room_bounds_of(timeline.opening.scene.start.objects)
        self._last_view: tuple[Snapshot, Image.Image] | None = None
        self._last_map: tuple[Snapshot, Image.Image] | None = None
        self._font_size = max(_MIN_FONT_SIZE_PIXELS, size // 22)
        self._margin = max(6, size // 30)

    @property
    def frame_size(self) -> tuple[int, int]:
        """Width and height of a frame in pixels, both even, as H.264 needs them."""
        width = 2 * self._size + 3 * self._margin
        height = self._dialogue_top + Caption.height_pixels(self._font_size) + self._margin
        return width + width % 2, height + height % 2

    @property
    def _pictures_top(self) -> int:
        """Upper edge of the views, pixels."""
        return round(2 * self._margin + 1.1 * self._font_size)

    @property
    def _dialogue_top(self) -> int:
        """Upper edge of the dialogue, pixels."""
        return self._pictures_top + self._size + self._margin

    def frame(self, index: int) -> Image.Image:
        """Return the frame of a moment."""
        moment = self._timeline.moments[index]
        frame = Image.new("RGB", self.frame_size, BACKGROUND_COLOUR)
        margin, size = self._margin, self._size
        frame.paste(self._follower_view(moment), (margin, self._pictures_top))
        frame.paste(self._top_down_view(moment), (2 * margin + size, self._pictures_top))
        edges = margin, 2 * size + 2 * margin
        caption = Caption(ImageDraw.Draw(frame), self._font_size, edges)
        last = len(self._timeline.moments) - 1
        caption.draw_header(margin, self._title(), f"step {index} of {last}")
        caption.draw_dialogue(self._dialogue_top, self._last_utterance(index))
        bottom = self._dialogue_top + round(2.9 * self._font_size)
        caption.draw_status(bottom, moment)
        return frame

    def _title(self) -> str:
        opening, task = self._timeline.opening, self._timeline.task
        place = opening.scene.place
        return format_title(task.name, task.params, place, opening.game_id, opening.seed)

    def _last_utterance(self, index: int) -> Interaction | None:
        """Return the last utterance at a moment, None if there is none yet."""
        for moment in reversed(self._timeline.moments[: index + 1]):
            if moment.utterance is not None:
                return moment.interaction
        return None

    def _follower_view(self, moment: Moment) -> Image.Image:
        now = moment.snapshot
        kept = self._last_view
        if kept is None or kept[0].follower != now.follower or not have_same_objects(kept[0], now):
            pixels = self._renderer.frame(now, Role.FOLLOWER, self._size)
            kept = self._last_view = now, Image.fromarray(pixels)
        done = moment.interaction
        if done is None or done.click is None:
            return kept[1]
        marks = Overlay(self._size)
        marks.draw_click(done.click, success=bool(done.success))
        return marks.draw_over(kept[1])

    def _top_down_view(self, moment: Moment) -> Image.Image:
        now = moment.snapshot
        kept = self._last_map
        if kept is None or not have_same_objects(kept[0], now):
            pixels = self._renderer.top_down(now, self._size)
            kept = self._last_map = now, Image.fromarray(pixels)
        marks = Overlay(self._size)
        agents = PlanAgents(now.follower, now.commander, self._trail(moment.index))
        marks.draw_agents(agents, self._room_bounds)
        return marks.draw_over(kept[1])

    def _trail(self, index: int) -> tuple[Point, ...]:
        """Return where the Follower has been up to a moment."""
        moments = self._timeline.moments[: index + 1]
        bodies = (moment.snapshot.follower.position for moment in moments)
        return tuple((x, z) for x, _, z in bodies)
