"""Where furniture leaves room for a body: the rule, from boxes alone.

AI2-THOR's agent is an upright capsule of 0.2 m radius and 1.8 m height that moves on
a grid of 0.25 m, aligned with the world's axes.  A cell is free where the capsule,
standing at its centre, touches no box.  The box of a long counter is not solid: it
covers the floor inside an L as well (`counters`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from tatc.actions import GRID
from tatc.sim.floorplan.counters import carved_counters
from tatc.sim.floorplan.outlines import away, blocks
from tatc.sim.floorplan.walls import Point, Room, extent, walls
from tatc.state import ObjectState, Vec3

Cell = tuple[int, int]
"""A cell of the floor: x and z in steps of 0.25 m."""
Floats = NDArray[np.float64]

RADIUS = 0.2
"""Of the body, metres; fitted on recorded translations (0.19 to 0.22 tried)."""
BODY_Y = 0.9
"""The agent's y above the floor it stands on, metres (AI2-THOR's capsule centre)."""

FARTHEST = 25.0
"""The floor is laid out no farther than this from the start, metres."""


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

    def within(self, cell: Cell) -> bool:
        """Return whether a cell's centre lies in something solid, or in a wall."""
        if cell not in self.cells:
            return True
        return bool(self.clearance[self.cells.index(cell)] < 0.0)


def footing(objects: Sequence[ObjectState], body: Vec3) -> Footing:
    """Return the footing of the room around a body's position."""
    foot = body[1] - BODY_Y
    low, high = _extent(objects, body)
    cells = tuple(_cells(low, high))
    points = np.array(cells, dtype=np.float64).reshape(-1, 2) * GRID
    room = walls(objects, low, high)
    clearance = _inside(points, room)
    nearest = np.full(len(cells), -1, dtype=np.int64)
    solid = [i for i, thing in enumerate(objects) if blocks(thing, foot)]
    carved = carved_counters(objects, (body[0], body[2]), room)
    for i in solid:
        for part in carved.get(i, (objects[i].box,)):
            _take(clearance, nearest, i, away(objects[i].objectType, part, points))
    return Footing(cells, clearance, nearest)


def room_of(objects: Sequence[ObjectState], body: Vec3) -> Room:
    """Return the walls of the room around a body's position."""
    return walls(objects, *_extent(objects, body))


def _extent(objects: Sequence[ObjectState], body: Vec3) -> tuple[Point, Point]:
    """Return the lowest and highest x, z of the floor, no farther than a home goes."""
    x, _, z = body
    low, high = extent(objects) or ((x, z), (x, z))
    return (
        (max(low[0], x - FARTHEST), max(low[1], z - FARTHEST)),
        (min(high[0], x + FARTHEST), min(high[1], z + FARTHEST)),
    )


def _cells(low: Point, high: Point) -> Iterator[Cell]:
    (x0, z0), (x1, z1) = low, high
    for x in range(ceil(x0 / GRID), floor(x1 / GRID) + 1):
        for z in range(ceil(z0 / GRID), floor(z1 / GRID) + 1):
            yield x, z


def _inside(points: Floats, room: Room) -> Floats:
    """Return how far points lie from the walls, metres."""
    if not len(points):
        return np.zeros(0)
    low, high = room
    return np.minimum(points - low, np.subtract(high, points)).min(axis=1)


def _take(clearance: Floats, nearest: NDArray[np.int64], i: int, gap: Floats) -> None:
    """Let object i take the cells to which it is nearer than all before it."""
    closer = gap < clearance
    clearance[closer] = gap[closer]
    nearest[closer] = i
