"""What a film of a session shows, moment by moment.

title                                      step 12 of 88
the Follower's view      the room from above, with both agents and the way walked
Commander  what was said last
what was done                              goal conditions met
"""

from PIL import Image, ImageDraw

from tatc.actions import Role
from tatc.camera.shell import shell_of
from tatc.export.caption import Caption
from tatc.export.marks import Overlay, Place
from tatc.export.palette import GROUND
from tatc.records import Interaction
from tatc.sim.embedded.render import Renderer
from tatc.state import Snapshot
from tatc.telling import titled
from tatc.timeline import Moment, Timeline
from tatc.timeline.moment import same_objects

_LEAST_TYPE = 10  # pixels


class Film:
    """Draws the frames of a session; `size` is the pixels along a picture's side."""

    def __init__(self, timeline: Timeline, size: int) -> None:
        """Take a session; no work is done yet."""
        self._timeline = timeline
        self._size = size
        self._renderer = Renderer(timeline.opening.scene)
        self._shell = shell_of(timeline.opening.scene.start.objects)
        self._view: tuple[Snapshot, Image.Image] | None = None
        self._map: tuple[Snapshot, Image.Image] | None = None
        self._type = max(_LEAST_TYPE, size // 22)
        self._margin = max(6, size // 30)

    @property
    def shape(self) -> tuple[int, int]:
        """Width and height of a frame in pixels, both even, as films want them."""
        width = 2 * self._size + 3 * self._margin
        height = self._below + Caption.height(self._type) + self._margin
        return width + width % 2, height + height % 2

    @property
    def _above(self) -> int:
        """Where the pictures begin."""
        return round(2 * self._margin + 1.1 * self._type)

    @property
    def _below(self) -> int:
        """Where the dialogue begins."""
        return self._above + self._size + self._margin

    def frame(self, index: int) -> Image.Image:
        """Return the frame of a moment."""
        moment = self._timeline.moments[index]
        frame = Image.new("RGB", self.shape, GROUND)
        margin, size = self._margin, self._size
        frame.paste(self._seen(moment), (margin, self._above))
        frame.paste(self._from_above(moment), (2 * margin + size, self._above))
        edges = margin, 2 * size + 2 * margin
        caption = Caption(ImageDraw.Draw(frame), self._type, edges)
        last = len(self._timeline.moments) - 1
        caption.head(margin, self._title(), f"step {index} of {last}")
        caption.dialogue(self._below, self._said(index))
        bottom = self._below + round(2.9 * self._type)
        caption.status(bottom, moment)
        return frame

    def _title(self) -> str:
        opening, task = self._timeline.opening, self._timeline.task
        place = opening.scene.place
        return titled(task.name, task.params, place, opening.game, opening.seed)

    def _said(self, index: int) -> Interaction | None:
        """Return what was said last at a moment."""
        for moment in reversed(self._timeline.moments[: index + 1]):
            if moment.said is not None:
                return moment.interaction
        return None

    def _seen(self, moment: Moment) -> Image.Image:
        now = moment.snapshot
        kept = self._view
        if (
            kept is None
            or kept[0].follower != now.follower
            or not same_objects(kept[0], now)
        ):
            pixels = self._renderer.frame(now, Role.FOLLOWER, self._size)
            kept = self._view = now, Image.fromarray(pixels)
        done = moment.interaction
        if done is None or done.click is None:
            return kept[1]
        marks = Overlay(self._size)
        marks.click(done.click, success=bool(done.success))
        return marks.over(kept[1])

    def _from_above(self, moment: Moment) -> Image.Image:
        now = moment.snapshot
        kept = self._map
        if kept is None or not same_objects(kept[0], now):
            pixels = self._renderer.top_down(now, self._size)
            kept = self._map = now, Image.fromarray(pixels)
        marks = Overlay(self._size)
        marks.way(self._walked(moment.index), self._shell)
        marks.agent(Role.COMMANDER, now.commander, self._shell)
        marks.agent(Role.FOLLOWER, now.follower, self._shell)
        return marks.over(kept[1])

    def _walked(self, index: int) -> list[Place]:
        """Return where the Follower has been, up to a moment."""
        moments = self._timeline.moments[: index + 1]
        bodies = (moment.snapshot.follower.position for moment in moments)
        return [(x, z) for x, _, z in bodies]
