"""Which floor cells furniture leaves free for the agent, and which are connected.

AI2-THOR's agent is an upright capsule of 0.2 m radius and 1.8 m height.  A cell of its grid of 0.25
m is free if the capsule touches no box when it stands at the cell's centre.  The box of a long
counter is not solid throughout, because it also covers the floor inside an L (`counter_shapes`).
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import product
from math import ceil, floor, inf

import numpy as np
from numpy.typing import NDArray

from tatc.home.actions import GRID_SIZE_METRES, HEADING_STEPS, Cell
from tatc.home.body import LEAST_CLEARANCE_METRES, POSITION_ABOVE_FLOOR_METRES, TEACH, Body
from tatc.home.camera import body_clearance, room_outline
from tatc.home.camera.counter_fronts import FrontedCounters
from tatc.home.camera.room_bounds import WallBounds, estimate_walls, floor_extent
from tatc.home.state import Box, ObjectState, Vec3, kept_by_shape, parts_of
from tatc.planners.grid import connected_cells
from tatc.sim.floorplan.counter_shapes import counter_boxes

Floats = NDArray[np.float64]

MAX_FLOOR_DISTANCE_METRES = 25.0  # cells are laid out up to this distance from the body, metres
MIN_ROOM_CELLS = 20  # in every recorded room people could walk on at least this many cells


@dataclass(frozen=True, slots=True)
class ClearanceGrid:
    """The n cells of a room in rows along z, and their distances from what blocks the body.

    `clearance` (n) is the distance from each cell's centre to the nearest solid box or
    wall, metres, negative inside; `nearest` (n) is the index of that object, -1 for a wall.
    """

    cells: tuple[Cell, ...]
    clearance: Floats
    nearest: NDArray[np.int64]

    def free_cells(self) -> frozenset[Cell]:
        """Return the cells where a body touches nothing."""
        fits = (self.clearance >= LEAST_CLEARANCE_METRES).tolist()
        return frozenset(c for c, ok in zip(self.cells, fits, strict=True) if ok)

    def is_solid(self, cell: Cell) -> bool:
        """Return whether a cell's centre lies inside a solid object or a wall."""
        return cell not in self.cells or bool(self.clearance[self.cells.index(cell)] < 0.0)


def clearance_grid(
    objects: Sequence[ObjectState], body: Vec3, kind: Body = TEACH, least: float = -inf
) -> ClearanceGrid:
    """Return the cells of the room around a body's position, with a body's clearances there.

    Where fixtures leave less clearance than `least`, nothing else is looked at.
    """
    low, high = _bounded_floor_extent(objects, body)
    xs, zs = (
        range(ceil(low[i] / GRID_SIZE_METRES), floor(high[i] / GRID_SIZE_METRES) + 1)
        for i in (0, 1)
    )
    cells, points = _cells_within(xs, zs)
    return ClearanceGrid(cells, *_clearances_at(points, objects, body, kind, least))


@lru_cache(maxsize=128)
def _cells_within(xs: range, zs: range) -> tuple[tuple[Cell, ...], Floats]:
    """Return the cells of a rectangle, and their centres as rows of x and z in metres."""
    points = np.stack(np.meshgrid(xs, zs, indexing="ij"), -1).reshape(-1, 2) * GRID_SIZE_METRES
    return tuple(product(xs, zs)), points


def has_room_at(points: Floats, objects: Sequence[ObjectState], body: Vec3) -> NDArray[np.bool_]:
    """Return where a body of the same room (`body`) touches nothing: n points (x, z) -> (n)."""
    return _clearances_at(points, objects, body, TEACH)[0] >= LEAST_CLEARANCE_METRES


