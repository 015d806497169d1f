"""Formulas compiled by numba for single pixels; solids as arrays, and their place in the frame.

The formulas of `ray_intersection` work on numbers and arrays alike.  Compiled for one pixel, they
need no intermediate arrays; nothing is reordered or fused, so the result equals numpy's to the last
bit.  The modules `numba_*` are imported only where much is traced and numba is installed.
"""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary
from zlib import crc32

from tatc.base.errors import MissingExtra

MissingExtra.check("fast", "numba")

import numba
import numpy as np
from numba.extending import overload as overload, register_jitable

from tatc.home.camera import ray_intersection
from tatc.home.camera.geometry import NO_OBJECT, Geometry, origins
from tatc.home.camera.rays import MIN_RAY_COMPONENT, NEAR_PLANE_METRES, Eye, Floats, Ints

_OPTIONS: dict[str, Any] = {"error_model": "numpy"}  # division by zero gives infinity
# In a loop without calls several pixels are computed at a time.
_FORMULA_OPTIONS: dict[str, Any] = {**_OPTIONS, "forceinline": True}
_CUT_METRES = NEAR_PLANE_METRES / 2

compiled: Any = numba.njit(**_OPTIONS)
"""Compiles a function.  Those that the same lines make need qualified names of their own: machine
code that is kept calls them by name, and by a count that differs between processes."""
compiled_once: Any = numba.njit(cache=True, **_OPTIONS)
"""Compiles a function, and keeps its machine code for later runs."""
register_formula: Any = register_jitable(**_FORMULA_OPTIONS)
"""Lets compiled functions call a formula, which stays a Python function too."""


def source_checksum(*others: Path) -> int:
    """Return a number that changes with the source files of the formulas, and with other files.

    numba caches machine code between runs and checks only a function's own file for changes.  A
    function with this number in its closure is recompiled when any of the other files changes, too.
    """
    folder = Path(__file__).parent
    names = ("ray_intersection.py", "rays.py", "solids.py")
    files = [*(folder / name for name in names), *sorted(folder.glob("numba_*.py")), *others]
    return crc32(b"".join(file.read_bytes() for file in files))


_ON_NUMBERS: dict[str, Any] = {
    "where": lambda c, a, b: a if c else b,
    # numpy's own look for NaN at each step, and none is here.
    "lesser": lambda a, b: a if a < b else b,
    "greater": lambda a, b: a if a > b else b,
}
for _name, _function in _ON_NUMBERS.items():
    _function.__qualname__ = _name
overload(ray_intersection.where)(lambda c, a, b: _ON_NUMBERS["where"])
overload(ray_intersection.lesser)(lambda a, b: _ON_NUMBERS["lesser"])
overload(ray_intersection.greater)(lambda a, b: _ON_NUMBERS["greater"])
for _formula in (
    ray_intersection.slab_intervals,
    ray_intersection.cylinder_intervals,
    ray_intersection.ellipsoid_depths,
    ray_intersection.disc_depths,
    ray_intersection.intersect_local,
):
    register_formula(_formula)


def camera_rows(eye: Eye) -> Floats:
    """Return an eye as compiled functions take it: its position, then its three axes, (4, 3)."""
    return np.array([eye.position, *eye.axes])


@numba.njit(**_FORMULA_OPTIONS)
def ray_component(eye: Floats, axis: int, u: float, v: float) -> float:
    """Return one component of a ray, equal to that of `Eye.ray`."""
    value = (eye[1, axis] + u * eye[2, axis]) + v * eye[3, axis]
    return value if value != 0.0 else MIN_RAY_COMPONENT


@dataclass(slots=True, eq=False)
class SolidTable:
    """All solids of a geometry as arrays, as they were at a version of it.

    Among solids at the same depth the one with the lowest rank counts.  `rows` and `owners` are the
    solids and their objects by rank; the last ones are those of the room's walls.
    """

    version: int
    prepared: list[ray_intersection.PreparedSolid]
    solids: Floats
    ranks: Ints
    rows: Ints
    owners: Ints
    low: Floats
    high: Floats


