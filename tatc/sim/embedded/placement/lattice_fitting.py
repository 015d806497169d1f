"""Fit an area's lattice to the objects that rest on it.

AI2-THOR divides an area into eight parts each way and puts objects on the points of this
lattice, both when it lays out a scene and later.  Boxes show an area to within
centimetres.  The objects that rest on it at the start stand on its lattice points, so two
or more of them show it exactly.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tatc.sim.embedded.placement.surface import Surface
from tatc.state import yaw_sin_cos
from tatc.thor_types.placing_facts import LATTICE_DIVISIONS

Floats = NDArray[np.float64]

MAX_END_SHIFT_METRES, END_SHIFT_STEP_METRES = 0.12, 0.006
"""How far each end of an area may differ from the one that boxes show, and the step of the
search, metres."""
FIT_TOLERANCE_METRES = 0.006
"""How far from its lattice point an object may have settled, metres."""
SHIFT_PENALTY_PER_METRE = 8.0
"""The penalty for each metre of difference from the boxes, in objects on lattice points."""
AREA_MARGIN_METRES = 0.02
"""How far beyond an area's end an object still counts as on it, metres."""


def fit_to_lattice(surface: Surface, positions: Sequence[tuple[float, float]]) -> Surface:
    """Return an area, moved and stretched so that objects stand on its lattice points.

    Of all areas that fit the objects, the most similar to the given one is returned.  The
    area is unchanged if it has no lattice or if there are fewer than two objects.

    Args:
        surface: the area that the boxes show.
        positions: the x and z of the resting objects, world, metres.

    """
    if not surface.lattice or len(positions) < 2:
        return surface
    return _fit_to_lattice(surface, tuple(positions))


@lru_cache(maxsize=1024)
def _fit_to_lattice(surface: Surface, positions: tuple[tuple[float, float], ...]) -> Surface:
    sine, cosine = yaw_sin_cos(surface.yaw)
    points = np.array(positions) - (surface.x, surface.z)
    along = points[:, 0] * cosine - points[:, 1] * sine
    across = points[:, 0] * sine + points[:, 1] * cosine
    half_width, half_depth = surface.size[0] / 2, surface.size[1] / 2
    on_area = (np.abs(along) < half_width + AREA_MARGIN_METRES) & (
        np.abs(across) < half_depth + AREA_MARGIN_METRES
    )
    low, high = _fitted_ends(half_width, along[on_area])
    near, far = _fitted_ends(half_depth, across[on_area])
    dx, dz = (low + high) / 2, (near + far) / 2
    return replace(
        surface,
        x=surface.x + dx * cosine + dz * sine,
        z=surface.z - dx * sine + dz * cosine,
        size=(high - low, far - near),
    )


def _fitted_ends(half: float, coordinates: Floats) -> tuple[float, float]:
    """Return the ends of a side, near -half and half, that best fit the coordinates."""
    if len(coordinates) < 2:
        return -half, half
    count = min(
        int(MAX_END_SHIFT_METRES / END_SHIFT_STEP_METRES), int(half / END_SHIFT_STEP_METRES)
    )
    shifts = np.arange(-count, count + 1) * END_SHIFT_STEP_METRES
    low, high = shifts[:, None, None] - half, shifts[None, :, None] + half
    cell = np.maximum((high - low) / LATTICE_DIVISIONS, END_SHIFT_STEP_METRES)
    line = (coordinates - (low + high) / 2) / cell
    nearest = np.round(line)
    distance = np.abs(line - nearest) * cell
    fit = np.clip(1.0 - distance / FIT_TOLERANCE_METRES, 0.0, 1.0) * (
        np.abs(nearest) < LATTICE_DIVISIONS / 2
    )
    change = np.abs(shifts)[:, None] + np.abs(shifts)[None, :]
    best = int((fit.sum(-1) - SHIFT_PENALTY_PER_METRE * change).argmax())
    i, j = divmod(best, len(shifts))
    return float(shifts[i]) - half, float(shifts[j]) + half
