"""Views, compiled, nearest solids first: whole frames in tiles, the pixels of one object, sums."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from tatc.home.camera import numba_solids, ray_intersection
from tatc.home.camera.geometry import NO_OBJECT, Geometry, IndexArray
from tatc.home.camera.object_pixels import DEPTH_MARGIN_METRES, VisiblePart
from tatc.home.camera.rays import (
    FRAME_PIXELS,
    MIN_RAY_COMPONENT,
    NEAR_PLANE_METRES,
    Eye,
    Floats,
    Ints,
    PixelWindow,
    Rays,
)

_TILE_SIDES = (20, 16)
"""The sides, in pixels, that the square tiles may have in which a frame is traced."""


@numba_solids.compiled
def _fill_rays(rays: Floats, eye: Floats, rises: Floats, shares: Floats) -> None:
    """Fill in the rays of pixels, row by row, as of `Eye.rays`, then their inverses: (6, pixels).

    `rises` says how far up each row is, `shares` how far right each column.
    """
    wide = len(shares)
    for row in range(len(rises)):
        first, last = row * wide, (row + 1) * wide
        v = rises[row]
        for axis in (0, 2):
            ahead, right, above = eye[1, axis], eye[2, axis], v * eye[3, axis]
            line, over = rays[axis, first:last], rays[axis + 3, first:last]
            for i in range(line.size):
                value = (ahead + shares[i] * right) + above
                value = value if value != 0.0 else MIN_RAY_COMPONENT
                line[i], over[i] = value, 1.0 / value
        rise = numba_solids.ray_component(eye, 1, 0.0, v)  # the same all along a row
        rays[1, first:last], rays[4, first:last] = rise, 1.0 / rise


def _make_solid_tracer(body: int, is_turned: bool) -> Callable[..., None]:
    """Return a function that tests a solid of one kind against the rays of a tile in `part`.

    Because the kind is fixed, the compiler can process several rays at a time.
    """

    def paint(
        solid: Floats, rank: int, rays: Floats, start: Any, part: Any, depths: Floats, ranks: Ints
    ) -> None:
        opening, half = int(solid[9]), (solid[3], solid[4], solid[5])
        sine, cosine = solid[6], solid[7]
        x, y, z = start
        if is_turned:
            x, z = x * cosine - z * sine, x * sine + z * cosine
        first, last = part
        along_x, along_y, along_z = rays[0, first:last], rays[1, first:last], rays[2, first:last]
        over_x, over_y, over_z = rays[3, first:last], rays[4, first:last], rays[5, first:last]
        near, best = depths[first:last], ranks[first:last]
        for i in range(near.size):
            dx, dz, ix, iz = along_x[i], along_z[i], over_x[i], over_z[i]
            if is_turned:
                dx, dz = dx * cosine - dz * sine, dx * sine + dz * cosine
                ix, iz = 1.0 / dx, 1.0 / dz
            time = ray_intersection.intersect_local(
                (body, opening), half, (x, y, z), (dx, along_y[i], dz), (ix, over_y[i], iz)
            )
            closer = (time < near[i]) | ((time == near[i]) & (rank < best[i]))
            near[i] = time if closer else near[i]
            best[i] = rank if closer else best[i]

    paint.__qualname__ += f"_{body}_{is_turned}"
    return numba_solids.compiled(paint)


_trace_box, _trace_rotated_box, _trace_cylinder, _trace_ellipsoid, _trace_disc = (
    _make_solid_tracer(body, is_turned)
    for body, is_turned in (
        (ray_intersection.BOX, False),
        (ray_intersection.BOX, True),
        (ray_intersection.CYLINDER, False),
        (ray_intersection.ELLIPSOID, True),
        (ray_intersection.DISC, True),
    )
)


@numba_solids.compiled
def _trace_solid(
    solid: Floats, rank: int, rays: Floats, start: Any, part: Any, depths: Floats, ranks: Ints
) -> None:
    rest = rank, rays, start, part, depths, ranks
    if solid[8] == ray_intersection.ELLIPSOID:
        _trace_ellipsoid(solid, *rest)
    elif solid[8] == ray_intersection.DISC:
        _trace_disc(solid, *rest)
    elif solid[8] == ray_intersection.CYLINDER:
        _trace_cylinder(solid, *rest)
    elif solid[6] != 0.0:
        _trace_rotated_box(solid, *rest)
    else:
        _trace_box(solid, *rest)


@numba_solids.compiled
def _greatest(depths: Floats, side: int) -> float:
    """Return the greatest depth in a tile, column by column, so that many are compared at once."""
    found = depths[:side].copy()
    for first in range(side, side * side, side):
        row = depths[first : first + side]
        for i in range(side):
            found[i] = row[i] if row[i] > found[i] else found[i]
    return found.max()


@numba_solids.compiled
def _windows_of(low: Floats, high: Floats, eye: Floats, size: int) -> tuple[Ints, Floats]:
    """Return the windows of solids, (solids, 4), and the least depths, as `ScreenBounds` has them.

    What does not show has the window (size, size, 0, 0), which widens no other.
    """
    count = low.shape[1]
    windows, nearest = np.zeros((count, 4), dtype=np.int64), np.zeros(count)
    windows[:, :2] = size
    half, along, found = numba_solids.frame_scale(eye), np.empty((3, 8)), np.empty(4)
    for i in range(count):
        if low[0, i] > high[0, i]:
            continue
        numba_solids.place_corners(along, low[:, i], high[:, i], eye)
        nearest[i] = along[0].min()
        if along[0].max() >= NEAR_PLANE_METRES:
            numba_solids.fill_window(windows[i], found, along, half, size)
    return windows, nearest


@numba_solids.compiled
def _trace_tile(
    solids: Floats, ranks: Ints, order: Any, windows: Any, nearest: Any, starts: Any, tile: Any
) -> None:
    """Test the solids in `order` against the rays of a tile, until all that is left lies behind.

    `windows` are where they show in the frame, with rows counted from the tile's top.
    """
    side, rays, left, near, best = tile
    far, tested = inf, 0
    for i in order:
        if nearest[i] > far:
            break
        if windows[i, 0] >= left + side or windows[i, 2] <= left:
            continue
        part = max(windows[i, 1], 0) * side, min(windows[i, 3], side) * side
        start = starts[i, 0], starts[i, 1], starts[i, 2]
        _trace_solid(solids[i], ranks[i], rays, start, part, near, best)
        tested += 1
        far = _greatest(near, side) if tested % 4 == 0 else far  # which takes as long as a solid


@numba_solids.compiled
def _trace_walls(
    room: Floats, rank: int, eye: Floats, rays: Floats, near: Floats, best: Ints
) -> None:
    """Let the rays of a tile that meet no solid meet a room, which has a `rank`."""
    start = eye[0, 0] - room[0], eye[0, 1] - room[1], eye[0, 2] - room[2]
    depths, ranks = np.full(len(near), inf), np.empty(len(near), dtype=np.int64)
    _trace_box(room, 0, rays, start, (0, len(near)), depths, ranks)
    for i in range(len(near)):
        is_free = near[i] == inf
        near[i] = depths[i] if is_free else near[i]
        best[i] = rank if is_free else best[i]


def _make_frame_tracer(stamp: int) -> Callable[..., tuple[IndexArray, Floats]]:
    @numba_solids.compiled_once
    def traced(
        table: Any, shown: Ints, eye: Floats, size: int, side: int, room: Floats
    ) -> tuple[IndexArray, Floats]:
        solids, ranks, low, high = table
        windows, nearest = _windows_of(low, high, eye, size)
        is_seen = (windows[:, 0] < windows[:, 2]) & (windows[:, 1] < windows[:, 3])
        order, starts = np.flatnonzero(is_seen), eye[0] - solids[:, :3]
        order = order[np.argsort(nearest[order])]
        # The columns of the last tile may end beyond the frame.
        shares = (2 * np.arange(size + side) + 1 - size) / size
        rises = (size - 2 * np.arange(size + side) - 1) / size
        seen = np.empty((size + 0 * stamp, size), dtype=np.int32)
        depths = np.empty((size, size))
        rays, near = np.empty((6, side * side)), np.empty(side * side)
        best = np.empty(side * side, dtype=np.int64)
        for top in range(0, size, side):
            across = order[(windows[order, 1] < side) & (windows[order, 3] > 0)]
            for left in range(0, size, side):
                _fill_rays(rays, eye, rises[top : top + side], shares[left : left + side])
                near[:], best[:] = inf, len(solids)
                tile = side, rays, left, near, best
                _trace_tile(solids, ranks, across, windows, nearest, starts, tile)
                if room[3] != 0.0 and _greatest(near, side) == inf:
                    _trace_walls(room, len(solids), eye, rays, near, best)
                for row in range(min(side, size - top)):
                    for column in range(min(side, size - left)):
                        i = row * side + column
                        index = shown[best[i]]
                        seen[top + row, left + column] = index if near[i] < inf else NO_OBJECT
                        depths[top + row, left + column] = near[i]
            windows[:, 1::2] -= side
        return seen, depths

    return traced


_frame_tracer = _make_frame_tracer(numba_solids.source_checksum())


def trace_frame(
    geometry: Geometry,
    eye: Eye,
    size: int,
    room_solid: ray_intersection.PreparedSolid | None,
    *,
    as_objects: bool = False,
) -> tuple[IndexArray, Floats]:
    """Return what `numpy_backend.trace_frame` returns; `as_objects`, the objects of the solids."""
    table, camera = numba_solids.solid_table(geometry), numba_solids.camera_rows(eye)
    room = np.array(numba_solids.solid_row(room_solid)) if room_solid else np.zeros(10)
    solids, shown = (table.solids, table.ranks, table.low, table.high), table.rows
    rows = table.owners if as_objects else shown
    side = min(_TILE_SIDES, key=lambda side: -size % side)  # the least beyond the frame's end
    return _frame_tracer(solids, rows, camera, size, side, room)


def _make_pixel_tracer(stamp: int) -> Callable[..., tuple[Ints, Floats, Floats, Floats]]:
    @numba_solids.compiled_once
    def traced(
        table: Any, own: Ints, eye: Floats, columns: Ints, rows: Ints, size: int
    ) -> tuple[Ints, Floats, Floats, Floats]:
        solids, ranks, low, high = table
        windows, nearest = _windows_of(low, high, eye, size)
        starts, wide = eye[0] - solids[:, :3], len(columns)
        rays = np.empty((6, len(rows) * wide + 0 * stamp))
        _fill_rays(rays, eye, (size - 2 * rows - 1) / size, (2 * columns + 1 - size) / size)
        near = np.full(rays.shape[1], inf)
        best, order = np.full(len(near), len(solids)), own
        own_near, far = near, inf
        for is_whole in (False, True):
            for i in order:
                if nearest[i] > far:
                    break
                if windows[i, 0] <= columns[-1] and windows[i, 2] > columns[0]:
                    part = np.searchsorted(rows, windows[i, 1::2]) * wide
                    start = starts[i, 0], starts[i, 1], starts[i, 2]
                    between = part[0], part[1]
                    _trace_solid(solids[i], ranks[i], rays, start, between, near, best)
            if not is_whole:  # what lies behind all that shows of `own` hides none of it
                own_near = near.copy()
                far = -inf if len(own) else inf
                for depth in own_near:
                    far = max(far, depth + DEPTH_MARGIN_METRES) if depth < inf else far
                order = np.argsort(nearest)
        return best, near, own_near, rays

    return traced


def _make_window_finder(stamp: int) -> Callable[..., Ints]:
    @numba_solids.compiled_once
    def windows_of(low: Floats, high: Floats, eye: Floats, size: int) -> Ints:
        return _windows_of(low, high, eye, size + 0 * stamp)[0]

    return windows_of


_pixel_tracer = _make_pixel_tracer(numba_solids.source_checksum())
_window_finder = _make_window_finder(numba_solids.source_checksum())


def visible_part(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints
) -> VisiblePart:
    """Return what `object_pixels.visible_part` returns; only its hiders may be others."""
    own = geometry.visible_rows_of(index)
    if not (own and len(columns) and len(rows)):
        return VisiblePart.empty()
    solids, near, own_near, rays = _trace_pixels(geometry, own, eye, columns, rows)
    is_shown = geometry.owners_at(solids) == index
    at = np.flatnonzero(is_shown)
    hiders = np.flatnonzero(np.bincount(solids[(own_near < inf) & ~is_shown])).tolist()
    x, y, z, ix, iy, iz = rays[:, at]
    at_rows, at_columns = np.divmod(at, len(columns))
    return VisiblePart(at_rows, at_columns, Rays((x, y, z), (ix, iy, iz)), near[at], (*hiders,))


def trace_object_pixels(geometry: Geometry, eye: Eye, columns: Ints, rows: Ints) -> IndexArray:
    """Return the objects that pixels show, as `Geometry.trace_object_pixels` does."""
    solids, *_ = _trace_pixels(geometry, [], eye, columns, rows)
    return geometry.owners_at(solids.reshape(len(rows), len(columns)))


def _trace_pixels(
    geometry: Geometry, own: list[int], eye: Eye, columns: Ints, rows: Ints
) -> tuple[Ints, Floats, Floats, Floats]:
    """Return what the pixels show where columns and rows cross, row by row: all of (pixels,).

    They are the solids, the number of all for none, and their depths; the depths at which rays
    meet the solids `own`; and the rays.  Where all of `own` is seen, nothing behind it is tried.
    """
    table = numba_solids.solid_table(geometry)
    solids = table.solids, table.ranks, table.low, table.high
    camera, chosen = numba_solids.camera_rows(eye), np.array(own, dtype=np.int64)
    traced = _pixel_tracer(solids, chosen, camera, columns, rows, FRAME_PIXELS)
    ranks, near, own_near, rays = traced
    return table.rows.take(np.where(near < inf, ranks, -1)), near, own_near, rays


def bounding_window(geometry: Geometry, eye: Eye, index: int) -> PixelWindow:
    """Return what `Geometry.bounding_window` returns."""
    own = geometry.visible_rows_of(index)
    if not own:
        return PixelWindow(0, 0, 0, 0)
    low, high = (np.ascontiguousarray(corners[:, own]) for corners in geometry.bounds)
    windows = _window_finder(low, high, numba_solids.camera_rows(eye), FRAME_PIXELS)
    return PixelWindow(*windows[:, :2].min(0).tolist(), *windows[:, 2:].max(0).tolist())


@numba_solids.compiled_once
def number_pixels(ids: Any, objects: int, least: int) -> tuple[IndexArray, Ints, Ints]:
    """Do as `number_pixels_with_numpy`."""
    counts, shown, found = np.zeros(objects, dtype=np.int64), np.empty(objects, dtype=np.int64), 0
    for index in ids.flat:
        if index >= 0:
            if counts[index] == 0:
                shown[found], found = index, found + 1
            counts[index] += 1
    shown = shown[:found]
    shown = shown[counts[shown] >= least]
    numbers = np.full(objects + 1, NO_OBJECT, dtype=np.int32)
    numbers[shown] = np.arange(len(shown))
    pixels = np.empty(ids.shape, dtype=np.int32)
    for row in range(ids.shape[0]):
        for column in range(ids.shape[1]):
            pixels[row, column] = numbers[ids[row, column]]
    return pixels, shown, counts[shown]


@numba_solids.compiled_once
def bounds_hit(
    ids: Any, depths: Any, lengths: Any, across: Any, up: Any, along: Any, eye: Any, index: int
) -> Floats:
    """Return the lowest and the highest corner, (2, 3), of what a view shows of an object.

    `depths` are the distances along the rays, whose x, y and z are `across`, `up` and `along`
    and whose lengths are `lengths`; `up` has one column.
    """
    x0, y0, z0, x1, y1, z1 = inf, inf, inf, -inf, -inf, -inf
    for row in range(ids.shape[0]):
        for column in range(ids.shape[1]):
            if ids[row, column] == index:
                depth = depths[row, column] / lengths[row, column]
                x = eye[0] + depth * across[row, column]
                y, z = eye[1] + depth * up[row, 0], eye[2] + depth * along[row, column]
                x0, x1 = x if x < x0 else x0, x if x > x1 else x1
                y0, y1 = y if y < y0 else y0, y if y > y1 else y1
                z0, z1 = z if z < z0 else z0, z if z > z1 else z1
    return np.array(((x0, y0, z0), (x1, y1, z1)))
