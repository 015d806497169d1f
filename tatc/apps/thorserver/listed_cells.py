"""Where an agent can stand in a room that lists its cells, after furniture was moved.

Rooms that were captured in AI2-THOR, or made of recorded games, list their cells.  The list
knows more than the boxes tell, but only of the room as it was.
"""

from collections.abc import Iterable, Sequence

from tatc.home.actions import Cell
from tatc.home.state import ObjectState
from tatc.sim.floorplan.navigable_cells import clearance_grid
from tatc.sim.rooms import Room


def listed_cells(room: Room, objects: Sequence[ObjectState]) -> tuple[Cell, ...]:
    """Return the cells that a room lists, as they are now, sorted; none if it lists none.

    Cells over which moved furniture stands now are taken away, and cells that it left are
    added.  Objects that can be picked up are small and do not count.
    """
    furniture_before, furniture = _movable_furniture(room.objects), _movable_furniture(objects)
    if not room.cells or _poses(furniture_before) == _poses(furniture):
        return room.cells
    ids = {obj.objectId for obj in furniture_before}
    fixed = [obj for obj in room.objects if obj.objectId not in ids]
    before, now = (
        clearance_grid([*fixed, *each], (0.0, room.agent_y, 0.0)).free_cells()
        for each in (furniture_before, furniture)
    )
    return tuple(sorted((frozenset(room.cells) - (before - now)) | (now - before)))


def _movable_furniture(objects: Iterable[ObjectState]) -> list[ObjectState]:
    return [obj for obj in objects if obj.affordances.moveable]


def _poses(furniture: Iterable[ObjectState]) -> set[object]:
    return {(obj.position, obj.rotation) for obj in furniture}
