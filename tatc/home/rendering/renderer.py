"""Draw what an eye sees of a list of objects, with numpy, or with numba if installed.

Both backends give the same pixels to the last bit.
"""

from collections.abc import Collection, Sequence
from operator import is_
from types import ModuleType

import numpy as np

from tatc.base.errors import MissingExtra
from tatc.home.camera.compiled_views import has_numba
from tatc.home.camera.geometry import NO_OBJECT, Geometry, IndexArray
from tatc.home.camera.ray_intersection import PreparedSolid
from tatc.home.camera.rays import Eye, Floats, Rgb
from tatc.home.camera.room_bounds import room_bounds_of
from tatc.home.camera.views import CameraImages, ImageKind, class_image, object_types
from tatc.home.rendering import numpy_backend, shader_inputs, shading
from tatc.home.rendering.ambient_occlusion import AmbientOcclusion, compute_ambient_occlusion
from tatc.home.state import ObjectState, RoomKind


class FrameRenderer:
    """Draws one room, and caches what does not change from frame to frame."""

    def __init__(
        self, kind: RoomKind, objects: Sequence[ObjectState], fast: bool | None = None
    ) -> None:
        """Take the objects as a session starts; `fast` draws with numba, None if installed."""
        if fast:
            MissingExtra.check("fast", "numba")
        self._use_numba = has_numba() if fast is None else fast
        self._room_bounds = room_bounds_of(objects)
        self._kind, self._is_flat = kind, False
        self.repaint("")
        self._ambient_occlusion: tuple[list[PreparedSolid], AmbientOcclusion] | None = None

    def repaint(self, paint: str) -> None:
        """Draw everything in colours that `paint` decides; if it is empty, in its own."""
        self._paint = paint
        self._shader_inputs = shader_inputs.ShaderInputs(self._kind, self._room_bounds, paint)

    def flatten(self) -> None:
        """Draw each solid in its first colour alone from now on: no pattern, light or dirt."""
        self._is_flat = True

    def draw(
        self,
        geometry: Geometry,
        objects: Sequence[ObjectState],
        eye: Eye,
        size: int,
        kinds: Collection[ImageKind],
        held: ObjectState | None = None,
    ) -> CameraImages:
        """Return the images of `kinds` that an eye sees, `size` pixels a side.

        `geometry` must be that of `objects`.  `held` is the object in the hand, placed where it is
        seen, or None.  It appears only in the colours, because rays pass through it, as clicks do.
        """
        backend, solids, rgb = self._backend(), geometry.prepared_solids, None
        is_filled = ImageKind.RGB in kinds or ImageKind.DEPTH in kinds
        room_solid = self._shader_inputs.room_solid if is_filled else None
        seen, depths = backend.trace_frame(geometry, eye, size, room_solid)
        if ImageKind.RGB in kinds:
            rows = self._shader_inputs.updated_rows(solids, geometry.owners, objects)
            rgb = self._colours(geometry, seen, depths, eye, rows)
            if held is not None:
                self._draw_held_object(rgb, held, geometry, eye)
        ids = geometry.owners_at(seen)
        types = object_types(objects) if ImageKind.CLASSES in kinds else ()
        return CameraImages(
            rgb=rgb,
            ids=ids if ImageKind.IDS in kinds else None,
            classes=class_image(ids, objects, types) if ImageKind.CLASSES in kinds else None,
            depth=depths.astype(np.float32) if ImageKind.DEPTH in kinds else None,
            types=types,
        )

    def _colours(
        self, geometry: Geometry, seen: IndexArray, depths: Floats, eye: Eye, rows: Floats
    ) -> Rgb:
        if self._is_flat:
            colours = rows[:, shading.FIRST_COLOUR : shading.FIRST_COLOUR + 3]
            return colours.astype(np.uint8).take(seen, axis=0)
        occlusion = self._current_ambient_occlusion(geometry)
        return self._backend().shade_frame(seen, depths, eye, rows, occlusion)

    def _draw_held_object(self, rgb: Rgb, held: ObjectState, room: Geometry, eye: Eye) -> None:
        hand = Geometry([held])
        seen, depths = self._backend().trace_frame(hand, eye, len(rgb), None)
        inputs = shader_inputs.ShaderInputs(self._kind, self._room_bounds, self._paint)
        rows = inputs.updated_rows(hand.prepared_solids, hand.owners, [held])
        shown = seen != NO_OBJECT
        rgb[shown] = self._colours(room, seen, depths, eye, rows)[shown]

    def _backend(self) -> ModuleType:
        """Return the module whose `trace_frame` and `shade_frame` draw."""
        if not self._use_numba:
            return numpy_backend
        from tatc.home.rendering import numba_backend

        return numba_backend

    def _current_ambient_occlusion(self, geometry: Geometry) -> AmbientOcclusion:
        """Return the room's ambient occlusion, recomputed if its solids have changed."""
        shown = [geometry.prepared_solids[row] for row in geometry.visible_rows]
        if self._ambient_occlusion is not None:
            before, occlusion = self._ambient_occlusion
            if len(shown) == len(before) and all(map(is_, shown, before)):
                return occlusion
        occlusion = compute_ambient_occlusion(shown, self._room_bounds.low, self._room_bounds.high)
        self._ambient_occlusion = shown, occlusion
        return occlusion
