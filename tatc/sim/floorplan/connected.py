"""Which cells of a floor hang together, and the way out of a start that is shut in."""

from collections.abc import Set
from heapq import heappop, heappush

from tatc.sim.floorplan.footing import Cell, Footing

STEPS: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""One step along yaw 0, 90, 180, 270."""
ROOM = 20
"""People had at least this many cells to walk on, in every recorded room."""


def connected(free: Set[Cell], start: Cell) -> frozenset[Cell]:
    """Return the cells that can be walked to from a start, itself among them."""
    seen = {start}
    fringe = [start]
    while fringe:
        x, z = fringe.pop()
        for dx, dz in STEPS:
            cell = (x + dx, z + dz)
            if cell in free and cell not in seen:
                seen.add(cell)
                fringe.append(cell)
    return frozenset(seen)


def way_out(footing: Footing, free: Set[Cell], start: Cell) -> frozenset[Cell]:
    """Return cells to free so that a start that is shut in leads to the room.

    The boxes cannot be right where a body starts shut in: the way is opened that leads
    to a room's floor along the greatest clearance.  Empty where nothing is amiss or no
    floor can be reached.
    """
    inside = connected(free, start)
    if len(inside) >= ROOM:
        return frozenset()
    clearance = dict(zip(footing.cells, footing.clearance.tolist(), strict=True))
    came: dict[Cell, Cell] = {}
    heap = [(0.0, cell) for cell in sorted(inside)]
    seen = set(inside)
    while heap:
        worst, (x, z) = heappop(heap)
        if (
            (x, z) in free
            and (x, z) not in inside
            and len(connected(free, (x, z))) >= ROOM
        ):
            return _trail(came, (x, z))
        for dx, dz in STEPS:
            cell = (x + dx, z + dz)
            if cell in clearance and cell not in seen:
                seen.add(cell)
                came[cell] = (x, z)
                heappush(heap, (max(worst, -clearance[cell]), cell))
    return frozenset()


def _trail(came: dict[Cell, Cell], cell: Cell) -> frozenset[Cell]:
    trail = {cell}
    while cell in came:
        cell = came[cell]
        trail.add(cell)
    return frozenset(trail)
