"""Whole frames, compiled, tile by tile, nearest solids first; and what a view shows of objects."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from tatc.home.camera import numba_solids, ray_intersection
from tatc.home.camera.geometry import NO_OBJECT, Geometry, IndexArray
from tatc.home.camera.rays import NEAR_PLANE_METRES, Eye, Floats, Ints

_NO_RANK = np.iinfo(np.int64).max
TILE_PIXELS = 16
"""The side of the square tiles that a frame is traced in, pixels."""


@numba_solids.compiled
def _fill_rays(rays: Floats, eye: Floats, part: Any, size: int) -> None:
    """Fill in the rays of a tile, as of `Eye.rays`, then their inverses: (6, rows, columns)."""
    top, bottom, left, right = part
    for row in range(top, bottom):
        v = (size - 2 * row - 1) / size
        for column in range(left, right):
            u = (2 * column + 1 - size) / size
            for axis in range(3):
                value = numba_solids.ray_component(eye, axis, u, v)
                rays[axis, row - top, column - left] = value
                rays[axis + 3, row - top, column - left] = 1.0 / value


def _make_solid_tracer(body: int, is_turned: bool, opening: int) -> Callable[..., None]:
    """Return a function that tests a solid of one kind against the rays of a tile in `window`.

    Because the kind is fixed, the compiler can process several rays at a time.
    """

    def paint(
        solid: Floats, rank: int, rays: Floats, start: Any, window: Any, depths: Floats, ranks: Ints
    ) -> None:
        half = solid[3], solid[4], solid[5]
        sine, cosine = solid[6], solid[7]
        x, y, z = start
        if is_turned:
            x, z = x * cosine - z * sine, x * sine + z * cosine
        top, bottom, left, right = window
        for row in range(top, bottom):
            across, along = rays[0, row, left:right], rays[2, row, left:right]
            over_x, over_z = rays[3, row, left:right], rays[5, row, left:right]
            dy, iy = rays[1, row, 0], rays[4, row, 0]
            near, best = depths[row, left:right], ranks[row, left:right]
            for i in range(near.size):
                dx, dz, ix, iz = across[i], along[i], over_x[i], over_z[i]
                if is_turned:
                    dx, dz = dx * cosine - dz * sine, dx * sine + dz * cosine
                    ix, iz = 1.0 / dx, 1.0 / dz
                kind = body, opening
                time = ray_intersection.intersect_local(
                    kind, half, (x, y, z), (dx, dy, dz), (ix, iy, iz)
                )
                closer = (time < near[i]) | ((time == near[i]) & (rank < best[i]))
                near[i] = time if closer else near[i]
                best[i] = rank if closer else best[i]

    return numba_solids.compiled(paint)


_OPEN_ALL = 0  # any value that is neither CLOSED nor OPEN_TOP
_trace_box, _trace_open_top_box, _trace_hollow_box = (
    _make_solid_tracer(ray_intersection.BOX, False, o)
    for o in (ray_intersection.CLOSED, ray_intersection.OPEN_TOP, _OPEN_ALL)
)
_trace_rotated_box, _trace_rotated_open_top_box, _trace_rotated_hollow_box = (
    _make_solid_tracer(ray_intersection.BOX, True, o)
    for o in (ray_intersection.CLOSED, ray_intersection.OPEN_TOP, _OPEN_ALL)
)
_trace_cylinder, _trace_open_top_cylinder, _trace_hollow_cylinder = (
    _make_solid_tracer(ray_intersection.CYLINDER, False, o)
    for o in (ray_intersection.CLOSED, ray_intersection.OPEN_TOP, _OPEN_ALL)
)
_trace_ellipsoid, _trace_disc = (
    _make_solid_tracer(body, True, ray_intersection.CLOSED)
    for body in (ray_intersection.ELLIPSOID, ray_intersection.DISC)
)


@numba_solids.compiled
def _trace_curved_solid(solid: Floats, rest: Any) -> None:
    """Test an ellipsoid or a disc, which never have open faces."""
    if solid[8] == ray_intersection.ELLIPSOID:
        _trace_ellipsoid(solid, *rest)
    else:
        _trace_disc(solid, *rest)


@numba_solids.compiled
def _trace_solid(
    solid: Floats, rank: int, rays: Floats, start: Any, window: Any, depths: Floats, ranks: Ints
) -> None:
    rest = rank, rays, start, window, depths, ranks
    is_turned, is_round, opening = solid[6] != 0.0, solid[8] == ray_intersection.CYLINDER, solid[9]
    if solid[8] == ray_intersection.ELLIPSOID or solid[8] == ray_intersection.DISC:
        _trace_curved_solid(solid, rest)
    elif opening == ray_intersection.CLOSED:
        if is_round:
            _trace_cylinder(solid, *rest)
        elif is_turned:
            _trace_rotated_box(solid, *rest)
        else:
            _trace_box(solid, *rest)
    elif opening == ray_intersection.OPEN_TOP:
        if is_round:
            _trace_open_top_cylinder(solid, *rest)
        elif is_turned:
            _trace_rotated_open_top_box(solid, *rest)
        else:
            _trace_open_top_box(solid, *rest)
    elif is_round:
        _trace_hollow_cylinder(solid, *rest)
    elif is_turned:
        _trace_rotated_hollow_box(solid, *rest)
    else:
        _trace_hollow_box(solid, *rest)


@numba_solids.compiled
def _depth_of_room(room: Floats, start: Any, ray: Floats) -> Any:
    """Return the depth at which a ray meets a room's walls; infinity for a room of no size."""
    if room[3] == 0.0:
        return inf
    half, kind = (room[3], room[4], room[5]), (ray_intersection.BOX, _OPEN_ALL)
    over = ray[3], ray[4], ray[5]
    return ray_intersection.intersect_local(kind, half, start, (ray[0], ray[1], ray[2]), over)


