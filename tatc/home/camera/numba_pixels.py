"""What chosen pixels show, compiled: where one object shows, and what each pixel shows."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from tatc.home.camera import numba_solids, object_pixels
from tatc.home.camera.geometry import NO_OBJECT, Geometry
from tatc.home.camera.ray_intersection import BOX, CLOSED, intersect_local
from tatc.home.camera.rays import (
    FRAME_PIXELS,
    NEAR_PLANE_METRES,
    Eye,
    Floats,
    Ints,
    PixelWindow,
    Rays,
)

_WINDOW_MARGIN_PIXELS = 2


def _make_bounds_finder(stamp: int) -> Callable[..., Any]:
    @numba_solids.compiled_once
    def window_of(low: Floats, high: Floats, rows: Ints, eye: Floats) -> Any:
        left, top, right, bottom = FRAME_PIXELS + 0 * stamp, FRAME_PIXELS, 0, 0
        half, along, found = numba_solids.frame_scale(eye), np.empty((3, 8)), np.empty(4)
        window = np.empty(4, np.int64)
        for row in rows:
            numba_solids.place_corners(along, low[:, row], high[:, row], eye)
            if along[0].max() >= NEAR_PLANE_METRES and low[0, row] <= high[0, row]:
                numba_solids.fill_window(window, found, along, half, FRAME_PIXELS)
                left, top = min(left, window[0]), min(top, window[1])
                right, bottom = max(right, window[2]), max(bottom, window[3])
        return left, top, right, bottom

    return window_of


_bounds_finder = _make_bounds_finder(numba_solids.source_checksum())


def bounding_window(geometry: Geometry, eye: Eye, index: int) -> PixelWindow:
    """Return what `Geometry.bounding_window` returns."""
    table, own = numba_solids.solid_table(geometry), _own_rows(geometry, index)
    if not len(own):
        return PixelWindow(0, 0, 0, 0)
    return PixelWindow(*_bounds_finder(table.low, table.high, own, numba_solids.camera_rows(eye)))


def _own_rows(geometry: Geometry, index: int) -> Ints:
    """Return the rows of an object's solids that are not hidden."""
    return np.array(geometry.visible_rows_of(index), dtype=np.int64)


@numba_solids.compiled
def _span(pixels: Ints, low: float, high: float) -> Any:
    """Return which ascending pixels lie between two shares of the frame: the first, the end."""
    first, end = 0, len(pixels)
    least = numba_solids.clip(low, -1.0, 2.0) * FRAME_PIXELS - _WINDOW_MARGIN_PIXELS
    most = numba_solids.clip(high, -1.0, 2.0) * FRAME_PIXELS + _WINDOW_MARGIN_PIXELS
    while first < end and pixels[first] < least:
        first += 1
    while first < end and pixels[end - 1] > most:
        end -= 1
    return first, end


@numba_solids.compiled
def _part_showing(
    room: Any, low: Floats, high: Floats, eye: Floats, farthest: float, across: Ints, down: Ints
) -> Any:
    """Return the part of the pixels, (top, bottom, left, right), in which a solid may show.

    It is empty beyond the depth `farthest`, metres.  `room` is scratch space for the corners.
    """
    along, found = room
    if low[0] > high[0]:
        return 0, 0, 0, 0  # it is hidden
    numba_solids.place_corners(along, low, high, eye)
    if along[0].max() < NEAR_PLANE_METRES or along[0].min() > farthest:
        return 0, 0, 0, 0
    numba_solids.fill_rectangle(found, along, numba_solids.frame_scale(eye))
    left, right = _span(across, found[0], found[2])
    top, bottom = _span(down, found[1], found[3])
    return (top, bottom, left, right) if left < right and top < bottom else (0, 0, 0, 0)


@numba_solids.compiled
def _frame_ray(eye: Floats, column: int, row: int) -> Any:
    """Return the ray through a pixel of the frame, equal to that of `Eye.rays`."""
    u = (2 * column + 1 - FRAME_PIXELS) / FRAME_PIXELS
    v = (FRAME_PIXELS - 2 * row - 1) / FRAME_PIXELS
    return (
        numba_solids.ray_component(eye, 0, u, v),
        numba_solids.ray_component(eye, 1, u, v),
        numba_solids.ray_component(eye, 2, u, v),
    )


@numba_solids.compiled
def _ray_depth(solid: Floats, eye: Floats, ray: Any) -> Any:
    """Return the depth at which a ray meets a solid, equal to that of `intersect_rays`."""
    x, y, z = eye[0, 0] - solid[0], eye[0, 1] - solid[1], eye[0, 2] - solid[2]
    dx, dy, dz = ray
    if solid[6] != 0.0:
        sine, cosine = solid[6], solid[7]
        x, z = x * cosine - z * sine, x * sine + z * cosine
        dx, dz = dx * cosine - dz * sine, dx * sine + dz * cosine
    kind, half = (int(solid[8]), int(solid[9])), (solid[3], solid[4], solid[5])
    return intersect_local(kind, half, (x, y, z), (dx, dy, dz), (1.0 / dx, 1.0 / dy, 1.0 / dz))


