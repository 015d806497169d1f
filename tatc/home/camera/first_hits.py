"""Trace a view without colours: which object each ray hits, and where."""

import sys
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import count

import numpy as np

from tatc.home.camera.geometry import NO_OBJECT, Geometry, IndexArray
from tatc.home.camera.ray_intersection import PreparedSolid, intersect_rays
from tatc.home.camera.rays import Eye, Floats, Ints, Rays
from tatc.home.camera.views import TracedView

VIEWS_BEFORE_COMPILED = 512
"""Views that a process traces with numpy before it loads numba, which takes a second,
and half a minute the first time."""
_MAX_CACHED_DIRECTIONS = 32  # four yaws and four horizons, of two sizes
_traced_views = count()


def trace_first_hits(
    geometry: Geometry, room_solid: PreparedSolid, eye: Eye, size: int
) -> TracedView:
    """Return what an eye's rays hit, `size` pixels along each side of the view.

    A process that traces many views does so with numba, if it is installed; the result is
    the same to the last bit.

    Args:
        geometry: the objects of a room.
        room_solid: the walls, the floor and the ceiling, from `prepare_room_solid`.
        eye: the camera.
        size: the width and height of the view, pixels.

    """
    rays, lengths = _rays_in_direction(Eye((0.0, 0.0, 0.0), eye.yaw, eye.horizon, eye.fov), size)
    if next(_traced_views) >= VIEWS_BEFORE_COMPILED and has_numba():
        solids, depths = _trace_compiled(geometry, room_solid, eye, size)
    else:
        solids, depths = _trace_with_numpy(geometry, room_solid, eye, size, rays)
    owners = np.array([*geometry.owners, NO_OBJECT, NO_OBJECT], dtype=np.int32)
    return TracedView(eye, owners[solids], depths * lengths)


def _trace_with_numpy(
    geometry: Geometry, room_solid: PreparedSolid, eye: Eye, size: int, rays: Rays
) -> tuple[IndexArray, Floats]:
    everywhere = np.arange(size)
    solids, depths = geometry.trace_solids(eye, everywhere, everywhere, size, rays)
    free = np.nonzero(solids == NO_OBJECT)
    depths[free] = intersect_rays(room_solid, eye.position, rays.of_pixels(*free))
    return solids, depths


def _trace_compiled(
    geometry: Geometry, room_solid: PreparedSolid, eye: Eye, size: int
) -> tuple[IndexArray, Floats]:
    from tatc.home.camera import numba_frames

    solids, depths = numba_frames.trace_frame(geometry, eye, size)
    room_row = len(geometry.owners)
    numba_frames.fill_background(solids, depths, eye, room_solid, room_row)
    return solids, depths


@cache
def has_numba() -> bool:
    """Return whether numba is installed."""
    return find_spec("numba") is not None


def count_pixels(traced: TracedView, objects: int) -> tuple[Ints, Ints]:
    """Return how many pixels of a view show each of so many objects, and the first that does."""
    if _is_numba_loaded():
        from tatc.home.camera import numba_frames

        return numba_frames.count_pixels(traced.ids.ravel(), objects)
    return count_pixels_with_numpy(traced.ids.ravel(), objects)


def count_pixels_with_numpy(ids: IndexArray, objects: int) -> tuple[Ints, Ints]:
    """Do as `count_pixels`, from the view's pixels row by row."""
    counts = np.bincount(ids + 1, minlength=objects + 1)[1:]
    first = np.zeros(objects + 1, dtype=np.int64)
    first[ids[::-1]] = np.arange(len(ids))[::-1]  # of equal indices the last assignment counts
    return counts, first[:-1]


def bounds_hit(traced: TracedView, index: int) -> Floats:
    """Return the lowest and the highest corner of what a view shows of an object, metres: (2, 3).

    The corners are the world's, of the smallest box along its axes.
    """
    eye = traced.eye
    rays, lengths = _rays_in_direction(
        Eye((0.0, 0.0, 0.0), eye.yaw, eye.horizon, eye.fov), len(traced.ids)
    )
    if _is_numba_loaded():
        from tatc.home.camera import numba_frames

        lines = rays.direction
        return numba_frames.bounds_hit(
            traced.ids, traced.distances, lengths, *lines, eye.position, index
        )
    return bounds_hit_with_numpy(traced, rays, lengths, index)


def bounds_hit_with_numpy(traced: TracedView, rays: Rays, lengths: Floats, index: int) -> Floats:
    """Do as `bounds_hit`, with the rays from the view's eye and their lengths."""
    rows, columns = np.nonzero(traced.ids == index)
    depths = traced.distances[rows, columns] / lengths[rows, columns]
    lines = np.stack(rays.of_pixels(rows, columns).direction)
    points = np.array(traced.eye.position)[:, None] + depths * lines
    return np.stack((points.min(1), points.max(1)))


def _is_numba_loaded() -> bool:
    return "numba" in sys.modules  # it takes a second to load; views are traced with it already


@lru_cache(maxsize=_MAX_CACHED_DIRECTIONS)
def _rays_in_direction(eye: Eye, size: int) -> tuple[Rays, Floats]:
    """Return the rays of an eye that stands anywhere, and the lengths of their directions."""
    x, y, z = eye.rays(np.arange(size), np.arange(size), size)
    return Rays.from_directions((x, y, z)), np.sqrt(x * x + y * y + z * z)
