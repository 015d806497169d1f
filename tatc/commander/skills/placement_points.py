"""AI2-THOR's lattice of points to place an object at, and what blocks each point.

A receptacle is divided by eight in each direction, and an object goes to one of the points
between, aligned with the room or turned by 90 degrees (found in AI2-THOR 3.1.0's
recordings).
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tatc.home.state import Vec3
from tatc.home.type_facts import LATTICE_DIVISIONS

PLACEMENT_GAP_METRES = 0.002
"""Distance kept from the objects that stand there, metres."""
FOOTPRINT_SLACK_METRES = 0.01
"""Distance by which an object may stick out, because boxes are rough, metres."""

PlacementPoints = NDArray[np.float64]
"""Points on the floor plan, shape (n, 2): x, z in metres."""
BoxBounds = tuple[Vec3, Vec3]
"""The lowest and the highest corner of an axis-aligned box, metres."""


@lru_cache(maxsize=512)
def points_for_footprint(place: BoxBounds, size: tuple[float, float]) -> PlacementPoints:
    """Return the points at which a footprint (width, depth in metres) does not stick out.

    The array cannot be written to.
    """
    low, high = place
    half = np.array(size) / 2
    start, stop = np.array((low[0], low[2])), np.array((high[0], high[2]))
    shares = np.arange(1, LATTICE_DIVISIONS)[:, None] / LATTICE_DIVISIONS
    lattice = start + shares * (stop - start)
    fits = (lattice >= start + half - FOOTPRINT_SLACK_METRES) & (
        lattice <= stop - half + FOOTPRINT_SLACK_METRES
    )
    xs, zs = lattice[fits[:, 0], 0], lattice[fits[:, 1], 1]
    points = np.stack(np.meshgrid(xs, zs, indexing="ij"), axis=-1).reshape(-1, 2)
    points.setflags(write=False)
    return points


def blocked_points(
    points: PlacementPoints, size: tuple[float, float], other_bounds: Sequence[BoxBounds]
) -> NDArray[np.bool_]:
    """Return which of the others (rows) block which points (columns)."""
    half = np.array(size) / 2 + PLACEMENT_GAP_METRES
    lows = np.array([(low[0], low[2]) for low, _ in other_bounds]).reshape(-1, 1, 2)
    highs = np.array([(high[0], high[2]) for _, high in other_bounds]).reshape(-1, 1, 2)
    meets = (points > lows - half) & (points < highs + half)
    return meets[..., 0] & meets[..., 1]


def points_beyond(
    points: PlacementPoints, stands: Sequence[tuple[float, float]], reach: float
) -> PlacementPoints:
    """Return the points that are more than `reach` metres, level, from every stand (x, z)."""
    away = points[:, None, :] - np.array(stands).reshape(1, -1, 2)
    return points[(np.hypot(away[..., 0], away[..., 1]) > reach).all(axis=1)]
