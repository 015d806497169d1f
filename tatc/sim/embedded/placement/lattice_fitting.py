"""The lattice of places that what rests in a receptacle shows.

AI2-THOR puts things at the points of a lattice that cuts an area in eight each way,
when a scene is laid out as well as later.  Boxes tell where an area is within some
centimetres; the things that rest there at the start stand on its points and show it
exactly, once there are two or more.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tatc.sim.embedded.placement.support_surfaces import Surface
from tatc.state import yaw_sin_cos

Floats = NDArray[np.float64]

LATTICE_DIVISIONS = 8
"""Into how many parts an area is cut each way; things stand on the lines between."""
MAX_END_SHIFT_METRES, END_SHIFT_STEP_METRES = 0.12, 0.006
"""How far each end of an area may be from where the boxes have it, and how finely it
is sought, metres."""
FIT_TOLERANCE_METRES = 0.006
"""How far from its point a thing may have settled, metres."""
SHIFT_PENALTY_PER_METRE = 8.0
"""What a metre of difference from the boxes weighs, in things on their points."""
AREA_MARGIN_METRES = 0.02
"""How far beyond an area's end a thing still tells of it, metres."""


def fit_to_lattice(surface: Surface, positions: Sequence[tuple[float, float]]) -> Surface:
    """Return an area moved and stretched so that things seen at x, z are on its points.

    Of all such areas it is the one most like the given one.
    """
    if not surface.lattice or len(positions) < 2:
        return surface
    sine, cosine = yaw_sin_cos(surface.yaw)
    points = np.array(positions) - (surface.x, surface.z)
    along = points[:, 0] * cosine - points[:, 1] * sine
    across = points[:, 0] * sine + points[:, 1] * cosine
    wide, deep = surface.size[0] / 2, surface.size[1] / 2
    here = (np.abs(along) < wide + AREA_MARGIN_METRES) & (
        np.abs(across) < deep + AREA_MARGIN_METRES
    )
    low, high = _fitted_ends(wide, along[here])
    near, far = _fitted_ends(deep, across[here])
    dx, dz = (low + high) / 2, (near + far) / 2
    return replace(
        surface,
        x=surface.x + dx * cosine + dz * sine,
        z=surface.z - dx * sine + dz * cosine,
        size=(high - low, far - near),
    )


def _fitted_ends(half: float, coordinates: Floats) -> tuple[float, float]:
    """Return the ends of an area from -half to half that fit what is seen best."""
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
    off = np.abs(line - nearest) * cell
    on = np.clip(1.0 - off / FIT_TOLERANCE_METRES, 0.0, 1.0) * (
        np.abs(nearest) < LATTICE_DIVISIONS / 2
    )
    moved = np.abs(shifts)[:, None] + np.abs(shifts)[None, :]
    best = int((on.sum(-1) - SHIFT_PENALTY_PER_METRE * moved).argmax())
    i, j = divmod(best, len(shifts))
    return float(shifts[i]) - half, float(shifts[j]) + half
