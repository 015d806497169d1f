"""Where furniture leaves room for a body: the rule, from boxes alone.

AI2-THOR's agent is an upright capsule of 0.2 m radius and 1.8 m height that moves on
a grid of 0.25 m, aligned with the world's axes.  A cell is free where the capsule,
standing at its centre, touches no box.  The box of a long counter is not solid: it
covers the floor inside an L as well (`counters`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tatc.actions import GRID
from tatc.sim.embedded.counters import carved_counters
from tatc.state import Box, ObjectState, Vec3, turned

Cell = tuple[int, int]
"""A cell of the floor: x and z in steps of 0.25 m."""
Point = tuple[float, float]
"""x and z, metres."""
Floats = NDArray[np.float64]

RADIUS = 0.2
"""Of the body, metres; fitted on recorded translations (0.19 to 0.22 tried)."""
HEIGHT = 1.8
"""Of the body above the floor, metres: what hangs higher does not block it."""
WALL = 0.14
"""How far walls stand inside the box of the floor, metres."""
MARGIN: Mapping[str, float] = MappingProxyType(
    {
        "Sofa": -0.04,
        "Bed": -0.04,
        "GarbageCan": -0.015,
        "Window": -0.015,
        "StoveBurner": 0.11,
        "CounterTop": 0.005,
    }
)
"""How far a thing stands out of its box, metres: a stove has its oven's handle before
its burners, what is soft gives way.  Fitted on recorded translations."""
ROUNDED = frozenset({"DiningTable", "CoffeeTable", "Chair", "ArmChair", "Stool"})
"""Types that, where their box is square, have no corners."""
ROUNDED_SQUARE = 0.08
ROUNDED_REACH = 0.09
"""How far beyond the circle in its square such a thing reaches, metres."""
STEP = 0.1
"""Boxes that end lower than this are walked over, metres."""
BODY_Y = 0.9
"""The agent's y above the floor it stands on, metres (AI2-THOR's capsule centre)."""

GROUND = frozenset({"Floor"})
FARTHEST = 25.0
"""The floor is laid out no farther than this from the start, metres."""
LONGEST = 2.5
"""No pickupable thing is larger: AI2-THOR 3.1.0 gives some rolls boxes of 25 m."""


@dataclass(frozen=True, slots=True)
class Footing:
    """The cells of a room in rows along z, and how far each is from what blocks it.

    `clearance` is metres from a cell's centre to the nearest solid box (negative
    within), `nearest` the index of that object, -1 for the room's edge.
    """

    cells: tuple[Cell, ...]
    clearance: Floats
    nearest: NDArray[np.int64]

    def free(self) -> frozenset[Cell]:
        """Return the cells where the body touches nothing."""
        fits = (self.clearance >= RADIUS - 1e-6).tolist()
        return frozenset(c for c, ok in zip(self.cells, fits, strict=True) if ok)


def footing(objects: Sequence[ObjectState], body: Vec3) -> Footing:
    """Return the footing of the room around a body's position."""
    foot = body[1] - BODY_Y
    low, high = _extent(objects, body)
    cells = tuple(_cells(low, high))
    points = np.array(cells, dtype=np.float64).reshape(-1, 2) * GRID
    clearance = _inside(points, low, high) - WALL
    nearest = np.full(len(cells), -1, dtype=np.int64)
    solid = [i for i, thing in enumerate(objects) if _blocks(thing, foot)]
    carved = carved_counters(objects, (body[0], body[2]))
    for i in solid:
        for part in carved.get(i, (objects[i].box,)):
            _take(clearance, nearest, i, _away(objects[i].objectType, part, points))
    return Footing(cells, clearance, nearest)


def _away(kind: str, box: Box, points: Floats) -> Floats:
    """Return how far points lie from a thing of this type, metres."""
    away = distance(box, points) - MARGIN.get(kind, 0.0)
    width, _, depth = box.size
    if kind in ROUNDED and abs(width - depth) < ROUNDED_SQUARE:
        dx, dz = points[:, 0] - box.center[0], points[:, 1] - box.center[2]
        radius = (width + depth) / 4 + ROUNDED_REACH
        away = np.maximum(away, np.hypot(dx, dz) - radius)
    return away


def distance(box: Box, points: Floats) -> Floats:
    """Return how far points (rows of x, z) lie from a box seen from above, metres.

    Negative within the box: how deep.
    """
    sine, cosine = turned(box.yaw)
    dx, dz = points[:, 0] - box.center[0], points[:, 1] - box.center[2]
    along = np.abs(dx * cosine - dz * sine) - box.size[0] / 2
    across = np.abs(dx * sine + dz * cosine) - box.size[2] / 2
    corner = np.hypot(np.maximum(along, 0.0), np.maximum(across, 0.0))
    return np.where((along > 0) & (across > 0), corner, np.maximum(along, across))


def _blocks(thing: ObjectState, foot: float) -> bool:
    if thing.objectType in GROUND or thing.isPickedUp:
        return False
    if thing.affordances.pickupable and max(thing.box.size) > LONGEST:
        return False
    middle, half = thing.box.center[1] - foot, thing.box.size[1] / 2
    return middle + half >= STEP and middle - half <= HEIGHT


def _extent(objects: Sequence[ObjectState], body: Vec3) -> tuple[Point, Point]:
    """Return the lowest and highest x, z of the floor, or of all objects."""
    ground = [o for o in objects if o.objectType in GROUND] or objects
    corners = [corner for thing in ground for corner in thing.box.bounds()]
    xs, zs = [c[0] for c in corners] or [body[0]], [c[2] for c in corners] or [body[2]]
    return (
        (max(min(xs), body[0] - FARTHEST), max(min(zs), body[2] - FARTHEST)),
        (min(max(xs), body[0] + FARTHEST), min(max(zs), body[2] + FARTHEST)),
    )


def _cells(low: Point, high: Point) -> Iterator[Cell]:
    (x0, z0), (x1, z1) = low, high
    for x in range(ceil(x0 / GRID), floor(x1 / GRID) + 1):
        for z in range(ceil(z0 / GRID), floor(z1 / GRID) + 1):
            yield x, z


def _inside(points: Floats, low: Point, high: Point) -> Floats:
    """Return how far points lie from the room's edge, metres."""
    if not len(points):
        return np.zeros(0)
    return np.minimum(points - low, np.subtract(high, points)).min(axis=1)


def _take(clearance: Floats, nearest: NDArray[np.int64], i: int, away: Floats) -> None:
    """Let object i take the cells to which it is nearer than all before it."""
    closer = away < clearance
    clearance[closer] = away[closer]
    nearest[closer] = i
