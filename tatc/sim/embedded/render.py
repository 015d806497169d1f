"""Frames of the embedded world: what a camera sees at a moment, and the room's map."""

from collections.abc import Collection, Iterable
from functools import cached_property

from tatc.actions import Role, Segments
from tatc.camera.eyes import eye_above, eye_for, eye_towards
from tatc.camera.painter import Painter
from tatc.camera.rays import FRAME, Eye
from tatc.camera.shell import shell_of
from tatc.camera.views import Rgb, View, Views, segments_of
from tatc.sim.embedded.house import House
from tatc.state import ObjectState, Pose, Scene, Snapshot

__all__ = ["Renderer", "View", "Views"]

_ALL = tuple(View)


class Renderer:
    """Draws the snapshots of one session; it keeps what rays hit between them.

    Its geometry follows the snapshots by the rules of the world itself, so that an
    object is seen where a click on it would meet it.
    """

    def __init__(self, scene: Scene, *, fast: bool | None = None) -> None:
        """Take the room that the session starts in; no work is done yet.

        `fast` says whether to draw with numba; None: where it is installed.  The
        pixels are the same.
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

        Raises:
            MissingExtra: numba was asked for and is not installed.

        """
        self._house.restore(snapshot)
        geometry = self._house.geometry
        return self._painter.draw(geometry, snapshot.objects, eye, size, what)

    def frame(self, snapshot: Snapshot, role: Role, size: int = FRAME) -> Rgb:
        """Return what an agent sees: the Follower's view, or the Commander's camera."""
        return _rgb(self.draw(snapshot, eye_for(role, snapshot), size))

    def target(
        self,
        snapshot: Snapshot,
        thing: ObjectState,
        reachable: Iterable[Pose],
        size: int = FRAME,
    ) -> Views:
        """Return what the target-object camera shows of a thing: colours and ids.

        Where no place can be reached the Commander's camera takes its place.
        """
        eye = eye_towards(thing, reachable) or eye_for(Role.COMMANDER, snapshot)
        return self.draw(snapshot, eye, size, _ALL)

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
