"""The parts of a frame in which solids can show: rectangles, windows, spans of pixels."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable
from math import inf
from typing import Any

import numba
import numpy as np

from tatc.home.camera.geometry import Geometry
from tatc.home.camera.ray_intersection import NEAR_PLANE_METRES
from tatc.home.camera.rays import FRAME_PIXELS, Eye, Floats, Ints
from tatc.home.camera.screen_bounds import PixelWindow
from tatc.home.rendering.numba_backend.jit_formulas import JIT_OPTIONS, source_checksum
from tatc.home.rendering.numba_backend.solid_table import place_corners, solid_table

_CUT_METRES = NEAR_PLANE_METRES / 2
_WINDOW_MARGIN_PIXELS = 2


@numba.njit(**JIT_OPTIONS)
def fill_rectangle(found: Floats, along: Floats, half: float) -> None:
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
            fill_rectangle(found, along, half)
            for side in range(4):
                found[side] = _clip(found[side], -1.0, 2.0) * FRAME_PIXELS
            left = min(left, int(_clip(np.floor(found[0]) - 1, 0, FRAME_PIXELS)))
            top = min(top, int(_clip(np.floor(found[1]) - 1, 0, FRAME_PIXELS)))
            right = max(right, int(_clip(np.ceil(found[2]) + 1, 0, FRAME_PIXELS)))
            bottom = max(bottom, int(_clip(np.ceil(found[3]) + 1, 0, FRAME_PIXELS)))
        return left, top, right, bottom

    return window_of


@numba.njit(**JIT_OPTIONS)
def span(pixels: Ints, low: float, high: float) -> Any:
    """Return the first and the end of the ascending pixels that lie between two shares."""
    first, end = 0, len(pixels)
    least = _clip(low, -1.0, 2.0) * FRAME_PIXELS - _WINDOW_MARGIN_PIXELS
    most = _clip(high, -1.0, 2.0) * FRAME_PIXELS + _WINDOW_MARGIN_PIXELS
    while first < end and pixels[first] < least:
        first += 1
    while first < end and pixels[end - 1] > most:
        end -= 1
    return first, end


_window_finder = _make_window_finder(source_checksum())


def own_rows(geometry: Geometry, index: int) -> Ints:
    """Return the rows of an object's solids that are not hidden."""
    return np.array(geometry.visible_rows_of(index), dtype=np.int64)


def bounding_window(geometry: Geometry, eye: Eye, index: int) -> PixelWindow:
    """Return what `Geometry.bounding_window` returns."""
    table, own = solid_table(geometry), own_rows(geometry, index)
    if not len(own):
        return PixelWindow(0, 0, 0, 0)
    camera = np.array([eye.position, *eye.axes])
    return PixelWindow(*_window_finder(table.low, table.high, own, camera))
