"""Draw frames of the embedded world: what a camera sees, and the room from above."""

from collections.abc import Callable, Collection
from functools import cached_property
from typing import Any

from tatc.home import actions, observation, state
from tatc.home.camera import room_bounds, traced_views
from tatc.home.camera.geometry import IndexArray
from tatc.home.camera.rays import FRAME_PIXELS, Eye, Rgb
from tatc.home.camera.views import (
    CameraImages as CameraImages,
    ImageKind as ImageKind,
    eye_of_role as eye_of_role,
    held_object_in_view,
    overhead_eye,
)
from tatc.home.rendering.renderer import FrameRenderer
from tatc.sim.embedded.world_state import WorldState

MAX_KEPT_VIEWS = 4096  # what is made of so many views is kept, at most


class SnapshotRenderer:
    """Draws the snapshots of one session, and keeps the geometry between them.

    It follows the world's own rules: an object is seen exactly where a click would hit it.
    """

    def __init__(
        self, scene: state.Scene, world: WorldState | None = None, *, fast: bool | None = False
    ) -> None:
        """Take the scene in which a session starts, and its world if only that is drawn, as it is.

        `fast` says whether to draw with numba; None means if it is installed.  The pixels are the
        same.  Numba takes a second to load, and half a minute to compile the first time, so it is
        worth it for many frames only.
        """
        self._scene, self._fast, self._given = scene, fast, world
        self._kept = dict[tuple[object, ...], Any]()

    @cached_property
    def _world(self) -> WorldState:
        return WorldState(self._scene.initial) if self._given is None else self._given

    @cached_property
    def _renderer(self) -> FrameRenderer:
        return FrameRenderer(self._scene.kind, self._scene.initial.objects, self._fast)

    def repaint(self, paint: str) -> None:
        """Draw everything in colours that `paint` decides; if it is empty, in its own."""
        self._renderer.repaint(paint)

    def flatten(self) -> None:
        """Draw everything in plain colours from now on, as `FrameRenderer.flatten` says."""
        self._renderer.flatten()

    def draw(
        self,
        snapshot: state.Snapshot,
        eye: Eye,
        size: int = FRAME_PIXELS,
        views: Collection[ImageKind] = (ImageKind.RGB,),
    ) -> CameraImages:
        """Return the images of a snapshot from an eye, `size` pixels a side.

        Other images than `views` are None.  What the Follower holds appears only in the colours:
        ids and depth are those of what is behind it, because a click there goes through it.
        """
        self._world.restore(snapshot)
        held = held_object_in_view(snapshot, eye)
        return self._renderer.draw(self._world.geometry, snapshot.objects, eye, size, views, held)

    def frame(self, snapshot: state.Snapshot, role: actions.Role, size: int | None = None) -> Rgb:
        """Return what an agent sees through its own camera, in the size of its body's frame."""
        agent = snapshot.follower if role is actions.Role.FOLLOWER else snapshot.commander
        size = agent.body.frame_pixels if size is None else size
        return _require_rgb(self.draw(snapshot, eye_of_role(role, snapshot), size))

    def frame_and_segments(
        self, snapshot: state.Snapshot, role: actions.Role, size: int
    ) -> tuple[Rgb, observation.SegmentationFrame]:
        """Return what `frame` and `segments` return."""
        kinds = ImageKind.RGB, ImageKind.IDS
        views = self.draw(snapshot, eye_of_role(role, snapshot), size, kinds)
        assert views.ids is not None
        return _require_rgb(views), traced_views.segmentation_of(views.ids, snapshot.objects)

    def top_down(self, snapshot: state.Snapshot, size: int = FRAME_PIXELS) -> Rgb:
        """Return the room from above as a square image, with x to the right and z up."""
        eye = overhead_eye(room_bounds.room_bounds_of(snapshot.objects))
        return _require_rgb(self.draw(snapshot, eye, size))

    def segments(
        self, snapshot: state.Snapshot, role: actions.Role, size: int
    ) -> observation.SegmentationFrame:
        """Return what an agent's segmentation camera shows: object types, without ids."""
        views = self.draw(snapshot, eye_of_role(role, snapshot), size, (ImageKind.IDS,))
        assert views.ids is not None
        return traced_views.segmentation_of(views.ids, snapshot.objects)

    def of_ids(
        self,
        snapshot: state.Snapshot,
        role: actions.Role,
        size: int,
        make: Callable[[IndexArray, state.Snapshot], Any],
    ) -> Any:
        """Return what `make` makes of the `ids` of `draw`, kept while nothing but agents moves."""
        self._world.restore(snapshot)
        eye = eye_of_role(role, snapshot)
        key = self._world.geometry.version, eye, size, make
        made = self._kept.get(key)
        if made is None:
            if len(self._kept) >= MAX_KEPT_VIEWS:
                self._kept.clear()
            ids = self.draw(snapshot, eye, size, (ImageKind.IDS,)).ids
            assert ids is not None
            made = self._kept[key] = make(ids, snapshot)
        return made


def _require_rgb(views: CameraImages) -> Rgb:
    assert views.rgb is not None
    return views.rgb
