"""Which floor cells furniture leaves free for the agent, and which are connected.

AI2-THOR's agent is an upright capsule of 0.2 m radius and 1.8 m height.  A cell of its grid of 0.25
m is free if the capsule touches no box when it stands at the cell's centre.  The box of a long
counter is not solid throughout, because it also covers the floor inside an L (`counter_shapes`).
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, partial
from heapq import heappop, heappush
from itertools import compress, product
from math import ceil, floor
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from tatc.home.actions import GRID_SIZE_METRES, HEADING_STEPS, Cell
from tatc.home.body import BODY_RADIUS_METRES, POSITION_ABOVE_FLOOR_METRES, TEACH, Body
from tatc.home.camera import body_clearance, room_outline
from tatc.home.camera.counter_fronts import FrontedCounters
from tatc.home.camera.room_bounds import WallBounds, estimate_walls, floor_extent
from tatc.home.state import Box, ObjectState, Vec3, kept_by_shape
from tatc.planners.grid import connected_cells
from tatc.sim.floorplan.counter_shapes import counter_boxes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_FLOOR_DISTANCE_METRES = 25.0  # cells are laid out up to this distance from the body, metres
MIN_ROOM_CELLS = 20
"""In every recorded room people could walk on at least this many cells."""


@dataclass(frozen=True, slots=True)
class ClearanceGrid:
    """The n cells of a room in rows along z, and their distances from what blocks the body.

    `clearance` (n) is the distance from each cell's centre to the nearest solid box or
    wall, metres, negative inside; `nearest` (n) is the index of that object, -1 for a wall.
    """

    cells: tuple[Cell, ...]
    clearance: Floats
    nearest: Ints

    def free_cells(self) -> frozenset[Cell]:
        """Return the cells where a body touches nothing."""
        fits = _fits_body(self.clearance).tolist()
        return frozenset(c for c, ok in zip(self.cells, fits, strict=True) if ok)

    def is_solid(self, cell: Cell) -> bool:
        """Return whether a cell's centre lies inside a solid object or a wall."""
        if cell not in self.cells:
            return True
        return bool(self.clearance[self.cells.index(cell)] < 0.0)


def clearance_grid(objects: Sequence[ObjectState], body: Vec3, kind: Body = TEACH) -> ClearanceGrid:
    """Return the cells of the room around a body's position, with a body's clearances there."""
    low, high = _bounded_floor_extent(objects, body)
    x0, z0 = (ceil(at / GRID_SIZE_METRES) for at in low)
    x1, z1 = (floor(at / GRID_SIZE_METRES) for at in high)
    cells, grid = _cells_between(x0, z0, x1, z1)
    return ClearanceGrid(cells, *_clearances_at(grid, objects, body, kind))


@lru_cache(maxsize=256)
def _cells_between(x0: int, z0: int, x1: int, z1: int) -> tuple[tuple[Cell, ...], bytes]:
    """Return the cells from one to another, and their centres as `_clearances_at` takes them."""
    cells = tuple(product(range(x0, x1 + 1), range(z0, z1 + 1)))
    return cells, (np.array(cells, dtype=np.float64) * GRID_SIZE_METRES).tobytes()


def has_room_at(points: Floats, objects: Sequence[ObjectState], body: Vec3) -> NDArray[np.bool_]:
    """Return where a body of the same room (`body`) touches nothing: n points (x, z) -> (n)."""
    grid = np.ascontiguousarray(points, dtype=np.float64).tobytes()
    return _fits_body(_clearances_at(grid, objects, body, TEACH)[0])


def _fits_body(clearance: Floats) -> NDArray[np.bool_]:
    return clearance >= BODY_RADIUS_METRES - 1e-6


def _clearances_at(
    grid: bytes, objects: Sequence[ObjectState], body: Vec3, kind: Body
) -> tuple[Floats, Ints]:
    """Return the clearances of points (rows of x, z), and the objects nearest to them."""
    foot, room = body[1] - POSITION_ABOVE_FLOOR_METRES, walls_around(objects, body)
    carved = counter_boxes(objects, (body[0], body[2]), room, FrontedCounters.floor_before_fronts)
    return _clearances(objects, carved, grid, room, kind, foot)


