"""Ambient occlusion: the fuller the cells around one are, the less light reaches it.

So objects cast a soft shadow on what they stand on, and corners, shelves and the floor under a
table are dim.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tatc.home.camera import ray_intersection, rays, solids
from tatc.home.rendering.shading import OcclusionGrid
from tatc.home.state import Vec3

MIN_CELL_METRES = 0.07
MAX_CELLS_PER_AXIS = 128  # the most cells along a room's longest side, about
_BLUR_CELLS = 5  # the width of the blur, which is applied twice
_OPEN_FULLNESS = 0.24  # fullness around an open place: half lies in a wall
_DARKENING, _MAX_DARKNESS = 1.05, 0.72


@dataclass(frozen=True, slots=True, eq=False)
class AmbientOcclusion:
    """The openness (0 to 1) at the corners of cells: `light` is flat, along x, then y, then z."""

    light: rays.Floats
    grid: OcclusionGrid


def compute_ambient_occlusion(
    targets: Sequence[ray_intersection.PreparedSolid], low: Vec3, high: Vec3
) -> AmbientOcclusion:
    """Return the ambient occlusion by solids without open faces in a room between two corners."""
    lengths = [b - a for a, b in zip(low, high, strict=True)]
    side = max(MIN_CELL_METRES, max(lengths) / MAX_CELLS_PER_AXIS)
    counts = [max(int(length / side) + 2, 2) for length in lengths]
    full = np.zeros(counts)
    for target in targets:
        if target.open_faces is solids.OpenFaces.NONE:
            (x0, y0, z0), (x1, y1, z1) = _cell_range(target, low, side)
            full[x0:x1, y0:y1, z0:z1] = 1.0
    dark = np.clip((_box_blur(_box_blur(full)) - _OPEN_FULLNESS) * _DARKENING, 0.0, _MAX_DARKNESS)
    x, y, z = (float(n) for n in counts)
    return AmbientOcclusion((1.0 - dark).ravel(), (*low, 1.0 / side, x, y, z))


def _box_blur(full: rays.Floats) -> rays.Floats:
    """Return the mean fullness around each cell; everything beyond the room is full."""
    counts: tuple[int, ...] = full.shape
    for axis in range(3):
        width = [(0, 0)] * 3
        width[axis] = (_BLUR_CELLS // 2 + 1, _BLUR_CELLS // 2)
        sums = np.pad(full, width, constant_values=1.0).cumsum(axis)
        count = np.arange(counts[axis])
        ends = np.take(sums, count + _BLUR_CELLS, axis)
        full = (ends - np.take(sums, count, axis)) / _BLUR_CELLS
    return full


def _cell_range(
    target: ray_intersection.PreparedSolid, low: Vec3, side: float
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the first cell that a solid fills on each axis, and the first one after it."""
    start, end = ray_intersection.solid_bounds(target)
    first = tuple(max(round((a - o) / side), 0) for a, o in zip(start, low, strict=True))
    last = (max(round((b - o) / side), 0) for b, o in zip(end, low, strict=True))
    return first, tuple(max(a + 1, b) for a, b in zip(first, last, strict=True))