@numba_solids.compiled
def _windows_of(low: Floats, high: Floats, eye: Floats, size: int) -> tuple[Ints, Floats]:
    """Return the windows of all solids, (solids, 4), and the least depths, as `ScreenBounds`."""
    count = low.shape[1]
    windows, nearest = np.zeros((count, 4), dtype=np.int64), np.zeros(count)
    half, along, found = numba_solids.frame_scale(eye), np.empty((3, 8)), np.empty(4)
    for i in range(count):
        if low[0, i] > high[0, i]:
            continue
        numba_solids.place_corners(along, low[:, i], high[:, i], eye)
        nearest[i] = along[0].min()
        if along[0].max() >= NEAR_PLANE_METRES:
            numba_solids.fill_window(windows[i], found, along, half, size)
    return windows, nearest


def _make_frame_tracer(stamp: int) -> Callable[..., tuple[IndexArray, Floats]]:
    @numba_solids.compiled_once
    def traced(
        solids: Floats, ranks: Ints, low: Floats, high: Floats, eye: Floats, size: int, room: Floats
    ) -> tuple[IndexArray, Floats]:
        windows, nearest = _windows_of(low, high, eye, size)
        is_seen = (windows[:, 0] < windows[:, 2]) & (windows[:, 1] < windows[:, 3])
        order, count = np.flatnonzero(is_seen), len(solids)
        order = order[np.argsort(nearest[order])]
        from_room = eye[0, 0] - room[0], eye[0, 1] - room[1], eye[0, 2] - room[2]
        seen = np.full((size, size), NO_OBJECT + 0 * stamp, dtype=np.int32)
        depths = np.full((size, size), inf)
        rays = np.empty((6, TILE_PIXELS, TILE_PIXELS))
        near = np.empty((TILE_PIXELS, TILE_PIXELS))
        best = np.empty((TILE_PIXELS, TILE_PIXELS), dtype=np.int64)
        for top in range(0, size, TILE_PIXELS):
            for left in range(0, size, TILE_PIXELS):
                part = (top, min(top + TILE_PIXELS, size), left, min(left + TILE_PIXELS, size))
                tall, wide = part[1] - top, part[3] - left
                _fill_rays(rays, eye, part, size)
                near[:], best[:] = inf, _NO_RANK
                far = inf
                for step, i in enumerate(order):
                    if nearest[i] > far:
                        break
                    window = (
                        max(top, windows[i, 1]) - top,
                        min(part[1], windows[i, 3]) - top,
                        max(left, windows[i, 0]) - left,
                        min(part[3], windows[i, 2]) - left,
                    )
                    if window[0] >= window[1] or window[2] >= window[3]:
                        continue
                    solid = solids[i]
                    start = eye[0, 0] - solid[0], eye[0, 1] - solid[1], eye[0, 2] - solid[2]
                    _trace_solid(solid, ranks[i], rays, start, window, near, best)
                    far = near[:tall, :wide].max() if step % 4 == 3 else far  # as slow as a solid
                for row in range(tall):
                    for column in range(wide):
                        if near[row, column] < inf:
                            seen[top + row, left + column] = best[row, column] % count
                            depths[top + row, left + column] = near[row, column]
                        else:
                            time = _depth_of_room(room, from_room, rays[:, row, column])
                            seen[top + row, left + column] = count if time < inf else NO_OBJECT
                            depths[top + row, left + column] = time
        return seen, depths

    return traced


_frame_tracer = _make_frame_tracer(numba_solids.source_checksum())


def trace_frame(
    geometry: Geometry, eye: Eye, size: int, room_solid: ray_intersection.PreparedSolid | None
) -> tuple[IndexArray, Floats]:
    """Return what `numpy_backend.trace_frame` returns."""
    table = numba_solids.solid_table(geometry)
    camera = numba_solids.camera_rows(eye)
    room = np.array(numba_solids.solid_row(room_solid)) if room_solid else np.zeros(10)
    return _frame_tracer(table.solids, table.ranks, table.low, table.high, camera, size, room)


@numba_solids.compiled_once
def count_pixels(ids: Any, objects: int) -> tuple[Ints, Ints]:
    """Return how many pixels show each object, and the first that does; 0 where none does.

    `ids` are the indices of objects, row by row, negative where a pixel shows none.
    """
    counts = np.zeros(objects, dtype=np.int64)
    first = np.zeros(objects, dtype=np.int64)
    for pixel in range(len(ids)):
        index = ids[pixel]
        if index >= 0:
            if counts[index] == 0:
                first[index] = pixel
            counts[index] += 1
    return counts, first


@numba_solids.compiled_once
def bounds_hit(
    ids: Any, depths: Any, lengths: Any, across: Any, up: Any, along: Any, eye: Any, index: int
) -> Floats:
    """Return the lowest and the highest corner, (2, 3), of what a view shows of an object.

    `depths` are the distances along the rays, whose x, y and z are `across`, `up` and `along`
    and whose lengths are `lengths`; `up` has one column.
    """
    low, high = np.full(3, inf), np.full(3, -inf)
    for row in range(ids.shape[0]):
        for column in range(ids.shape[1]):
            if ids[row, column] == index:
                depth = depths[row, column] / lengths[row, column]
                ray = across[row, column], up[row, 0], along[row, column]
                for axis in range(3):
                    at = eye[axis] + depth * ray[axis]
                    low[axis], high[axis] = min(low[axis], at), max(high[axis], at)
    return np.stack((low, high))
