"""AI2-THOR's lattice of places to put a thing down, and what is in its way there.

A place is cut in eight each way, and a thing goes to one of the points between, squared
to the room or turned by a quarter (found in AI2-THOR 3.1.0's recordings).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tatc.state import Vec3

PARTS = 8
"""Into how many parts AI2-THOR cuts a place each way."""
GAP = 0.002
"""Metres kept from what stands there already."""
SLACK = 0.01
"""Metres that a thing may be wider than its place: boxes are rough."""

Spots = NDArray[np.float64]
"""Points, one row x, z each."""
Bounds = tuple[Vec3, Vec3]
"""The lowest and the highest corner of a box along the world's axes."""


def spots_of(place: Bounds, size: tuple[float, float]) -> Spots:
    """Return the points at which a footprint of this size does not stick out."""
    low, high = place
    half = np.array(size) / 2
    start, stop = np.array((low[0], low[2])), np.array((high[0], high[2]))
    shares = np.arange(1, PARTS)[:, None] / PARTS
    lattice = start + shares * (stop - start)
    fits = (lattice >= start + half - SLACK) & (lattice <= stop - half + SLACK)
    xs, zs = lattice[fits[:, 0], 0], lattice[fits[:, 1], 1]
    return np.stack(np.meshgrid(xs, zs, indexing="ij"), axis=-1).reshape(-1, 2)


def taken(
    spots: Spots, size: tuple[float, float], others: Sequence[Bounds]
) -> NDArray[np.bool_]:
    """Return which of the others (rows) are in the way at which spots (columns)."""
    half = np.array(size) / 2 + GAP
    lows = np.array([(low[0], low[2]) for low, _ in others]).reshape(-1, 1, 2)
    highs = np.array([(high[0], high[2]) for _, high in others]).reshape(-1, 1, 2)
    meets = (spots > lows - half) & (spots < highs + half)
    return meets[..., 0] & meets[..., 1]
