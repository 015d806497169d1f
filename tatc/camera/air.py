"""How much light comes to each part of a room: less where things stand close together.

The room is cut into cells; how full a cell's surroundings are says how dark it is
there.  So things cast a soft shadow on what they stand on, and corners, shelves and the
floor under a table are dim.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tatc.camera.rays import Floats
from tatc.camera.recipes import Opening
from tatc.camera.shading import Grid
from tatc.camera.tracing import Target, bounds
from tatc.state import Vec3

CELL = 0.07
"""The least side of a cell, metres."""
MOST = 128
"""Cells along a room's longest side at most."""
_REACH = 5  # cells across that count as the surroundings, taken twice
_FREE = 0.24  # how full the surroundings of an open place are: half lies in a wall
_DARK, _DARKEST = 1.05, 0.72


@dataclass(frozen=True, slots=True, eq=False)
class Air:
    """Openness from 0 to 1 at the corners of cells, and where they lie."""

    values: Floats
    grid: Grid


def air_of(targets: Sequence[Target], low: Vec3, high: Vec3) -> Air:
    """Return the air in a room between two corners, around these solids."""
    side = max(CELL, max(b - a for a, b in zip(low, high, strict=True)) / MOST)
    counts = [max(int((b - a) / side) + 2, 2) for a, b in zip(low, high, strict=True)]
    full = np.zeros(counts)
    for target in targets:
        if target.opening is Opening.NONE:
            (x0, y0, z0), (x1, y1, z1) = _cells(target, low, side)
            full[x0:x1, y0:y1, z0:z1] = 1.0
    dark = np.clip((_blurred(_blurred(full)) - _FREE) * _DARK, 0.0, _DARKEST)
    x, y, z = (float(n) for n in counts)
    return Air((1.0 - dark).ravel(), (*low, 1.0 / side, x, y, z))


def _blurred(full: Floats) -> Floats:
    """Return the mean around each cell; beyond the room all is full."""
    counts: tuple[int, ...] = full.shape
    for axis in range(3):
        width = [(0, 0)] * 3
        width[axis] = (_REACH // 2 + 1, _REACH // 2)
        sums = np.pad(full, width, constant_values=1.0).cumsum(axis)
        count = np.arange(counts[axis])
        ends = np.take(sums, count + _REACH, axis)
        full = (ends - np.take(sums, count, axis)) / _REACH
    return full


def _cells(
    target: Target, low: Vec3, side: float
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the first cells that a solid fills, and the first ones after it."""
    start, end = bounds(target)
    first = tuple(
        max(round((a - o) / side), 0) for a, o in zip(start, low, strict=True)
    )
    last = (max(round((b - o) / side), 0) for b, o in zip(end, low, strict=True))
    return first, tuple(max(a + 1, b) for a, b in zip(first, last, strict=True))
