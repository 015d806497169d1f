"""Find which object each of a few pixels shows."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from collections.abc import Callable
from math import inf
from typing import Any

import numba
import numpy as np

from tatc.home.camera.geometry import NO_OBJECT, Geometry
from tatc.home.camera.ray_intersection import NEAR_PLANE_METRES
from tatc.home.camera.rays import Eye, Floats, Ints
from tatc.home.rendering.numba_backend.jit_formulas import JIT_OPTIONS, source_checksum
from tatc.home.rendering.numba_backend.pixel_rays import frame_ray, ray_depth
from tatc.home.rendering.numba_backend.solid_table import place_corners, solid_table
from tatc.home.rendering.numba_backend.solid_windows import fill_rectangle, span


@numba.njit(**JIT_OPTIONS)
def _show_solid(
    seen: Ints, depths: Floats, solid: Floats, owner: int, eye: Floats, pixels: Any
) -> None:
    """Let a solid be seen in those pixels that show nothing nearer, and no earlier object as near.

    `pixels` are the columns and the rows of the view, and the part in which the solid may show.
    """
    across, down, (top, bottom, left, right) = pixels
    for i in range(top, bottom):
        for j in range(left, right):
            time = ray_depth(solid, eye, frame_ray(eye, across[j], down[i]))
            if time < depths[i, j] or (time == depths[i, j] < inf and owner < seen[i, j]):
                depths[i, j], seen[i, j] = time, owner


def _make_pixel_tracer(stamp: int) -> Callable[..., Any]:
    @numba.njit(cache=True, **JIT_OPTIONS)
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
        half = (eye[2, 0] * eye[2, 0] + eye[2, 1] * eye[2, 1]) + eye[2, 2] * eye[2, 2]
        along, found = np.empty((3, 8)), np.empty(4)
        for row in range(len(solids)):
            if low[0, row] > high[0, row]:
                continue
            place_corners(along, low[:, row], high[:, row], eye)
            if along[0].max() < NEAR_PLANE_METRES:
                continue
            fill_rectangle(found, along, half)
            left, right = span(across, found[0], found[2])
            top, bottom = span(down, found[1], found[3])
            if left < right and top < bottom:
                pixels = across, down, (top, bottom, left, right)
                _show_solid(seen, depths, solids[row], owners[row], eye, pixels)
        return seen

    return traced


_pixel_tracer = _make_pixel_tracer(source_checksum())


def objects_seen(geometry: Geometry, eye: Eye, columns: Ints, rows: Ints) -> Ints:
    """Return the objects that `Geometry.trace_object_pixels` returns."""
    table, camera = solid_table(geometry), np.array([eye.position, *eye.axes])
    return _pixel_tracer(table.solids, table.owners, table.low, table.high, camera, columns, rows)
