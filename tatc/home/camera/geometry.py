"""What rays hit: the solids of all objects, kept in arrays that are updated with the world.

A single ray is tested against all bounding boxes at once and then, nearest first, against
the few solids whose boxes it hits.  Frames and windows are traced solid by solid.  Both
paths end in the same exact tests (`ray_intersection`), so they always agree.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import inf, sqrt
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tatc.home import actions, state
from tatc.home.camera import ray_intersection, rays, room_outline, scene_solids
from tatc.home.camera.rays import Eye, Floats, Ints, PixelWindow, Rays, ScreenBounds, pixel_of
from tatc.home.camera.solids import Solid


@dataclass(frozen=True, slots=True)
class RayHit:
    """The first hit of a ray: an object's index, the distance from the eye (metres), the point."""

    index: int
    distance: float
    point: state.Vec3


IndexArray = NDArray[np.int32]

NO_OBJECT = -1  # the object index of a pixel whose ray hits no solid, or a wall or a stove's body

_HIDDEN_BOUND_METRES = 1e9  # hidden solids have low > high by this: never hit
_ENCLOSURE_TOLERANCE_METRES = 0.02  # how far an enclosed object may stick out
_BOUNDS_MARGIN_METRES = 1e-9  # bounds are wider than their solid, for rounding


