"""What rays hit: the solids of all objects, kept in arrays that follow the world.

One ray is tried on the boxes around all solids at once and then, nearest first, on the
few solids themselves; frames and windows are painted solid by solid.  Both ways end in
the same exact tests (`ray_intersection`), so one ray and a frame always agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Click
from tatc.camera.ray_intersection import (
    NEAR_PLANE_METRES,
    PreparedSolid,
    Rays,
    intersect,
    intersect_rays,
    prepare_solid,
    solid_bounds,
)
from tatc.camera.rays import FRAME_PIXELS, Eye, Floats, Ints, pixel_of
from tatc.camera.scene_solids import SceneSolids
from tatc.camera.screen_bounds import PixelWindow, ScreenBounds
from tatc.camera.solids import Solid
from tatc.camera.static_geometry import stove_solids
from tatc.state import ObjectState, Vec3

IndexArray = NDArray[np.int32]

NO_OBJECT = -1
"""The object index of a pixel whose ray hits no solid."""

_HIDDEN_BOUND_METRES = 1e9  # bounds turned inside out this far are never hit
_ENCLOSURE_TOLERANCE_METRES = 0.02  # metres that may stick out of what encloses an object
_BOUNDS_MARGIN_METRES = 1e-9  # metres that bounds are wider than their solid, for rounding


@dataclass(frozen=True, slots=True)
class RayHit:
    """What a ray hits first: an object, how far from the eye (metres), and where."""

    index: int
    distance: float
    point: Vec3


class Geometry:
    """The solids of a list of objects, for rays; indices are those of the list.

    It changes only through its own methods, which take microseconds.
    What a ray hits depends on the objects alone, not on the order of changes.
    """

    def __init__(
        self, objects: Sequence[ObjectState], surfaces: Sequence[float | None] | None = None
    ) -> None:
        """Take the solids of all objects.

        `surfaces` are the heights at which things rest (`shapes.surfaces_of`); left
        out, they are measured on these objects.  What is shut now and opens later has
        doors then.
        """
        self._scene_solids = SceneSolids(objects, surfaces)
        self._prepared_solids: list[PreparedSolid] = []
        self._owners: list[int] = []
        self._rows: list[list[int]] = []
        self._low, self._high = np.empty((3, 256)), np.empty((3, 256))
        self._screen_bounds: ScreenBounds | None = None
        for body in stove_solids(objects):
            self._store_bounds(self._new_row(NO_OBJECT, prepare_solid(body)))
        for i, obj in enumerate(objects):
            self._rows.append([])
            self._store_solids(i, self._scene_solids.solids_of_object(i, obj))

    def __len__(self) -> int:
        return len(self._rows)

    def update(self, index: int, obj: ObjectState) -> None:
        """Take the solids of an object anew after it changed."""
        self._store_solids(index, self._scene_solids.solids_of_object(index, obj))

    def surface_height(self, index: int) -> float | None:
        """Return the measured height at which things rest on an object, metres."""
        return self._scene_solids.surface_height(index)

    def append(self, obj: ObjectState) -> None:
        """Add an object at the end of the list."""
        self._scene_solids.append()
        self._rows.append([])
        self.update(len(self._rows) - 1, obj)

    def set_solids(self, index: int, solids: Sequence[Solid]) -> None:
        """Let an object have these solids until its next update."""
        self._store_solids(index, solids)

    def hide(self, index: int) -> None:
        """Let rays pass through an object until its next update."""
        self._store_solids(index, ())

    def hit_at_click(self, eye: Eye, click: Click) -> RayHit | None:
        """Return what the ray through the clicked pixel hits first, or None."""
        return self.cast_ray(eye, eye.ray(*pixel_of(click)))

    def cast_ray(self, eye: Eye, direction: Vec3) -> RayHit | None:
        """Return what a ray from the eye hits first, or None.

        `direction` is one metre deep and has no component that is exactly zero, as
        `Eye.ray` gives it.  Where two objects are hit at exactly one distance, the
        first in the list is meant.
        """
        dx, dy, dz = direction
        inverse = np.array((1 / dx, 1 / dy, 1 / dz) * 2)[:, None]
        times = self._screen_bounds_for(eye).slab_planes(direction) * inverse
        enter, leave = times[:3].max(0), times[3:].min(0)
        tried = np.flatnonzero((enter <= leave) & (leave > NEAR_PLANE_METRES))
        best, owner = inf, NO_OBJECT
        for near, row in sorted(zip(enter[tried].tolist(), tried.tolist(), strict=True)):
            if near > best:
                break
            time = intersect(self._prepared_solids[row], eye.position, direction)
            if time < best or (time == best < inf and self._owners[row] < owner):
                best, owner = time, self._owners[row]
        if owner == NO_OBJECT:
            return None
        best = float(best)  # exact tests of turned solids give numpy's own floats
        x, y, z = eye.position
        point = (x + best * dx, y + best * dy, z + best * dz)
        return RayHit(owner, best * sqrt(dx * dx + dy * dy + dz * dz), point)

    def trace_objects(self, eye: Eye, size: int = FRAME_PIXELS) -> tuple[IndexArray, Floats]:
        """Return what a whole frame shows: object indices, and depths in metres.

        Both have the shape (rows, columns); where nothing is hit the index is `NO_OBJECT`
        and the depth infinite.  Depth is along the view, as AI2-THOR's is.
        """
        return self.trace_object_pixels(eye, np.arange(size), np.arange(size), size)

    def trace_object_pixels(
        self, eye: Eye, columns: Ints, rows: Ints, size: int = FRAME_PIXELS
    ) -> tuple[IndexArray, Floats]:
        """Return what the pixels where columns and rows cross show, as `trace_objects` does.

        Both must be in rising order.
        """
        solids, depths = self.trace_solids(eye, columns, rows, size)
        owners = np.array([*self._owners, NO_OBJECT], dtype=np.int32)
        return owners[solids], depths

    def trace_solids(
        self, eye: Eye, columns: Ints, rows: Ints, size: int
    ) -> tuple[IndexArray, Floats]:
        """Return which solids the pixels show, `NO_OBJECT` for none, and the depths.

        Where two are met at one depth, it is that of the first object in the list.
        """
        seen = np.full((len(rows), len(columns)), NO_OBJECT, dtype=np.int32)
        depths = np.full(seen.shape, inf)
        rays = Rays.from_directions(eye.rays(columns, rows, size))
        windows = self._screen_bounds_for(eye).pixel_bounds(size)
        left, right = np.searchsorted(columns, windows[::2])
        top, bottom = np.searchsorted(rows, windows[1::2])
        found = np.flatnonzero((left < right) & (top < bottom)).tolist()
        for row in sorted(found, key=self._owners.__getitem__):
            part = slice(top[row], bottom[row]), slice(left[row], right[row])
            times = intersect_rays(self._prepared_solids[row], eye.position, rays.window(*part))
            closer = times < depths[part]
            depths[part][closer] = times[closer]
            seen[part][closer] = row
        return seen, depths

    @property
    def prepared_solids(self) -> Sequence[PreparedSolid]:
        """All solids, those that are hidden too; `owners` are their objects."""
        return self._prepared_solids

    @property
    def owners(self) -> Sequence[int]:
        """The index of each solid's object."""
        return self._owners

    @property
    def visible_rows(self) -> Sequence[int]:
        """Which of the solids are not hidden."""
        low = self._low[0, : len(self._prepared_solids)]
        return np.flatnonzero(low < _HIDDEN_BOUND_METRES / 2).tolist()

    def pixel_bounds(self, eye: Eye, size: int) -> Ints:
        """Return for each solid where in a frame it can be: left, top, right, bottom.

        The right is not above the left where it is not seen at all.
        """
        return self._screen_bounds_for(eye).pixel_bounds(size)

    def nearest_depths(self, eye: Eye) -> Floats:
        """Return for each solid a depth before which no ray meets it."""
        view, forward = self._screen_bounds_for(eye), np.array(eye.axes[0])[:, None]
        return np.minimum(view.low * forward, view.high * forward).sum(0)

    def object_indices_in(self, eye: Eye, window: PixelWindow) -> IndexArray:
        """Return the object indices of a rectangle of the frame: rows, columns."""
        columns = np.arange(window.left, window.right)
        return self.trace_object_pixels(eye, columns, np.arange(window.top, window.bottom))[0]

    def object_bounds(self, index: int) -> tuple[Vec3, Vec3] | None:
        """Return the lowest and highest corner around an object's solids, or None."""
        rows = self._visible_rows_of(index)
        if not rows:
            return None
        low, high = self._low[:, rows].min(1), self._high[:, rows].max(1)
        return _to_vec3(low), _to_vec3(high)

    def count_visible_pixels(self, eye: Eye, index: int) -> int:
        """Return how many pixels of the frame show an object."""
        shown = self.object_indices_in(eye, self.bounding_window(eye, index))
        return int(np.count_nonzero(shown == index))

    def bounding_window(self, eye: Eye, index: int) -> PixelWindow:
        """Return a rectangle of the frame that holds every pixel of an object."""
        found = self._screen_bounds_for(eye).pixel_bounds(FRAME_PIXELS)[
            :, self._visible_rows_of(index)
        ]
        if not found.size:
            return PixelWindow(0, 0, 0, 0)
        left, top = found[:2].min(1).tolist()
        right, bottom = found[2:].max(1).tolist()
        return PixelWindow(left, top, right, bottom)

    def is_enclosed(self, index: int) -> bool:
        """Whether an object stands inside another's closed box, seen from nowhere.

        Two centimetres that stick out below or at a side do not count: boxes are rough.
        """
        extent = self.object_bounds(index)
        if extent is None:
            return False
        low, high = np.array(extent)
        rough = np.minimum(_ENCLOSURE_TOLERANCE_METRES, (high - low) / 4.0)
        low, high = low + rough, high - rough * (1.0, 0.0, 1.0)
        rows = len(self._prepared_solids)
        around = (self._low[:, :rows] <= low[:, None]).all(0)
        around &= (self._high[:, :rows] >= high[:, None]).all(0)
        return any(
            self._prepared_solids[row].is_axis_aligned_box and self._owners[row] != index
            for row in np.flatnonzero(around).tolist()
        )

    def _visible_rows_of(self, index: int) -> list[int]:
        return [r for r in self._rows[index] if self._low[0, r] < _HIDDEN_BOUND_METRES]

    def _store_solids(self, index: int, solids: Sequence[Solid]) -> None:
        rows = self._rows[index]
        for i, solid in enumerate(solids):
            target = prepare_solid(solid)
            if i == len(rows):
                rows.append(self._new_row(index, target))
            row = rows[i]
            self._prepared_solids[row] = target
            self._store_bounds(row)
        gone = rows[len(solids) :]
        self._low[:, gone], self._high[:, gone] = (_HIDDEN_BOUND_METRES, -_HIDDEN_BOUND_METRES)
        self._screen_bounds = None

    def _store_bounds(self, row: int) -> None:
        """Note the box around a row's target."""
        low, high = solid_bounds(self._prepared_solids[row])
        self._low[:, row], self._high[:, row] = low, high
        self._low[:, row] -= _BOUNDS_MARGIN_METRES
        self._high[:, row] += _BOUNDS_MARGIN_METRES

    def _new_row(self, owner: int, target: PreparedSolid) -> int:
        if len(self._prepared_solids) == self._low.shape[1]:
            self._low = np.concatenate([self._low, self._low], axis=1)
            self._high = np.concatenate([self._high, self._high], axis=1)
        self._prepared_solids.append(target)
        self._owners.append(owner)
        return len(self._prepared_solids) - 1

    def _screen_bounds_for(self, eye: Eye) -> ScreenBounds:
        view = self._screen_bounds
        if view is None or (view.eye is not eye and view.eye != eye):
            rows = len(self._prepared_solids)
            view = self._screen_bounds = ScreenBounds(
                eye, self._low[:, :rows], self._high[:, :rows]
            )
        return view


def _to_vec3(values: Floats) -> Vec3:
    x, y, z = values.tolist()
    return x, y, z