@numba_solids.compiled
def _fill_corners(corners: Floats, low: Floats, high: Floats, own: Ints, eye: Floats) -> None:
    """Fill in the corners, (8, 3), of the box around an object's solids, seen from the eye."""
    for side in range(3):
        least, most = inf, -inf
        for row in own:
            least = min(least, low[side, row] - eye[0, side])
            most = max(most, high[side, row] - eye[0, side])
        for corner in range(8):
            corners[corner, side] = most if corner >> (2 - side) & 1 else least


@numba_solids.compiled
def _hides_corners(low: Floats, high: Floats, corners: Floats, eye: Floats) -> bool:
    """Return whether a closed box hides these points, as `object_pixels` tests it."""
    nearest = 0.0
    for side in range(3):
        one, other = low[side] - eye[0, side], high[side] - eye[0, side]
        nearest += min(one * eye[1, side], other * eye[1, side])
    if nearest <= NEAR_PLANE_METRES + object_pixels.BOX_MARGIN_METRES:
        return False
    for corner in range(8):
        enter, leave = -inf, inf
        for side in range(3):
            at = corners[corner, side]
            one = (low[side] - eye[0, side] + object_pixels.BOX_MARGIN_METRES) / at
            other = (high[side] - eye[0, side] - object_pixels.BOX_MARGIN_METRES) / at
            enter, leave = max(enter, min(one, other)), min(leave, max(one, other))
        if not (0.0 < enter and enter <= leave and enter < 1.0 - object_pixels.BOX_MARGIN_METRES):
            return False
    return True


@numba_solids.compiled
def _box_in_front(table: Any, own: Ints, index: int, eye: Floats) -> int:
    """Return the row of a closed box that hides the whole of an object, or -1."""
    solids, owners, low, high = table
    corners = np.empty((8, 3))
    _fill_corners(corners, low, high, own, eye)
    for corner in range(8):
        for side in range(3):
            if corners[corner, side] == 0.0:
                return -1  # an eye exactly in the plane of a side, which would divide by zero
    for row in range(len(solids)):
        if owners[row] == index or low[0, row] > high[0, row]:
            continue
        if solids[row, 8] == BOX and solids[row, 9] == CLOSED and solids[row, 6] == 0.0:
            if _hides_corners(low[:, row], high[:, row], corners, eye):
                return row
    return -1


@numba_solids.compiled
def _trace_alone(
    depths: Floats, solids: Floats, rows: Ints, eye: Floats, across: Ints, down: Ints
) -> Any:
    """Fill in an object's depths as if alone; return the greatest, and how many pixels show it."""
    farthest, shown = -inf, 0
    for i in range(len(down)):
        for j in range(len(across)):
            ray, nearest = _frame_ray(eye, across[j], down[i]), inf
            for row in rows:
                nearest = min(nearest, _ray_depth(solids[row], eye, ray))
            depths[i, j] = nearest
            if nearest < inf:
                farthest, shown = max(farthest, nearest), shown + 1
    return farthest, shown


@numba_solids.compiled
def _hide_behind(
    depths: Floats, solid: Floats, wins_ties: bool, eye: Floats, across: Ints, down: Ints, part: Any
) -> int:
    """Set the depths that a solid hides to infinity, in a part of the pixels; count them."""
    top, bottom, left, right = part
    hidden = 0
    for i in range(top, bottom):
        for j in range(left, right):
            if depths[i, j] < inf:
                time = _ray_depth(solid, eye, _frame_ray(eye, across[j], down[i]))
                if time < depths[i, j] or (wins_ties and time == depths[i, j]):
                    depths[i, j] = inf
                    hidden += 1
    return hidden


@numba_solids.compiled
def _find_occluders(
    farthest: float, table: Any, index: int, eye: Floats, across: Ints, down: Ints
) -> Any:
    """Return the rows of solids that may hide an object, most first, and each one's pixels."""
    solids, owners, low, high = table
    room = np.empty((3, 8)), np.empty(4)
    limit = farthest + object_pixels.DEPTH_MARGIN_METRES
    rows, parts = np.empty(len(solids), np.int64), np.empty((len(solids), 4), np.int64)
    count = 0
    for row in range(len(solids)):
        if owners[row] == index:
            continue
        top, bottom, left, right = _part_showing(
            room, low[:, row], high[:, row], eye, limit, across, down
        )
        if left < right:
            rows[count] = row
            parts[count, 0], parts[count, 1], parts[count, 2] = top, bottom, left
            parts[count, 3], count = right, count + 1
    pixels = (parts[:count, 1] - parts[:count, 0]) * (parts[:count, 3] - parts[:count, 2])
    order = np.argsort(-pixels)
    return rows[order], parts[order]


