"""Find which pixels show one object: its own solids are traced, then those that may hide it."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable
from math import inf
from typing import Any

import numba
import numpy as np

from tatc.home.camera.geometry import Geometry
from tatc.home.camera.ray_intersection import CLOSED, NEAR_PLANE_METRES
from tatc.home.camera.rays import Eye, Floats, Ints, Rays
from tatc.home.camera.shape_table import SolidShape
from tatc.home.camera.visible_part import BOX_MARGIN_METRES, VisiblePart
from tatc.home.rendering.numba_backend.jit_formulas import JIT_OPTIONS, source_checksum
from tatc.home.rendering.numba_backend.pixel_rays import frame_ray, ray_depth
from tatc.home.rendering.numba_backend.solid_table import place_corners, solid_table
from tatc.home.rendering.numba_backend.solid_windows import fill_rectangle, own_rows, span

_BOX = SolidShape.BOX.value
_MARGIN_METRES = 1e-6  # far more than the rounding of a solid's least depth


@numba.njit(**JIT_OPTIONS)
def _fill_corners(corners: Floats, low: Floats, high: Floats, own: Ints, eye: Floats) -> None:
    """Fill in the corners, (8, 3), of the box around an object's solids, seen from the eye."""
    for side in range(3):
        least, most = inf, -inf
        for row in own:
            least = min(least, low[side, row] - eye[0, side])
            most = max(most, high[side, row] - eye[0, side])
        for corner in range(8):
            corners[corner, side] = most if corner >> (2 - side) & 1 else least


@numba.njit(**JIT_OPTIONS)
def _hides_corners(low: Floats, high: Floats, corners: Floats, eye: Floats) -> bool:
    """Return whether a closed box hides these points, as `camera.visible_part` tests it."""
    nearest = 0.0
    for side in range(3):
        one, other = low[side] - eye[0, side], high[side] - eye[0, side]
        nearest += min(one * eye[1, side], other * eye[1, side])
    if nearest <= NEAR_PLANE_METRES + BOX_MARGIN_METRES:
        return False
    for corner in range(8):
        enter, leave = -inf, inf
        for side in range(3):
            at = corners[corner, side]
            one = (low[side] - eye[0, side] + BOX_MARGIN_METRES) / at
            other = (high[side] - eye[0, side] - BOX_MARGIN_METRES) / at
            enter, leave = max(enter, min(one, other)), min(leave, max(one, other))
        if not (0.0 < enter and enter <= leave and enter < 1.0 - BOX_MARGIN_METRES):
            return False
    return True


@numba.njit(**JIT_OPTIONS)
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
        if solids[row, 8] == _BOX and solids[row, 9] == CLOSED and solids[row, 6] == 0.0:
            if _hides_corners(low[:, row], high[:, row], corners, eye):
                return row
    return -1


@numba.njit(**JIT_OPTIONS)
def _trace_alone(
    depths: Floats, solids: Floats, rows: Ints, eye: Floats, across: Ints, down: Ints
) -> Any:
    """Fill in the depths of an object as if nothing else were there.

    Return the greatest, and in how many pixels it shows.
    """
    farthest, shown = -inf, 0
    for i in range(len(down)):
        for j in range(len(across)):
            ray, nearest = frame_ray(eye, across[j], down[i]), inf
            for row in rows:
                nearest = min(nearest, ray_depth(solids[row], eye, ray))
            depths[i, j] = nearest
            if nearest < inf:
                farthest, shown = max(farthest, nearest), shown + 1
    return farthest, shown


@numba.njit(**JIT_OPTIONS)
def _hide_behind(
    depths: Floats, solid: Floats, wins_ties: bool, eye: Floats, across: Ints, down: Ints, part: Any
) -> int:
    """Set the depths that a solid hides to infinity, in a part of the pixels; count them."""
    top, bottom, left, right = part
    hidden = 0
    for i in range(top, bottom):
        for j in range(left, right):
            if depths[i, j] < inf:
                time = ray_depth(solid, eye, frame_ray(eye, across[j], down[i]))
                if time < depths[i, j] or (wins_ties and time == depths[i, j]):
                    depths[i, j] = inf
                    hidden += 1
    return hidden


@numba.njit(**JIT_OPTIONS)
def _find_occluders(
    farthest: float, table: Any, index: int, eye: Floats, across: Ints, down: Ints
) -> Any:
    """Return the rows of the solids that may hide an object, and the part of the pixels of each.

    Those that may hide the most come first.
    """
    solids, owners, low, high = table
    half = (eye[2, 0] * eye[2, 0] + eye[2, 1] * eye[2, 1]) + eye[2, 2] * eye[2, 2]
    along, found = np.empty((3, 8)), np.empty(4)
    rows, parts = np.empty(len(solids), np.int64), np.empty((len(solids), 4), np.int64)
    count = 0
    for row in range(len(solids)):
        if owners[row] == index or low[0, row] > high[0, row]:
            continue
        place_corners(along, low[:, row], high[:, row], eye)
        if along[0].max() < NEAR_PLANE_METRES or along[0].min() > farthest + _MARGIN_METRES:
            continue
        fill_rectangle(found, along, half)
        left, right = span(across, found[0], found[2])
        top, bottom = span(down, found[1], found[3])
        if left < right and top < bottom:
            rows[count] = row
            parts[count, 0], parts[count, 1], parts[count, 2] = top, bottom, left
            parts[count, 3], count = right, count + 1
    pixels = (parts[:count, 1] - parts[:count, 0]) * (parts[:count, 3] - parts[:count, 2])
    order = np.argsort(-pixels)
    return rows[order], parts[order]


@numba.njit(**JIT_OPTIONS)
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
                    rays[0, at], rays[1, at], rays[2, at] = frame_ray(eye, across[j], down[i])
                    at += 1
        return rows, columns, rays, hiders

    return traced


_object_tracer = _make_object_tracer(source_checksum())


def visible_part(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints
) -> VisiblePart:
    """Return what `camera.visible_part.visible_part` returns."""
    own = own_rows(geometry, index)
    if not len(own):
        return VisiblePart.empty()
    table, camera = solid_table(geometry), np.array([eye.position, *eye.axes])
    at_rows, at_columns, (x, y, z, depths), hiders = _object_tracer(
        table.solids, table.owners, table.low, table.high, own, index, camera, columns, rows
    )
    rays = Rays.from_directions((x, y, z))
    return VisiblePart(at_rows, at_columns, rays, depths, tuple(hiders.tolist()))
