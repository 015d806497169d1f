"""Which cells of a floor hang together, and the way out of a start that is shut in."""

from collections.abc import Set
from heapq import heappop, heappush

from tatc.actions import Cell
from tatc.sim.floorplan.navigable_cells import ClearanceGrid

NEIGHBOUR_STEPS: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""One step along yaw 0, 90, 180, 270."""
MIN_ROOM_CELLS = 20
"""People had at least this many cells to walk on, in every recorded room."""


def connected_cells(free: Set[Cell], start: Cell) -> frozenset[Cell]:
    """Return the cells that can be walked to from a start, itself among them."""
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
    """Return cells to free so that a start that is shut in leads to the room.

    The boxes cannot be right where a body starts shut in: the way is opened that leads
    to a room's floor along the greatest clearance.  Empty where nothing is amiss or no
    floor can be reached.
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
