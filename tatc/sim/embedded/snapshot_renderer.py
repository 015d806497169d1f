"""Frames of the embedded world: what a camera sees at a moment, and the room's map."""

from collections.abc import Collection
from functools import cached_property

from tatc.actions import Role, SegmentationFrame
from tatc.camera.eyes import eye_of_role, held_object_in_view, overhead_eye
from tatc.camera.rays import FRAME_PIXELS, Eye
from tatc.camera.room_bounds import room_bounds_of
from tatc.camera.views import CameraImages, ImageKind, Rgb, segmentation_of
from tatc.rendering.renderer import FrameRenderer
from tatc.sim.embedded.world_state import WorldState
from tatc.state import Scene, Snapshot

__all__ = ["CameraImages", "ImageKind", "SnapshotRenderer", "eye_of_role"]


class SnapshotRenderer:
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
    def _world(self) -> WorldState:
        return WorldState(self._scene.start)

    @cached_property
    def _renderer(self) -> FrameRenderer:
        return FrameRenderer(self._scene.kind, self._scene.start.objects, self._fast)

    def draw(
        self,
        snapshot: Snapshot,
        eye: Eye,
        size: int = FRAME_PIXELS,
        views: Collection[ImageKind] = (ImageKind.RGB,),
    ) -> CameraImages:
        """Return what an eye sees at a moment, `size` pixels a side.

        What the Follower holds is seen in the colours alone: ids and depth are those of
        what is behind it, as a click there means that.

        Raises:
            MissingExtra: numba was asked for and is not installed.

        """
        self._world.restore(snapshot)
        geometry = self._world.geometry
        held = held_object_in_view(snapshot, eye)
        return self._renderer.draw(geometry, snapshot.objects, eye, size, views, held)

    def frame(self, snapshot: Snapshot, role: Role, size: int = FRAME_PIXELS) -> Rgb:
        """Return what an agent sees: the Follower's view, or the Commander's camera."""
        return _require_rgb(self.draw(snapshot, eye_of_role(role, snapshot), size))

    def top_down(self, snapshot: Snapshot, size: int = FRAME_PIXELS) -> Rgb:
        """Return the room from above as a square picture; x goes right, z goes up."""
        eye = overhead_eye(room_bounds_of(snapshot.objects))
        return _require_rgb(self.draw(snapshot, eye, size))

    def segments(self, snapshot: Snapshot, role: Role, size: int) -> SegmentationFrame:
        """Return what an agent's segmentation camera shows: things by type alone."""
        views = self.draw(snapshot, eye_of_role(role, snapshot), size, (ImageKind.IDS,))
        assert views.ids is not None
        return segmentation_of(views.ids, snapshot.objects)


def _require_rgb(views: CameraImages) -> Rgb:
    assert views.rgb is not None
    return views.rgb