class Geometry:
    """The solids of a list of objects, which rays can hit; indices refer to that list.

    It changes only through its own methods, which take microseconds; `version` grows with each
    change.  What a ray hits depends only on the objects, not on the order of the changes.
    """

    def __init__(self, objects: Sequence[state.ObjectState], *, has_walls: bool = True) -> None:
        """Cut all objects into solids.

        With `has_walls`, which needs all objects of a room, what is beyond its walls is solid.  An
        object that is closed now gets its doors when it opens later.
        """
        self._scene_solids = scene_solids.SceneSolids(objects)
        self.prepared_solids: list[ray_intersection.PreparedSolid] = []
        """All solids, including hidden ones; `owners` gives their objects."""
        self.owners: list[int] = []
        """The object index of each solid; `NO_OBJECT` for walls and the stove's body."""
        self._owner_array: IndexArray = np.empty(0, dtype=np.int32)
        self._rows: list[tuple[int, ...]] = []
        self._screen_bounds: ScreenBounds | None = None
        self._last_hit: tuple[ScreenBounds, state.Vec3, RayHit | None] | None = None
        self.version = 0
        beyond = room_outline.boxes_beyond_walls(objects) if has_walls else ()
        walls = (Solid(box.center, box.size) for box in beyond)
        self._objects = list(objects)
        self._shut_in = scene_solids.ShutInObjects(objects)
        self._hidden: set[int] = set()
        parts = state.parts_of(objects)
        for body in (*scene_solids.stove_solids(parts.fixtures), *walls):
            self._new_row(NO_OBJECT, ray_intersection.prepare_solid(body))
        fixtures = dict(zip(parts.indices, parts.fixtures, strict=True))
        for i in range(len(objects)):
            fixture, first = fixtures.get(i), len(self.owners)
            if fixture is None or fixture.isOpen:
                if not self._shut_in.is_shut_in(i):
                    own = self._scene_solids.solids_of_object(i, objects[i])
                    self.prepared_solids += map(ray_intersection.prepare_solid, own)
            else:
                self.prepared_solids += self._scene_solids.prepared_fixture(i, fixture)
            self._rows.append(tuple(range(first, len(self.prepared_solids))))
            self.owners += [i] * len(self._rows[i])
        pairs = map(ray_intersection.solid_bounds, self.prepared_solids)
        values = chain.from_iterable(chain.from_iterable(pairs))
        corners = np.fromiter(values, np.float64).reshape(-1, 2, 3)
        self._low, self._high = corners.transpose(1, 2, 0).copy()
        self._low -= _BOUNDS_MARGIN_METRES
        self._high += _BOUNDS_MARGIN_METRES

    @classmethod
    def of_room(cls, objects: Sequence[state.ObjectState], *, has_walls: bool = True) -> "Geometry":
        """Return the geometry of a room; those of the last equal ones are copied, not cut again."""
        known = _cut(objects, has_walls)
        made = scene_solids.copy_parts(known)
        made._objects, origins[made] = list(objects), known
        return made

    def __len__(self) -> int:
        return len(self._rows)

    def update(self, index: int, obj: state.ObjectState) -> None:
        """Replace the solids of an object that has changed, and show it if it was hidden.

        What is in it comes into view when it opens, and goes out of view when it closes.
        """
        self._objects[index] = obj
        self._hidden.discard(index)
        for i in (*self._shut_in.update(index, obj), index):
            unseen = i in self._hidden or self._shut_in.is_shut_in(i)
            own = () if unseen else self._scene_solids.prepared_object(i, self._objects[i])
            self._set_prepared(i, own)

    def surface_height(self, index: int) -> float | None:
        """Return the measured height at which objects rest on an object, metres, or None."""
        return self._scene_solids.surface_height(index)

    def append(self, obj: state.ObjectState) -> None:
        """Add an object at the end of the list."""
        self._scene_solids.append()
        self._rows.append(())
        self._objects.append(obj)
        self.update(len(self._rows) - 1, obj)

    def set_solids(self, index: int, solids: Sequence[Solid]) -> None:
        """Give an object these solids until its next update."""
        self._set_prepared(index, [*map(ray_intersection.prepare_solid, solids)])

    def _set_prepared(self, index: int, solids: Sequence[ray_intersection.PreparedSolid]) -> None:
        rows = self._rows[index]
        for i, solid in enumerate(solids):
            if i == len(rows):
                rows = self._rows[index] = (*rows, self._new_row(index, solid))
            else:
                self.prepared_solids[rows[i]] = solid
            self._store_bounds(rows[i])
        for row in rows[len(solids) :]:
            self._low[:, row], self._high[:, row] = _HIDDEN_BOUND_METRES, -_HIDDEN_BOUND_METRES
        self._screen_bounds = None
        self.version += 1

    def hide(self, index: int) -> None:
        """Let rays pass through an object until its next update."""
        self._hidden.add(index)
        self.set_solids(index, ())

    def hit_at_click(self, eye: Eye, click: actions.Click) -> RayHit | None:
        """Return what the ray through the clicked pixel hits first, or None."""
        return self.cast_ray(eye, eye.ray(*pixel_of(click)))

    def cast_ray(self, eye: Eye, direction: state.Vec3) -> RayHit | None:
        """Return what a ray from the eye hits first, or None.

        `direction` is one metre deep and has no zero component, as `Eye.ray` returns it.  Of two
        objects at exactly the same distance, the first in the list counts.
        """
        bounds = self.screen_bounds(eye)
        if self._last_hit is not None and self._last_hit[:2] == (bounds, direction):
            return self._last_hit[2]
        x, y, z = (
            (low * (1 / part), high * (1 / part))[:: 1 if part > 0 else -1]
            for part, low, high in zip(direction, bounds.low, bounds.high, strict=True)
        )
        enter = np.maximum(np.maximum(x[0], y[0]), z[0])
        leave = np.minimum(np.minimum(x[1], y[1]), z[1])
        rows = np.flatnonzero((enter <= leave) & (leave > rays.NEAR_PLANE_METRES))
        met = sorted(zip(enter[rows].tolist(), rows.tolist(), strict=True))
        hit = self._first_of(met, eye.position, direction)
        self._last_hit = bounds, direction, hit
        return hit

    def cast_rays(self, eye: Eye, directions: Floats, depths: Floats) -> Iterator[RayHit | None]:
        """Yield what `cast_ray` returns for each of many rays, (rays, 3).

        Where nothing is nearer than a ray's depth (metres), it may be None or what lies behind.
        """
        bounds, rising = self.screen_bounds(eye), (directions > 0)[..., None]
        sides, inverse = (bounds.low, bounds.high), (1 / directions)[..., None]
        x, y, z = (np.where(rising, *sides) * inverse).swapaxes(0, 1)
        enter = np.maximum(np.maximum(x, y), z)
        x, y, z = (np.where(rising, *sides[::-1]) * inverse).swapaxes(0, 1)
        leave = np.minimum(np.minimum(x, y), z)
        is_met = (enter <= leave) & (leave > rays.NEAR_PLANE_METRES)
        ray, row = (is_met & (enter < depths[:, None])).nonzero()
        met = list(zip(enter[ray, row].tolist(), row.tolist(), strict=True))
        ends = ray.searchsorted(np.arange(len(directions) + 1)).tolist()
        for first, end, direction in zip(ends, ends[1:], directions.tolist(), strict=False):
            yield self._first_of(sorted(met[first:end]), eye.position, direction)

    def _first_of(
        self, met: Sequence[tuple[float, int]], position: state.Vec3, direction: state.Vec3
    ) -> RayHit | None:
        """Return a ray's first hit; `met` has the depth and the row of each box, nearest first."""
        ray, best, owner = Rays.single(direction), inf, -1
        for near, row in met:
            if near > best:
                break
            solid = self.prepared_solids[row]
            time = float(ray_intersection.intersect_rays(solid, position, ray))
            if time < best or (time == best < inf and self.owners[row] < owner):
                best, owner = time, self.owners[row]
        if owner < 0:
            return None
        (x, y, z), (dx, dy, dz) = position, direction
        point = (x + best * dx, y + best * dy, z + best * dz)
        return RayHit(owner, best * sqrt(dx * dx + dy * dy + dz * dz), point)

    def cast_from(self, point: state.Vec3, direction: state.Vec3) -> RayHit | None:
        """Return what a ray from a point in any direction, a vector of length 1, hits first."""
        x, y, z = (part or rays.MIN_RAY_COMPONENT for part in direction)
        return self.cast_ray(Eye(point, 0.0, 0.0), (x, y, z))

    def trace_objects(self, eye: Eye, size: int = rays.FRAME_PIXELS) -> tuple[IndexArray, Floats]:
        """Return the object indices and the depths of a whole frame.

        Both have the shape (rows, columns).  Where nothing is hit, the index is `NO_OBJECT` and the
        depth is infinite.  Depths are metres along the view direction, as in AI2-THOR.
        """
        return self.trace_object_pixels(eye, np.arange(size), np.arange(size), size)

    def trace_object_pixels(
        self, eye: Eye, columns: Ints, rows: Ints, size: int = rays.FRAME_PIXELS
    ) -> tuple[IndexArray, Floats]:
        """Return what `trace_objects` does where columns and rows, both ascending, cross."""
        solids, depths = self.trace_solids(eye, columns, rows, size)
        return self.owners_at(solids), depths

    def trace_solids(
        self, eye: Eye, columns: Ints, rows: Ints, size: int, rays: Rays | None = None
    ) -> tuple[IndexArray, Floats]:
        """Return the solids that pixels show, `NO_OBJECT` for none, and the depths in metres.

        Both have the shape (rows, columns).  At the same depth, the first object in the list
        counts.  `rays` are those of the pixels, if the caller has them.
        """
        seen = np.full((len(rows), len(columns)), NO_OBJECT, dtype=np.int32)
        depths = np.full(seen.shape, inf)
        rays = rays or Rays.from_directions(eye.rays(columns, rows, size))
        windows = self.screen_bounds(eye).pixel_bounds(size)
        left, right = np.searchsorted(columns, windows[::2])
        top, bottom = np.searchsorted(rows, windows[1::2])
        found = np.flatnonzero((left < right) & (top < bottom)).tolist()
        for row in sorted(found, key=self.owners.__getitem__):
            part = slice(top[row], bottom[row]), slice(left[row], right[row])
            solid = self.prepared_solids[row]
            times = ray_intersection.intersect_rays(solid, eye.position, rays.window(*part))
            closer = times < depths[part]
            depths[part][closer] = times[closer]
            seen[part][closer] = row
        return seen, depths

    def owners_at(self, solids: IndexArray) -> IndexArray:
        """Return the objects of solids; `NO_OBJECT` for none, and for the row after the last."""
        if len(self._owner_array) != len(self.owners) + 2:  # owners are only ever added
            self._owner_array = np.array([*self.owners, NO_OBJECT, NO_OBJECT], dtype=np.int32)
        return self._owner_array.take(solids)

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest corners: (3, solids); a hidden solid's lowest is above its highest."""
        rows = len(self.prepared_solids)
        return self._low[:, :rows], self._high[:, :rows]

    @property
    def visible_rows(self) -> Sequence[int]:
        """The indices of the solids that are not hidden."""
        low = self._low[0, : len(self.prepared_solids)]
        return np.flatnonzero(low < _HIDDEN_BOUND_METRES / 2).tolist()

    def object_bounds(self, index: int) -> tuple[state.Vec3, state.Vec3] | None:
        """Return the lowest and highest corner around an object's visible solids, or None."""
        rows = self.visible_rows_of(index)
        if not rows:
            return None
        x0, y0, z0 = self._low[:, rows].min(1).tolist()
        x1, y1, z1 = self._high[:, rows].max(1).tolist()
        return (x0, y0, z0), (x1, y1, z1)

    def bounding_window(self, eye: Eye, index: int) -> PixelWindow:
        """Return a rectangle of the frame that contains every pixel of an object."""
        rows = self.visible_rows_of(index)
        found = self.screen_bounds(eye).pixel_bounds(rays.FRAME_PIXELS)[:, rows]
        if not found.size:
            return PixelWindow(0, 0, 0, 0)
        left, top = found[:2].min(1).tolist()
        right, bottom = found[2:].max(1).tolist()
        return PixelWindow(left, top, right, bottom)

    def is_enclosed(self, index: int) -> bool:
        """Whether an object is shut in, or inside another's box: it is seen from nowhere.

        Up to two centimetres may stick out below or at a side, because boxes are rough.
        """
        if self._shut_in.is_shut_in(index):
            return True
        extent = self.object_bounds(index)
        if extent is None:
            return False
        low, high = np.array(extent)
        rough = np.minimum(_ENCLOSURE_TOLERANCE_METRES, (high - low) / 4.0)
        low, high = low + rough, high - rough * (1.0, 0.0, 1.0)
        lows, highs = self.bounds
        around = (lows <= low[:, None]).all(0) & (highs >= high[:, None]).all(0)
        return any(
            self.prepared_solids[row].is_axis_aligned_box and self.owners[row] != index
            for row in np.flatnonzero(around).tolist()
        )

    def visible_rows_of(self, index: int) -> list[int]:
        """Return the indices of an object's solids that are not hidden."""
        return [r for r in self._rows[index] if self._low[0, r] < _HIDDEN_BOUND_METRES]

    def visible_solid(self, row: int) -> ray_intersection.PreparedSolid | None:
        """Return the solid in a row, or None if it is hidden."""
        return self.prepared_solids[row] if self._low[0, row] < _HIDDEN_BOUND_METRES else None

    def _store_bounds(self, row: int) -> None:
        if row == self._low.shape[1]:
            spare = np.empty((3, 256))
            self._low = np.concatenate([self._low, spare], axis=1)
            self._high = np.concatenate([self._high, spare], axis=1)
        (x0, y0, z0), (x1, y1, z1) = ray_intersection.solid_bounds(self.prepared_solids[row])
        margin = _BOUNDS_MARGIN_METRES
        self._low[:, row] = x0 - margin, y0 - margin, z0 - margin
        self._high[:, row] = x1 + margin, y1 + margin, z1 + margin

    def _new_row(self, owner: int, solid: ray_intersection.PreparedSolid) -> int:
        """Add a solid, whose bounds are not stored yet; return its row."""
        self.prepared_solids.append(solid)
        self.owners.append(owner)
        return len(self.prepared_solids) - 1

    def screen_bounds(self, eye: Eye) -> ScreenBounds:
        """Return the bounding boxes of all solids as an eye sees them, hidden solids included."""
        view = self._screen_bounds
        if view is None or (view.eye is not eye and view.eye != eye):
            view = self._screen_bounds = ScreenBounds(eye, *self.bounds)
        return view


origins = WeakKeyDictionary[Geometry, Geometry]()
"""The geometry of which another is a copy; no part of what is pickled with it."""


@partial(state.kept_by_shape, count=64)
def _cut(objects: Sequence[state.ObjectState], has_walls: bool) -> Geometry:
    return Geometry(objects, has_walls=has_walls)
