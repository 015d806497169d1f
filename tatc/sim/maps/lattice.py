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

from tatc.sim.surfaces import Surface
from tatc.state import turned

Floats = NDArray[np.float64]

PARTS = 8
"""Into how many parts an area is cut each way; things stand on the lines between."""
REACH, STEP = 0.12, 0.006
"""How far each end of an area may be from where the boxes have it, and how finely it
is sought, metres."""
NEAR = 0.006
"""How far from its point a thing may have settled, metres."""
PULL = 8.0
"""What a metre of difference from the boxes weighs, in things on their points."""
BESIDE = 0.02
"""How far beyond an area's end a thing still tells of it, metres."""


def fitted(surface: Surface, seen: Sequence[tuple[float, float]]) -> Surface:
    """Return an area moved and stretched so that things seen at x, z are on its points.

    Of all such areas it is the one most like the given one.
    """
    if not surface.lattice or len(seen) < 2:
        return surface
    sine, cosine = turned(surface.yaw)
    points = np.array(seen) - (surface.x, surface.z)
    along = points[:, 0] * cosine - points[:, 1] * sine
    across = points[:, 0] * sine + points[:, 1] * cosine
    wide, deep = surface.size[0] / 2, surface.size[1] / 2
    here = (np.abs(along) < wide + BESIDE) & (np.abs(across) < deep + BESIDE)
    low, high = _ends(wide, along[here])
    near, far = _ends(deep, across[here])
    dx, dz = (low + high) / 2, (near + far) / 2
    return replace(
        surface,
        x=surface.x + dx * cosine + dz * sine,
        z=surface.z - dx * sine + dz * cosine,
        size=(high - low, far - near),
    )


def _ends(half: float, seen: Floats) -> tuple[float, float]:
    """Return the ends of an area from -half to half that fit what is seen best."""
    if len(seen) < 2:
        return -half, half
    count = min(int(REACH / STEP), int(half / STEP))
    shifts = np.arange(-count, count + 1) * STEP
    low, high = shifts[:, None, None] - half, shifts[None, :, None] + half
    cell = np.maximum((high - low) / PARTS, STEP)
    line = (seen - (low + high) / 2) / cell
    nearest = np.round(line)
    off = np.abs(line - nearest) * cell
    on = np.clip(1.0 - off / NEAR, 0.0, 1.0) * (np.abs(nearest) < PARTS / 2)
    moved = np.abs(shifts)[:, None] + np.abs(shifts)[None, :]
    best = int((on.sum(-1) - PULL * moved).argmax())
    i, j = divmod(best, len(shifts))
    return float(shifts[i]) - half, float(shifts[j]) + half
