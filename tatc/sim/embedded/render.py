"""Frames of the embedded world: what a camera sees at a moment, and the room's map."""

from collections.abc import Collection
from functools import cached_property

from tatc.actions import Role, Segments
from tatc.camera.eyes import eye_above, eye_for, in_view
from tatc.camera.painter import Painter
from tatc.camera.rays import FRAME, Eye
from tatc.camera.shell import shell_of
from tatc.camera.views import Rgb, View, Views, segments_of
from tatc.sim.embedded.house import House
from tatc.state import Scene, Snapshot

__all__ = ["Renderer", "View", "Views", "eye_for"]


class Renderer:
    """Draws the snapshots of one session; it keeps what rays hit between them.

    Its geometry follows the snapshots by the rules of the world itself, so that an
    object is seen where a click on it would meet it.
    """

    def __init__(self, scene: Scene, *, fast: bool | None = False) -> None:
        """Take the room that the session starts in; no work is done yet.

        `fast` says whether to draw with numba; None: where it is installed.  The pixels
        are the same, and numba takes a second to load, the first time ever half a
        minute to compile: it is for many frames.
        """
        self._scene = scene
        self._fast = fast

    @cached_property
    def _house(self) -> House:
        return House(self._scene.start)

    @cached_property
    def _painter(self) -> Painter:
        return Painter(self._scene.kind, self._scene.start.objects, self._fast)

    def draw(
        self,
        snapshot: Snapshot,
        eye: Eye,
        size: int = FRAME,
        what: Collection[View] = (View.RGB,),
    ) -> Views:
        """Return what an eye sees at a moment, `size` pixels a side.

        What the Follower holds is seen in the colours alone: ids and depth are those of
        what is behind it, as a click there means that.

        Raises:
            MissingExtra: numba was asked for and is not installed.

        """
        self._house.restore(snapshot)
        geometry = self._house.geometry
        held = in_view(snapshot, eye)
        return self._painter.draw(geometry, snapshot.objects, eye, size, what, held)

    def frame(self, snapshot: Snapshot, role: Role, size: int = FRAME) -> Rgb:
        """Return what an agent sees: the Follower's view, or the Commander's camera."""
        return _rgb(self.draw(snapshot, eye_for(role, snapshot), size))

    def top_down(self, snapshot: Snapshot, size: int = FRAME) -> Rgb:
        """Return the room from above as a square picture; x goes right, z goes up."""
        eye = eye_above(shell_of(snapshot.objects))
        return _rgb(self.draw(snapshot, eye, size))

    def segments(self, snapshot: Snapshot, role: Role, size: int) -> Segments:
        """Return what an agent's segmentation camera shows: things by type alone."""
        views = self.draw(snapshot, eye_for(role, snapshot), size, (View.IDS,))
        assert views.ids is not None
        return segments_of(views.ids, snapshot.objects)


def _rgb(views: Views) -> Rgb:
    assert views.rgb is not None
    return views.rgb
