"""The solids of a geometry as arrays, and the windows of a frame in which each can appear."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from weakref import WeakKeyDictionary

import numba
import numpy as np

from tatc.home.camera.geometry import Geometry
from tatc.home.camera.ray_intersection import NEAR_PLANE_METRES, PreparedSolid
from tatc.home.camera.rays import Floats, Ints
from tatc.home.rendering.numba_backend.jit_formulas import JIT_OPTIONS, source_checksum


@dataclass(slots=True, eq=False)
class SolidTable:
    """All solids of a geometry as arrays, as they were at a version of it.

    `owners` are the indices of their objects.  Among solids at the same depth the one with the
    lowest rank counts; a rank modulo the number of solids is the solid's row.
    """

    version: int
    prepared: list[PreparedSolid]
    solids: Floats
    owners: Ints
    ranks: Ints
    low: Floats
    high: Floats


_tables: WeakKeyDictionary[Geometry, SolidTable] = WeakKeyDictionary()


def solid_table(geometry: Geometry) -> SolidTable:
    """Return the solids of a geometry; after a change, only what has changed is made anew."""
    table = _tables.get(geometry)
    if table is not None and table.version == geometry.version:
        return table
    prepared = list(geometry.prepared_solids)
    if table is None or len(table.prepared) != len(prepared):
        rows = [solid_row(solid) for solid in prepared]
        count = len(rows)
        owners = np.array(geometry.owners, dtype=np.int64)
        ranks = owners * count + np.arange(count)
        low, high = (np.ascontiguousarray(corners) for corners in geometry.bounds)
        solids = np.array(rows).reshape(-1, 10)
        table = SolidTable(geometry.version, prepared, solids, owners, ranks, low, high)
        _tables[geometry] = table
        return table
    for row, (solid, before) in enumerate(zip(prepared, table.prepared, strict=True)):
        if solid is not before:
            table.solids[row] = solid_row(solid)
    table.low[:], table.high[:] = geometry.bounds
    table.version, table.prepared = geometry.version, prepared
    return table


def solid_row(target: PreparedSolid) -> tuple[float, ...]:
    """Return a solid as numbers: centre, half sizes, turn and kind."""
    turn = target.sine, target.cosine
    kind = float(target.shape.value), float(target.open_faces.value)
    return (*target.center, *target.half, *turn, *kind)


@numba.njit(**JIT_OPTIONS)
def place_corners(along: Floats, low: Floats, high: Floats, eye: Floats) -> None:
    """Fill in how far the eight corners of a box lie ahead, right and above: (3, 8).

    Bit 2 of a corner's index stands for its x, bit 1 for y and bit 0 for z; 1 is the high side.
    """
    for axis in range(3):
        for corner in range(8):
            total = 0.0
            for side in range(3):
                at = high[side] if corner >> (2 - side) & 1 else low[side]
                total += eye[1 + axis, side] * (at - eye[0, side])
            along[axis, corner] = total


@numba.njit(**JIT_OPTIONS)
def _widen(window: Floats, ahead: float, right: float, above: float, half: float) -> None:
    """Make a window, as shares of the frame, wide enough to hold a point."""
    u, v = 0.5 + right / (2 * ahead * half), 0.5 - above / (2 * ahead * half)
    window[0], window[2] = min(window[0], u), max(window[2], u)
    window[1], window[3] = min(window[1], v), max(window[3], v)


@numba.njit(**JIT_OPTIONS)
def _cut_edges(window: Floats, along: Floats, corner: int, half: float) -> None:
    """Widen a window by where the near plane cuts the edges from a corner behind it."""
    plane = NEAR_PLANE_METRES / 2
    for bit in (1, 2, 4):
        here, there = along[:, corner], along[:, corner ^ bit]
        if there[0] >= plane:
            share = (plane - here[0]) / (there[0] - here[0])
            right = here[1] + share * (there[1] - here[1])
            _widen(window, plane, right, here[2] + share * (there[2] - here[2]), half)


def _make_window_finder(stamp: int) -> Callable[..., tuple[Ints, Floats]]:
    @numba.njit(cache=True, **JIT_OPTIONS)
    def windows_of(low: Floats, high: Floats, eye: Floats, size: int) -> tuple[Ints, Floats]:
        count = low.shape[1]
        windows, nearest = np.zeros((count, 4), dtype=np.int64), np.zeros(count) + 0 * stamp
        half = eye[2, 0] ** 2 + eye[2, 1] ** 2 + eye[2, 2] ** 2
        along, window = np.empty((3, 8)), np.empty(4)
        for i in range(count):
            if low[0, i] > high[0, i]:
                continue
            place_corners(along, low[:, i], high[:, i], eye)
            nearest[i] = along[0].min()
            if along[0].max() < NEAR_PLANE_METRES:
                continue
            window[:2], window[2:] = inf, -inf
            for corner in range(8):
                if along[0, corner] >= NEAR_PLANE_METRES / 2:
                    _widen(window, along[0, corner], along[1, corner], along[2, corner], half)
                else:
                    _cut_edges(window, along, corner, half)
            for side in range(2):
                windows[i, side] = max(0, int(np.floor(max(window[side], -1.0) * size)) - 1)
                end = int(np.ceil(min(window[side + 2], 2.0) * size)) + 1
                windows[i, side + 2] = min(size, end)
        return windows, nearest

    return windows_of


find_windows = _make_window_finder(source_checksum())
"""Return what `ScreenBounds` finds for all solids: windows, (solids, 4), and nearest depths.

The arguments are the boxes' lowest and highest corners, (3, solids), the eye's position and axes,
(4, 3), and the pixels along each side of the frame.
"""
