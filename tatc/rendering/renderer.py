"""Draws what an eye sees of a list of objects: by numpy, or by numba where it is there.

Both ways give the same pixels to the last bit.
"""

from collections.abc import Collection, Sequence
from importlib.util import find_spec
from typing import Protocol

import numpy as np

from tatc.camera.geometry import NO_OBJECT, Geometry, IndexArray
from tatc.camera.ray_intersection import PreparedSolid
from tatc.camera.rays import Eye, Floats, Rgb
from tatc.camera.room_bounds import room_bounds_of
from tatc.camera.views import CameraImages, ImageKind, class_image, object_types
from tatc.errors import MissingExtra
from tatc.rendering import numpy_backend
from tatc.rendering.ambient_occlusion import AmbientOcclusion, compute_ambient_occlusion
from tatc.rendering.shader_inputs import ShaderInputs
from tatc.state import ObjectState, RoomKind


class RenderBackend(Protocol):
    """What draws frames: `numpy_backend` does, and so does `compiled`."""

    def trace_frame(self, geometry: Geometry, eye: Eye, size: int) -> tuple[IndexArray, Floats]:
        """Return which solids a frame shows, and how deep."""
        ...

    def fill_background(
        self, frame: IndexArray, depths: Floats, eye: Eye, room_solid: PreparedSolid, room_row: int
    ) -> None:
        """Let pixels that show nothing show the room around."""
        ...

    def shade_frame(
        self,
        frame: IndexArray,
        depths: Floats,
        eye: Eye,
        inputs: Floats,
        occlusion: AmbientOcclusion,
    ) -> Rgb:
        """Return the colours of a frame."""
        ...


class FrameRenderer:
    """Draws one room, and keeps what does not change from frame to frame."""

    def __init__(
        self, kind: RoomKind, objects: Sequence[ObjectState], fast: bool | None = None
    ) -> None:
        """Take the room as it is when a session starts.

        `fast` says whether to draw with numba; None: where it is installed.

        Raises:
            MissingExtra: numba is asked for and not installed.

        """
        there = find_spec("numba") is not None
        if fast and not there:
            raise MissingExtra("fast", "numba")
        self._use_numba = there if fast is None else fast
        self._room_bounds = room_bounds_of(objects)
        self._kind = kind
        self._shader_inputs = ShaderInputs(kind, self._room_bounds)
        self._ambient_occlusion: tuple[list[PreparedSolid], AmbientOcclusion] | None = None

    def draw(
        self,
        geometry: Geometry,
        objects: Sequence[ObjectState],
        eye: Eye,
        size: int,
        kinds: Collection[ImageKind],
        held: ObjectState | None = None,
    ) -> CameraImages:
        """Return what an eye sees; the geometry must be that of the objects.

        `held` is what the hand holds, where it is to be seen: in the colours alone, for
        rays pass it by, as clicks do.
        """
        engine = self._backend()
        seen, depths = engine.trace_frame(geometry, eye, size)
        if ImageKind.RGB in kinds or ImageKind.DEPTH in kinds:
            around, number = (self._shader_inputs.room_solid, len(geometry.prepared_solids))
            engine.fill_background(seen, depths, eye, around, number)
        rgb = None
        if ImageKind.RGB in kinds:
            columns = self._shader_inputs.updated_rows(
                geometry.prepared_solids, geometry.owners, objects
            )
            air = self._current_ambient_occlusion(geometry)
            rgb = engine.shade_frame(seen, depths, eye, columns, air)
            if held is not None:
                self._draw_held_object(rgb, held, eye, air)
        owners = np.array([*geometry.owners, NO_OBJECT, NO_OBJECT], dtype=np.int32)
        ids, types = owners[seen], object_types(objects)
        classes = ImageKind.CLASSES in kinds
        return CameraImages(
            rgb=rgb,
            ids=ids if ImageKind.IDS in kinds else None,
            classes=class_image(ids, objects, types) if classes else None,
            depth=depths.astype(np.float32) if ImageKind.DEPTH in kinds else None,
            types=types,
        )

    def _draw_held_object(
        self, rgb: Rgb, held: ObjectState, eye: Eye, air: AmbientOcclusion
    ) -> None:
        """Paint what the hand holds over all else."""
        hand, engine = Geometry([held]), self._backend()
        seen, depths = engine.trace_frame(hand, eye, len(rgb))
        columns = ShaderInputs(self._kind, self._room_bounds).updated_rows(
            hand.prepared_solids, hand.owners, [held]
        )
        shown = seen != NO_OBJECT
        rgb[shown] = engine.shade_frame(seen, depths, eye, columns, air)[shown]

    def _backend(self) -> RenderBackend:
        if not self._use_numba:
            return numpy_backend
        from tatc.rendering import numba_backend

        return numba_backend

    def _current_ambient_occlusion(self, geometry: Geometry) -> AmbientOcclusion:
        """Return the room's air, made anew where solids have changed."""
        shown = [geometry.prepared_solids[row] for row in geometry.visible_rows]
        if self._ambient_occlusion is None or not _are_same_solids(
            shown, self._ambient_occlusion[0]
        ):
            air = compute_ambient_occlusion(shown, self._room_bounds.low, self._room_bounds.high)
            self._ambient_occlusion = shown, air
        return self._ambient_occlusion[1]


def _are_same_solids(some: Sequence[PreparedSolid], others: Sequence[PreparedSolid]) -> bool:
    pairs = zip(some, others, strict=False)
    return len(some) == len(others) and all(one is other for one, other in pairs)
