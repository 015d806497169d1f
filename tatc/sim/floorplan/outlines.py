"""What of a thing's box is solid to a body, seen from above.

Most boxes are exact: a body is refused where its 0.2 m touch one, and stands where they
do not (recorded translations, to a few millimetres).  The exceptions are few, and are
fitted on recorded translations and on the cells of ALFRED.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tatc.camera.shapes import LONGEST
from tatc.sim.floorplan.walls import GROUND
from tatc.state import Box, ObjectState, turned

Floats = NDArray[np.float64]

HEIGHT = 1.8
"""Of the body above the floor, metres: what hangs higher does not block it."""
STEP = 0.1
"""Boxes that end lower than this are walked over, metres."""
MARGIN: Mapping[str, float] = MappingProxyType(
    {
        "Toilet": -0.07,
        "Sofa": -0.04,
        "Bed": -0.04,
        "HousePlant": -0.04,
        "GarbageCan": -0.015,
        "Window": -0.015,
        "StoveBurner": 0.11,
        "CounterTop": 0.005,
    }
)
"""How far a thing stands out of its box, metres: a stove has its oven's handle before
its burners, what is soft gives way, a toilet's lid is narrower than its tank."""
ROUNDED = frozenset({"DiningTable", "CoffeeTable", "Chair", "ArmChair", "Stool"})
"""Types that, where their box is square, have no corners."""
ROUNDED_SQUARE = 0.08
ROUNDED_REACH = 0.09
"""How far beyond the circle in its square such a thing reaches, metres."""
OVAL_TUB = 1.2
"""A bathtub no narrower than this is round or stands across a corner, metres."""
SHEETS = frozenset(
    {
        "Blinds",
        "Curtains",
        "Mirror",
        "Painting",
        "Poster",
        "ShowerCurtain",
        "ShowerDoor",
        "ShowerGlass",
        "Window",
    }
)
"""Types that are flat: where the box of one is not, it runs round a corner, and its
box, which may be a whole room, says nothing of where it stands."""
FLAT = 0.3
"""The thickest box of a sheet that runs straight, metres."""


def blocks(thing: ObjectState, foot: float) -> bool:
    """Say whether a thing can be in the way of a body whose feet are at a height."""
    if thing.objectType in GROUND or thing.isPickedUp:
        return False
    width, _, depth = thing.box.size
    if thing.affordances.pickupable and max(thing.box.size) > LONGEST:
        return False
    if thing.objectType in SHEETS and min(width, depth) > FLAT:
        return False
    middle, half = thing.box.center[1] - foot, thing.box.size[1] / 2
    return middle + half >= STEP and middle - half <= HEIGHT


def away(kind: str, box: Box, points: Floats) -> Floats:
    """Return how far points (rows of x, z) lie from a thing of this type, metres."""
    gap = distance(box, points) - MARGIN.get(kind, 0.0)
    width, _, depth = box.size
    if kind in ROUNDED and abs(width - depth) < ROUNDED_SQUARE:
        dx, dz = points[:, 0] - box.center[0], points[:, 1] - box.center[2]
        radius = (width + depth) / 4 + ROUNDED_REACH
        return np.maximum(gap, np.hypot(dx, dz) - radius)
    if kind == "Bathtub" and min(width, depth) >= OVAL_TUB:
        return np.maximum(gap, _from_oval(box, points))
    return gap


def distance(box: Box, points: Floats) -> Floats:
    """Return how far points (rows of x, z) lie from a box seen from above, metres.

    Negative within the box: how deep.
    """
    along, across = _own_axes(box, points)
    along = np.abs(along) - box.size[0] / 2
    across = np.abs(across) - box.size[2] / 2
    corner = np.hypot(np.maximum(along, 0.0), np.maximum(across, 0.0))
    return np.where((along > 0) & (across > 0), corner, np.maximum(along, across))


def _from_oval(box: Box, points: Floats) -> Floats:
    """Return about how far points lie from the ellipse in a box, metres."""
    along, across = _own_axes(box, points)
    a, b = box.size[0] / 2, box.size[2] / 2
    far = np.hypot(along / a, across / b)
    slope = np.hypot(along / a**2, across / b**2)
    # The first step of Newton's method towards the ellipse; its middle has no slope.
    return np.where(slope > 0, far * (far - 1) / np.maximum(slope, 1e-9), -min(a, b))


def _own_axes(box: Box, points: Floats) -> tuple[Floats, Floats]:
    """Return points along a box's own x and z, from its middle, metres."""
    sine, cosine = turned(box.yaw)
    dx, dz = points[:, 0] - box.center[0], points[:, 1] - box.center[2]
    return dx * cosine - dz * sine, dx * sine + dz * cosine
