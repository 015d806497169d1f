"""Which floor cells are connected, and how an enclosed start cell is joined to the room."""

from collections.abc import Set
from heapq import heappop, heappush

from tatc.home.actions import Cell
from tatc.sim.floorplan.navigable_cells import ClearanceGrid

NEIGHBOUR_STEPS: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""One step along yaw 0, 90, 180, 270."""
MIN_ROOM_CELLS = 20
"""In every recorded room people could walk on at least this many cells."""


def connected_cells(free: Set[Cell], start: Cell) -> frozenset[Cell]:
    """Return the free cells that can be walked to from `start`, including `start`."""
    seen = {start}
    fringe = [start]
    while fringe:
        x, z = fringe.pop()
        for dx, dz in NEIGHBOUR_STEPS:
            cell = (x + dx, z + dz)
            if cell in free and cell not in seen:
                seen.add(cell)
                fringe.append(cell)
    return frozenset(seen)


def escape_cells(grid: ClearanceGrid, free: Set[Cell], start: Cell) -> frozenset[Cell]:
    """Return the cells to free so that an enclosed start cell is joined to the room.

    Where a body starts enclosed, the boxes must be wrong.  The path with the greatest
    clearance to a room-sized floor is freed.  Empty if the start is not enclosed, or if
    no such floor can be reached.
    """
    inside = connected_cells(free, start)
    if len(inside) >= MIN_ROOM_CELLS:
        return frozenset()
    clearance = dict(zip(grid.cells, grid.clearance.tolist(), strict=True))
    came: dict[Cell, Cell] = {}
    heap = [(0.0, cell) for cell in sorted(inside)]
    seen = set(inside)
    while heap:
        worst, (x, z) = heappop(heap)
        if (
            (x, z) in free
            and (x, z) not in inside
            and len(connected_cells(free, (x, z))) >= MIN_ROOM_CELLS
        ):
            return _path_cells(came, (x, z))
        for dx, dz in NEIGHBOUR_STEPS:
            cell = (x + dx, z + dz)
            if cell in clearance and cell not in seen:
                seen.add(cell)
                came[cell] = (x, z)
                heappush(heap, (max(worst, -clearance[cell]), cell))
    return frozenset()


def _path_cells(came_from: dict[Cell, Cell], cell: Cell) -> frozenset[Cell]:
    trail = {cell}
    while cell in came_from:
        cell = came_from[cell]
        trail.add(cell)
    return frozenset(trail)