_tables: WeakKeyDictionary[Geometry, SolidTable] = WeakKeyDictionary()


def solid_table(geometry: Geometry) -> SolidTable:
    """Return the solids of a geometry; after a change, only what has changed is made anew."""
    table = _tables.get(geometry)
    if table is None and geometry in origins:
        table = solid_table(origins[geometry])
        parts = {name: getattr(table, name).copy() for name in ("solids", "low", "high")}
        table = _tables[geometry] = replace(table, **parts)
    if table is not None and table.version == geometry.version:
        return table
    prepared = list(geometry.prepared_solids)
    if table is None or len(table.prepared) != len(prepared):
        owners = np.array(geometry.owners, dtype=np.int64)
        rows = np.append(np.argsort(owners, kind="stable"), len(owners))
        ranks, owners = np.argsort(rows), np.append(owners, NO_OBJECT)[rows]
        low, high = (np.ascontiguousarray(corners) for corners in geometry.bounds)
        values = chain.from_iterable(map(solid_row, prepared))
        solids = np.fromiter(values, np.float64).reshape(-1, 10)
        table = SolidTable(geometry.version, prepared, solids, ranks, rows, owners, low, high)
        _tables[geometry] = table
        return table
    for row, (solid, before) in enumerate(zip(prepared, table.prepared, strict=True)):
        if solid is not before:
            table.solids[row] = solid_row(solid)
    table.low[:], table.high[:] = geometry.bounds
    table.version, table.prepared = geometry.version, prepared
    return table


def solid_row(target: ray_intersection.PreparedSolid) -> tuple[float, ...]:
    """Return a solid as numbers: centre, half sizes, turn and kind."""
    center, half, sine, cosine, shape, opening, _ = target
    return (*center, *half, sine, cosine, shape, opening)


@compiled
def frame_scale(eye: Floats) -> float:
    """Return the square of the length of the frame's right axis."""
    return (eye[2, 0] * eye[2, 0] + eye[2, 1] * eye[2, 1]) + eye[2, 2] * eye[2, 2]


@compiled
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


@compiled
def _widen(found: Floats, ahead: float, right: float, above: float, half: float) -> None:
    """Make a rectangle, as shares of the frame, wide enough to hold a point."""
    depth = ahead * half * 2
    u, v = 0.5 + right / depth, 0.5 - above / depth
    found[0], found[2] = min(found[0], u), max(found[2], u)
    found[1], found[3] = min(found[1], v), max(found[3], v)


@compiled
def fill_rectangle(found: Floats, along: Floats, half: float) -> None:
    """Fill in a box's left, top, right and bottom, equal to `ScreenBounds.frame_rectangles`.

    `along` says how far its corners lie ahead, right and above; `half` is the `frame_scale`.
    """
    found[:2], found[2:] = inf, -inf
    is_cut = along[0].min() < NEAR_PLANE_METRES
    for corner in range(8):
        ahead = along[0, corner]
        if not (is_cut and ahead < _CUT_METRES):
            _widen(found, max(ahead, _CUT_METRES), along[1, corner], along[2, corner], half)
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
            _widen(found, _CUT_METRES, right, above, half)


@compiled
def clip(value: float, low: float, high: float) -> float:
    """Return a number limited to a range."""
    return min(max(value, low), high)


@compiled
def fill_window(window: Ints, found: Floats, along: Floats, half: float, size: int) -> None:
    """Fill in a box's pixels, equal to `ScreenBounds.pixel_bounds`; `found` is scratch space."""
    fill_rectangle(found, along, half)
    for side in range(4):
        edge = clip(found[side], -1.0, 2.0) * size
        edge = np.floor(edge) - 1 if side < 2 else np.ceil(edge) + 1
        window[side] = int(clip(edge, 0, size))
