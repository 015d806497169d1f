"""What an eye sees of a whole frame: objects and depths, and their sums."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from tatc.home.camera import compiled_views
from tatc.home.camera.geometry import NO_OBJECT, Geometry, IndexArray
from tatc.home.camera.ray_intersection import PreparedSolid, intersect_rays
from tatc.home.camera.rays import Eye, Floats, Ints, Rays
from tatc.home.camera.views import TracedView
from tatc.home.observation import SegmentationFrame
from tatc.home.state import ObjectState

_MAX_CACHED_DIRECTIONS = 32  # four yaws and four horizons, of two sizes


def trace_first_hits(geometry: Geometry, room: PreparedSolid, eye: Eye, size: int) -> TracedView:
    """Return what an eye's rays hit, `size` pixels along each side of the view, without colours.

    `room` is the walls, the floor and the ceiling, from `prepare_room_solid`.
    """
    rays, lengths = _rays_in_direction(eye.yaw, eye.horizon, eye.fov, size)
    if compiled := compiled_views.after_many(compiled_views.whole_views):
        ids, depths = compiled.trace_frame(geometry, eye, size, room, as_objects=True)
    else:
        everywhere = np.arange(size)
        solids, depths = geometry.trace_solids(eye, everywhere, everywhere, size, rays)
        free = np.nonzero(solids == NO_OBJECT)
        depths[free] = intersect_rays(room, eye.position, rays.of_pixels(*free))
        ids = geometry.owners_at(solids)
    depths *= lengths
    return TracedView(eye, ids, depths)


def segmentation_of(ids: IndexArray, objects: Sequence[ObjectState]) -> SegmentationFrame:
    """Return a view's objects by type, numbered by their first pixels; -1 where there is none."""
    pixels, shown = number_objects(ids, len(objects))
    return SegmentationFrame(pixels, tuple(objects[index].objectType for index, _ in shown))


def number_objects(
    ids: IndexArray, objects: int, least: int = 1
) -> tuple[IndexArray, Sequence[tuple[int, int]]]:
    """Return a view's pixels with objects numbered by their first ones, -1 where there is none.

    With them come each object's index and how many pixels show it, which are `least` or more.
    """
    if compiled := compiled_views.if_loaded():
        pixels, shown, counts = compiled.number_pixels(ids, objects, least)
    else:
        pixels, shown, counts = number_pixels_with_numpy(ids, objects, least)
    return pixels, [*zip(shown.tolist(), counts.tolist(), strict=True)]


def number_pixels_with_numpy(
    ids: IndexArray, objects: int, least: int
) -> tuple[IndexArray, Ints, Ints]:
    """Return what `number_objects` does, the objects and how many pixels show each as arrays."""
    line, first = ids.ravel(), np.zeros(objects + 1, dtype=np.int64)
    counts = np.bincount(line + 1, minlength=objects + 1)[1:]
    first[line[::-1]] = np.arange(len(line))[::-1]  # of equal indices the last assignment counts
    shown = np.flatnonzero(counts >= least)
    shown = shown[np.argsort(first[shown])]
    numbers = np.full(objects + 1, NO_OBJECT, dtype=np.int32)
    numbers[shown] = np.arange(len(shown), dtype=np.int32)
    return numbers.take(ids), shown, counts[shown]


def bounds_hit(traced: TracedView, index: int) -> Floats:
    """Return the lowest and the highest corner of what a view shows of an object, metres: (2, 3).

    They are corners of the smallest box along the world's axes.  The view must show the object.
    """
    eye = traced.eye
    rays, lengths = _rays_in_direction(eye.yaw, eye.horizon, eye.fov, len(traced.ids))
    if compiled := compiled_views.if_loaded():
        lines = rays.direction
        hits = traced.ids, traced.distances, lengths
        return compiled.bounds_hit(*hits, *lines, eye.position, index)
    return bounds_hit_with_numpy(traced, rays, lengths, index)


def bounds_hit_with_numpy(traced: TracedView, rays: Rays, lengths: Floats, index: int) -> Floats:
    """Do as `bounds_hit`, with the rays from the view's eye and their lengths."""
    rows, columns = np.nonzero(traced.ids == index)
    depths = traced.distances[rows, columns] / lengths[rows, columns]
    lines = np.stack(rays.of_pixels(rows, columns).direction)
    points = np.array(traced.eye.position)[:, None] + depths * lines
    return np.stack((points.min(1), points.max(1)))


@lru_cache(maxsize=_MAX_CACHED_DIRECTIONS)
def _rays_in_direction(yaw: float, horizon: float, fov: float, size: int) -> tuple[Rays, Floats]:
    """Return the rays of an eye, wherever it stands, and the lengths of their directions."""
    x, y, z = Eye((0.0, 0.0, 0.0), yaw, horizon, fov).rays(np.arange(size), np.arange(size), size)
    return Rays.from_directions((x, y, z)), np.sqrt(x * x + y * y + z * z)
