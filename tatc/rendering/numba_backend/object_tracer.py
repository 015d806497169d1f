"""Find which pixels show one object, and the window of the frame around it."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable
from math import inf
from typing import Any

import numba
import numpy as np

from tatc.camera.geometry import Geometry
from tatc.camera.ray_intersection import NEAR_PLANE_METRES, intersect_local
from tatc.camera.rays import FRAME_PIXELS, Eye, Floats, Ints, Rays
from tatc.camera.screen_bounds import PixelWindow
from tatc.camera.visible_part import VisiblePart
from tatc.rendering.numba_backend.jit_formulas import JIT_OPTIONS, ray_component, source_checksum
from tatc.rendering.numba_backend.solid_table import place_corners, solid_table

_CUT_METRES = NEAR_PLANE_METRES / 2
_MARGIN_METRES = 1e-6  # far more than the rounding of a solid's least depth
_WINDOW_MARGIN_PIXELS = 2


@numba.njit(**JIT_OPTIONS)
def _ray(eye: Floats, column: int, row: int) -> Any:
    """Return the ray through a pixel of the frame, equal to that of `Eye.rays`."""
    u = (2 * column + 1 - FRAME_PIXELS) / FRAME_PIXELS
    v = (FRAME_PIXELS - 2 * row - 1) / FRAME_PIXELS
    return ray_component(eye, 0, u, v), ray_component(eye, 1, u, v), ray_component(eye, 2, u, v)


@numba.njit(**JIT_OPTIONS)
def _depth(solid: Floats, eye: Floats, ray: Any) -> Any:
    """Return the depth at which a ray meets a solid, equal to that of `intersect_rays`."""
    x, y, z = eye[0, 0] - solid[0], eye[0, 1] - solid[1], eye[0, 2] - solid[2]
    dx, dy, dz = ray
    if solid[6] != 0.0:
        sine, cosine = solid[6], solid[7]
        x, z = x * cosine - z * sine, x * sine + z * cosine
        dx, dz = dx * cosine - dz * sine, dx * sine + dz * cosine
    kind, half = (int(solid[8]), int(solid[9])), (solid[3], solid[4], solid[5])
    return intersect_local(kind, half, (x, y, z), (dx, dy, dz), (1.0 / dx, 1.0 / dy, 1.0 / dz))


@numba.njit(**JIT_OPTIONS)
def _rectangle(found: Floats, along: Floats, half: float) -> None:
    """Fill in a box's left, top, right and bottom, equal to `ScreenBounds.frame_rectangles`.

    `along` says how far its corners lie ahead, right and above.
    """
    found[:2], found[2:] = inf, -inf
    is_cut = along[0].min() < NEAR_PLANE_METRES
    for corner in range(8):
        ahead = along[0, corner]
        if is_cut and ahead < _CUT_METRES:
            continue
        depth = max(ahead, _CUT_METRES) * half * 2
        u, v = 0.5 + along[1, corner] / depth, 0.5 - along[2, corner] / depth
        found[0], found[2] = min(found[0], u), max(found[2], u)
        found[1], found[3] = min(found[1], v), max(found[3], v)
    if not is_cut:
        return
    for bit in (1, 2, 4):
        for one in range(8):
            if one & bit:
                continue
            start, end = along[0, one], along[0, one | bit]
            if (start < _CUT_METRES) == (end < _CUT_METRES):
                continue
            share = (_CUT_METRES - start) / (end - start)
            right = along[1, one] + share * (along[1, one | bit] - along[1, one])
            above = along[2, one] + share * (along[2, one | bit] - along[2, one])
            depth = _CUT_METRES * half * 2
            u, v = 0.5 + right / depth, 0.5 - above / depth
            found[0], found[2] = min(found[0], u), max(found[2], u)
            found[1], found[3] = min(found[1], v), max(found[3], v)


@numba.njit(**JIT_OPTIONS)
def _clip(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def _make_window_finder(stamp: int) -> Callable[..., Any]:
    @numba.njit(cache=True, **JIT_OPTIONS)
    def window_of(low: Floats, high: Floats, rows: Ints, eye: Floats) -> Any:
        left, top, right, bottom = FRAME_PIXELS + 0 * stamp, FRAME_PIXELS, 0, 0
        half = (eye[2, 0] * eye[2, 0] + eye[2, 1] * eye[2, 1]) + eye[2, 2] * eye[2, 2]
        along, found = np.empty((3, 8)), np.empty(4)
        for row in rows:
            place_corners(along, low[:, row], high[:, row], eye)
            if along[0].max() < NEAR_PLANE_METRES or low[0, row] > high[0, row]:
                continue
            _rectangle(found, along, half)
            for side in range(4):
                found[side] = _clip(found[side], -1.0, 2.0) * FRAME_PIXELS
            left = min(left, int(_clip(np.floor(found[0]) - 1, 0, FRAME_PIXELS)))
            top = min(top, int(_clip(np.floor(found[1]) - 1, 0, FRAME_PIXELS)))
            right = max(right, int(_clip(np.ceil(found[2]) + 1, 0, FRAME_PIXELS)))
            bottom = max(bottom, int(_clip(np.ceil(found[3]) + 1, 0, FRAME_PIXELS)))
        return left, top, right, bottom

    return window_of


@numba.njit(**JIT_OPTIONS)
def _span(pixels: Ints, low: float, high: float) -> Any:
    """Return the first and the end of the ascending pixels that lie between two shares."""
    first, end = 0, len(pixels)
    least = _clip(low, -1.0, 2.0) * FRAME_PIXELS - _WINDOW_MARGIN_PIXELS
    most = _clip(high, -1.0, 2.0) * FRAME_PIXELS + _WINDOW_MARGIN_PIXELS
    while first < end and pixels[first] < least:
        first += 1
    while first < end and pixels[end - 1] > most:
        end -= 1
    return first, end


@numba.njit(**JIT_OPTIONS)
def _trace_alone(
    depths: Floats, solids: Floats, rows: Ints, eye: Floats, across: Ints, down: Ints
) -> float:
    """Fill in the depths of an object as if nothing else were there; return the greatest."""
    farthest = -inf
    for i in range(len(down)):
        for j in range(len(across)):
            ray, nearest = _ray(eye, across[j], down[i]), inf
            for row in rows:
                nearest = min(nearest, _depth(solids[row], eye, ray))
            depths[i, j] = nearest
            if nearest < inf:
                farthest = max(farthest, nearest)
    return farthest


@numba.njit(**JIT_OPTIONS)
def _hide_behind(
    depths: Floats, solid: Floats, wins_ties: bool, eye: Floats, across: Ints, down: Ints, part: Any
) -> None:
    """Set the depths that a solid hides to infinity, in a part of the pixels."""
    top, bottom, left, right = part
    for i in range(top, bottom):
        for j in range(left, right):
            if depths[i, j] < inf:
                time = _depth(solid, eye, _ray(eye, across[j], down[i]))
                if time < depths[i, j] or (wins_ties and time == depths[i, j]):
                    depths[i, j] = inf


@numba.njit(**JIT_OPTIONS)
def _hide_occluders(
    depths: Floats, farthest: float, table: Any, index: int, eye: Floats, across: Ints, down: Ints
) -> None:
    """Set the depths at which other objects hide this one to infinity."""
    solids, owners, low, high = table
    half = (eye[2, 0] * eye[2, 0] + eye[2, 1] * eye[2, 1]) + eye[2, 2] * eye[2, 2]
    along, found = np.empty((3, 8)), np.empty(4)
    for row in range(len(solids)):
        if owners[row] == index or low[0, row] > high[0, row]:
            continue
        place_corners(along, low[:, row], high[:, row], eye)
        if along[0].max() < NEAR_PLANE_METRES or along[0].min() > farthest + _MARGIN_METRES:
            continue
        _rectangle(found, along, half)
        left, right = _span(across, found[0], found[2])
        top, bottom = _span(down, found[1], found[3])
        if left < right and top < bottom:
            part = top, bottom, left, right
            _hide_behind(depths, solids[row], owners[row] < index, eye, across, down, part)


def _make_object_tracer(stamp: int) -> Callable[..., Any]:
    @numba.njit(cache=True, **JIT_OPTIONS)
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
        depths = np.empty((len(down), len(across)))
        farthest = _trace_alone(depths, solids, own, eye, across, down)
        if farthest > 0.0:
            table = solids, owners, low, high
            _hide_occluders(depths, farthest, table, index, eye, across, down)
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
                    rays[0, at], rays[1, at], rays[2, at] = _ray(eye, across[j], down[i])
                    at += 1
        return rows, columns, rays

    return traced


_window_finder = _make_window_finder(source_checksum())
_object_tracer = _make_object_tracer(source_checksum())


def _own_rows(geometry: Geometry, index: int) -> Ints:
    return np.array(geometry.visible_rows_of(index), dtype=np.int64)


def bounding_window(geometry: Geometry, eye: Eye, index: int) -> PixelWindow:
    """Return what `Geometry.bounding_window` returns."""
    table, own = solid_table(geometry), _own_rows(geometry, index)
    if not len(own):
        return PixelWindow(0, 0, 0, 0)
    camera = np.array([eye.position, *eye.axes])
    return PixelWindow(*_window_finder(table.low, table.high, own, camera))


def visible_part(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints
) -> VisiblePart:
    """Return what `camera.visible_part.visible_part` returns."""
    table, camera = solid_table(geometry), np.array([eye.position, *eye.axes])
    at_rows, at_columns, (x, y, z, depths) = _object_tracer(
        table.solids,
        table.owners,
        table.low,
        table.high,
        _own_rows(geometry, index),
        index,
        camera,
        columns,
        rows,
    )
    return VisiblePart(at_rows, at_columns, Rays.from_directions((x, y, z)), depths)