@numba_solids.compiled
def _hide_occluded(
    depths: Floats, alone: Any, table: Any, index: int, eye: Floats, across: Ints, down: Ints
) -> Ints:
    """Set the depths at which others hide an object to infinity; return the rows of those.

    `alone` says how far the object reaches, and in how many pixels it shows, without others.
    """
    solids, owners = table[:2]
    farthest, shown = alone
    rows, parts = _find_occluders(farthest, table, index, eye, across, down)
    hiders, count = np.empty(len(rows), np.int64), 0
    for i in range(len(rows)):
        if shown == 0:
            break
        row, part = rows[i], (parts[i, 0], parts[i, 1], parts[i, 2], parts[i, 3])
        hidden = _hide_behind(depths, solids[row], owners[row] < index, eye, across, down, part)
        if hidden:
            hiders[count], count, shown = row, count + 1, shown - hidden
    return hiders[:count]


def _make_object_tracer(stamp: int) -> Callable[..., Any]:
    @numba_solids.compiled_once
    def traced(
        solids: Floats,
        owners: Ints,
        low: Floats,
        high: Floats,
        own: Ints,
        index: int,
        eye: Floats,
        across: Ints,
        down: Ints,
    ) -> Any:
        table = solids, owners, low, high
        depths = np.full((len(down), len(across)), inf)
        hiders = np.full(1, _box_in_front(table, own, index, eye))
        if hiders[0] < 0:
            alone = _trace_alone(depths, solids, own, eye, across, down)
            hiders = _hide_occluded(depths, alone, table, index, eye, across, down)
        count = 0 * stamp
        for i in range(len(down)):
            for j in range(len(across)):
                count += depths[i, j] < inf
        rows, columns = np.empty(count, np.int64), np.empty(count, np.int64)
        rays, at = np.empty((4, count)), 0
        for i in range(len(down)):
            for j in range(len(across)):
                if depths[i, j] < inf:
                    rows[at], columns[at], rays[3, at] = i, j, depths[i, j]
                    rays[0, at], rays[1, at], rays[2, at] = _frame_ray(eye, across[j], down[i])
                    at += 1
        return rows, columns, rays, hiders

    return traced


_object_tracer = _make_object_tracer(numba_solids.source_checksum())


def visible_part(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints
) -> object_pixels.VisiblePart:
    """Return what `object_pixels.visible_part` returns."""
    own = _own_rows(geometry, index)
    if not len(own):
        return object_pixels.VisiblePart.empty()
    table, camera = numba_solids.solid_table(geometry), numba_solids.camera_rows(eye)
    at_rows, at_columns, (x, y, z, depths), hiders = _object_tracer(
        table.solids, table.owners, table.low, table.high, own, index, camera, columns, rows
    )
    rays = Rays.from_directions((x, y, z))
    return object_pixels.VisiblePart(at_rows, at_columns, rays, depths, tuple(hiders.tolist()))


@numba_solids.compiled
def _show_solid(
    seen: Ints, depths: Floats, solid: Floats, owner: int, eye: Floats, pixels: Any
) -> None:
    """Show a solid in those pixels that show nothing nearer, and no earlier object as near.

    `pixels` are the columns and the rows of the view, and the part in which the solid may show.
    """
    across, down, (top, bottom, left, right) = pixels
    for i in range(top, bottom):
        for j in range(left, right):
            time = _ray_depth(solid, eye, _frame_ray(eye, across[j], down[i]))
            if time < depths[i, j] or (time == depths[i, j] < inf and owner < seen[i, j]):
                depths[i, j], seen[i, j] = time, owner


def _make_pixel_tracer(stamp: int) -> Callable[..., Any]:
    @numba_solids.compiled_once
    def traced(
        solids: Floats,
        owners: Ints,
        low: Floats,
        high: Floats,
        eye: Floats,
        across: Ints,
        down: Ints,
    ) -> Ints:
        seen = np.full((len(down), len(across)), NO_OBJECT + 0 * stamp)
        depths = np.full(seen.shape, inf)
        room = np.empty((3, 8)), np.empty(4)
        for row in range(len(solids)):
            part = _part_showing(room, low[:, row], high[:, row], eye, inf, across, down)
            if part[0] < part[1]:
                _show_solid(seen, depths, solids[row], owners[row], eye, (across, down, part))
        return seen

    return traced


_pixel_tracer = _make_pixel_tracer(numba_solids.source_checksum())


def objects_seen(geometry: Geometry, eye: Eye, columns: Ints, rows: Ints) -> Ints:
    """Return the object indices that `Geometry.trace_object_pixels` returns."""
    table, camera = numba_solids.solid_table(geometry), numba_solids.camera_rows(eye)
    return _pixel_tracer(table.solids, table.owners, table.low, table.high, camera, columns, rows)
