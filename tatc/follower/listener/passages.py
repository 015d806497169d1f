"""Open doors that cut the Follower off from floor which it knows.

Whoever opens cupboards on both sides of an aisle may shut himself in: a body does not pass an open
door.  Closing it frees the way again.
"""

from collections.abc import Set
from math import hypot

from tatc.follower.listener.door_cells import DoorCells
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import Cell, cell_of

MIN_CELLS_CUT_OFF = 2
"""Fewer cells than this are not worth closing a door for."""


def doors_in_the_way(belief: SemanticMap) -> tuple[str, ...]:
    """Return the ids of the open doors that cut off free floor: those that alone free most first.

    Empty where all known floor can be reached.  Doors that free nothing alone, because another one
    stands in the way too, come last, the nearest first.
    """
    x, _, z = belief.body.position
    here = cell_of(x, z)
    passable = {cell_of(pose.x, pose.z) for pose in belief.reachable()}
    reached = _connected(passable, here)
    closed = belief.closed_states()
    free = belief.floor.free_cells(closed.get(obj.objectId, obj) for obj in belief.objects)
    if len(_connected({*free} | passable, here) & passable - reached) < MIN_CELLS_CUT_OFF:
        return ()
    doors = DoorCells()
    ranked: list[tuple[int, float, str]] = []
    for obj in belief.objects:
        blocked = doors.at_open_doors([obj], closed)
        if blocked:
            freed = _connected(passable | blocked & {*free}, here) - reached - blocked
            away = hypot(obj.box.center[0] - x, obj.box.center[2] - z)
            ranked.append((-len(freed), away, obj.objectId))
    return tuple(name for _, _, name in sorted(ranked))


def _connected(cells: Set[Cell], start: Cell) -> set[Cell]:
    """Return the cells that can be walked to from a start over others."""
    found, edge = {start}, [start]
    while edge:
        x, z = edge.pop()
        for near in ((x + 1, z), (x - 1, z), (x, z + 1), (x, z - 1)):
            if near in cells and near not in found:
                found.add(near)
                edge.append(near)
    return found