@partial(kept_by_shape, count=128)
def _clearances(
    objects: Sequence[ObjectState],
    carved: Mapping[int, Sequence[Box]],
    grid: bytes,
    room: WallBounds,
    kind: Body,
    foot: float,
) -> tuple[Floats, Ints]:
    """Return the clearances; of what is equally near, the first in the list counts."""
    furniture: dict[int, body_clearance.Block] = {}
    portable, parts = dict[int, Box](), list[tuple[int, body_clearance.Block]]()
    for i, obj in enumerate(objects):
        if not body_clearance.can_block(kind, obj, foot):
            continue
        if obj.affordances.pickupable:
            portable[i] = obj.box
        elif i in carved:
            parts += ((i, (obj.objectType, part)) for part in carved[i])
        else:
            furniture[i] = obj.objectType, obj.box
    beyond = room_outline.boxes_beyond_walls(objects)
    fixed, rows, areas = _nearest_furniture(kind, grid, room, beyond, tuple(furniture.values()))
    owners = np.array([*furniture, -1])[rows]
    # A body stops at the very boxes of what is portable.  Nearly all of it is on furniture.
    areas = np.concatenate([areas, body_clearance.covered_areas(kind, (b for _, b in parts))])
    parts += ((i, ("", portable[i])) for i in _not_covered(portable, areas))
    if not parts:
        return fixed, owners
    parts.sort(key=itemgetter(0))  # of equals, the first in the list counts
    distances = body_clearance.distances_for(kind, [b for _, b in parts], _points_of(grid))
    best = distances.argmin(axis=0)
    least, indices = distances[best, np.arange(len(best))], np.array([i for i, _ in parts])[best]
    is_fixed = (fixed < least) | ((fixed == least) & (owners < indices))
    return np.where(is_fixed, fixed, least), np.where(is_fixed, owners, indices)


def _not_covered(boxes: Mapping[int, Box], areas: Floats) -> list[int]:
    """Return the keys of the boxes that are in none of the areas (`covered_areas`)."""
    corners = (box.bounds() for box in boxes.values())
    sides = np.array([(x0, z0, x1, z1) for (x0, _, z0), (x1, _, z1) in corners]).reshape(-1, 1, 4)
    within = (sides[..., :2] > areas[:, :2]) & (sides[..., 2:] < areas[:, 2:])
    is_out: list[bool] = np.logical_not(within.all(-1).any(-1)).tolist()
    return list(compress(boxes, is_out))


@lru_cache(maxsize=256)
def _nearest_furniture(
    kind: Body,
    grid: bytes,
    room: WallBounds,
    beyond: tuple[Box, ...],
    furniture: tuple[body_clearance.Block, ...],
) -> tuple[Floats, Ints, Floats]:
    """Return the distances of what is nearest, its row, -1 for a wall, and the covered areas.

    They are kept, because furniture stays where it is.
    """
    points, (low, high) = _points_of(grid), room
    walls = np.minimum(points - low, np.subtract(high, points)).min(axis=1, initial=np.inf)
    parts = body_clearance.distances_to_boxes(beyond, points)
    walls = np.minimum(walls, parts.min(axis=0, initial=np.inf))
    found = np.array([walls, *body_clearance.distances_for(kind, furniture, points)])
    best, areas = found.argmin(axis=0), body_clearance.covered_areas(kind, furniture)
    return found[best, np.arange(len(points))], best - 1, areas


def _points_of(grid: bytes) -> Floats:
    return np.frombuffer(grid).reshape(-1, 2)


def walls_around(objects: Sequence[ObjectState], body: Vec3) -> WallBounds:
    """Return the walls of the room around a body's position."""
    return estimate_walls(objects, *_bounded_floor_extent(objects, body))


def _bounded_floor_extent(objects: Sequence[ObjectState], body: Vec3) -> WallBounds:
    """Return the lowest and highest x, z of the floor, within `MAX_FLOOR_DISTANCE_METRES`."""
    x, _, z = body
    low, high = floor_extent(objects) or ((x, z), (x, z))
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