def _clearances_at(
    points: Floats, objects: Sequence[ObjectState], body: Vec3, kind: Body, least: float = -inf
) -> tuple[Floats, NDArray[np.int64]]:
    """Return the clearances of points (rows of x, z), and the objects nearest to them."""
    foot, room = body[1] - POSITION_ABOVE_FLOOR_METRES, walls_around(objects, body)
    carved = counter_boxes(objects, (body[0], body[2]), room, FrontedCounters.floor_before_fronts)
    beyond, parts = room_outline.boxes_beyond_walls(objects), parts_of(objects)
    boxes = tuple((number, carved[i]) for number, i in enumerate(parts.indices) if i in carved)
    grid = np.ascontiguousarray(points, dtype=np.float64).tobytes()
    distances, nearest, blocks = _fixture_clearances(
        parts.fixtures, grid, boxes, beyond, room, kind, foot
    )
    nearest = np.array([*parts.indices, -1])[nearest]  # -1, a wall, stays -1
    sides = [(low[0], low[2], -high[0], -high[2]) for _, _, low, high in parts.portables]
    within: NDArray[np.bool_] = np.all(blocks < np.reshape(sides, (-1, 1, 4)), axis=2).any(-1)
    free = {  # a body stops at portable objects too, outside of blocks
        i: obj.box
        for (i, obj, *_), is_inside in zip(parts.portables, within.tolist(), strict=True)
        if not is_inside and body_clearance.can_block(kind, obj, foot)
    }
    wide = np.flatnonzero(distances >= least)
    if not free or not len(wide):
        return distances, nearest
    gaps = body_clearance.distances_to_boxes(free.values(), points[wide])
    owners, gaps, before = np.array([*free])[gaps.argmin(0)], gaps.min(0), distances[wide]
    nearer = (gaps < before) | ((gaps == before) & (owners < nearest[wide]))
    distances, rows = distances.copy(), wide[nearer]  # what is kept stays as it is
    distances[rows], nearest[rows] = gaps[nearer], owners[nearer]
    return distances, nearest


@kept_by_shape
def _fixture_clearances(
    fixtures: Sequence[ObjectState],
    grid: bytes,
    carved: Sequence[tuple[int, Sequence[Box]]],
    beyond: Sequence[Box],
    room: WallBounds,
    kind: Body,
    foot: float,
) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Return points' clearances (metres), the nearest fixtures, and blocks (`find_blocks`).

    `grid` is the points, rows of x and z, as bytes; `carved` pairs a counter's index among the
    fixtures with its boxes.  The nearest are indices of fixtures, -1 for a wall.
    """
    points, (low, high) = np.frombuffer(grid).reshape(-1, 2), room
    found = [np.minimum(points - low, np.subtract(high, points)).min(axis=1, initial=np.inf)]
    found.extend(body_clearance.distances_to_boxes(beyond, points))
    owners, parts, boxes = [-1] * len(found), list[tuple[str, Box]](), dict(carved)
    for i, obj in enumerate(fixtures):
        if body_clearance.can_block(kind, obj, foot):
            for part in boxes.get(i, (obj.box,)):
                found.append(body_clearance.distance_for(kind, obj.objectType, part, points))
                owners.append(i)
                parts.append((obj.objectType, part))
    distances = np.array(found)
    best = distances.argmin(axis=0)  # of equals, the first in the list counts
    blocks = body_clearance.find_blocks(kind, parts)
    return distances[best, np.arange(len(points))], np.array(owners)[best], blocks


def walls_around(objects: Sequence[ObjectState], body: Vec3) -> WallBounds:
    """Return the walls of the room around a body's position."""
    return estimate_walls(parts_of(objects).fixtures, *_bounded_floor_extent(objects, body))


def _bounded_floor_extent(objects: Sequence[ObjectState], body: Vec3) -> WallBounds:
    """Return the lowest and highest x, z of the floor, within `MAX_FLOOR_DISTANCE_METRES`."""
    x, _, z = body
    low, high = floor_extent(objects, (x, z))
    return (
        (max(low[0], x - MAX_FLOOR_DISTANCE_METRES), max(low[1], z - MAX_FLOOR_DISTANCE_METRES)),
        (min(high[0], x + MAX_FLOOR_DISTANCE_METRES), min(high[1], z + MAX_FLOOR_DISTANCE_METRES)),
    )


def escape_cells(grid: ClearanceGrid, free: Set[Cell], inside: Set[Cell]) -> frozenset[Cell]:
    """Return the cells to free so that the cells where a body starts are joined to the room.

    Where a body starts enclosed, the boxes must be wrong: the path with the greatest clearance to a
    room-sized floor is freed.  Empty if no such floor can be reached.
    """
    clearance = dict(zip(grid.cells, grid.clearance.tolist(), strict=True))
    came: dict[Cell, Cell] = {}
    heap = [(0.0, cell) for cell in sorted(inside)]
    seen = set(inside)
    while heap:
        worst, current = heappop(heap)
        is_outside = current in free and current not in inside
        if is_outside and len(connected_cells(free, current)) >= MIN_ROOM_CELLS:
            trail = {current}
            while current in came:
                current = came[current]
                trail.add(current)
            return frozenset(trail)
        for dx, dz in HEADING_STEPS:
            cell = (current[0] + dx, current[1] + dz)
            if cell in clearance and cell not in seen:
                seen.add(cell)
                came[cell] = current
                heappush(heap, (max(worst, -clearance[cell]), cell))
    return frozenset()
