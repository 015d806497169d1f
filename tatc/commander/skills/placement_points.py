"""AI2-THOR's lattice of places to put a thing down, and what is in its way there.

A place is cut in eight each way, and a thing goes to one of the points between, squared
to the room or turned by a quarter (found in AI2-THOR 3.1.0's recordings).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tatc.state import Vec3

LATTICE_PARTS = 8
"""Into how many parts AI2-THOR cuts a place each way."""
PLACEMENT_GAP_METRES = 0.002
"""Metres kept from what stands there already."""
FOOTPRINT_SLACK_METRES = 0.01
"""Metres that a thing may be wider than its place: boxes are rough."""

PlacementPoints = NDArray[np.float64]
"""Points, one row x, z each."""
BoxBounds = tuple[Vec3, Vec3]
"""The lowest and the highest corner of a box along the world's axes."""


def points_for_footprint(place: BoxBounds, size: tuple[float, float]) -> PlacementPoints:
    """Return the points at which a footprint of this size does not stick out."""
    low, high = place
    half = np.array(size) / 2
    start, stop = np.array((low[0], low[2])), np.array((high[0], high[2]))
    shares = np.arange(1, LATTICE_PARTS)[:, None] / LATTICE_PARTS
    lattice = start + shares * (stop - start)
    fits = (lattice >= start + half - FOOTPRINT_SLACK_METRES) & (
        lattice <= stop - half + FOOTPRINT_SLACK_METRES
    )
    xs, zs = lattice[fits[:, 0], 0], lattice[fits[:, 1], 1]
    return np.stack(np.meshgrid(xs, zs, indexing="ij"), axis=-1).reshape(-1, 2)


def blocked_points(
    points: PlacementPoints, size: tuple[float, float], other_bounds: Sequence[BoxBounds]
) -> NDArray[np.bool_]:
    """Return which of the others (rows) are in the way at which spots (columns)."""
    half = np.array(size) / 2 + PLACEMENT_GAP_METRES
    lows = np.array([(low[0], low[2]) for low, _ in other_bounds]).reshape(-1, 1, 2)
    highs = np.array([(high[0], high[2]) for _, high in other_bounds]).reshape(-1, 1, 2)
    meets = (points > lows - half) & (points < highs + half)
    return meets[..., 0] & meets[..., 1]
