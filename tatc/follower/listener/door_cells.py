"""The cells in which a body would meet an open door."""

from collections.abc import Iterable, Mapping
from math import floor

from tatc.home.actions import GRID_SIZE_METRES, Cell
from tatc.home.state import Box, ObjectState, Pose
from tatc.planners.door_paths import is_in_door_path

DOOR_REACH_METRES = 0.3
"""How much farther than its width an open door may reach with the body's radius, metres."""


class DoorCells:
    """Finds the cells at open doors, once for each door as it stands."""

    def __init__(self) -> None:
        """Start with no door known."""
        self._known: dict[str, tuple[ObjectState, Box, frozenset[Cell]]] = {}

    def at_open_doors(
        self, objects: Iterable[ObjectState], closed: Mapping[str, ObjectState]
    ) -> frozenset[Cell]:
        """Return the cells in which a body would meet one of the doors that stand open.

        `closed` gives what can be opened as it is when closed, by id.
        """
        found: set[Cell] = set()
        for obj in objects:
            shut = closed.get(obj.objectId) if obj.isOpen else None
            if shut is not None:
                found |= self._at_door(obj, shut.box)
        return frozenset(found)

    def _at_door(self, opened: ObjectState, closed: Box) -> frozenset[Cell]:
        known = self._known.get(opened.objectId)
        if known is None or known[0] is not opened or known[1] != closed:
            known = self._known[opened.objectId] = opened, closed, _cells_at(opened, closed)
        return known[2]


def _cells_at(opened: ObjectState, closed: Box) -> frozenset[Cell]:
    """Return the cells near a closed box in which a body would meet its open door."""
    reach = DOOR_REACH_METRES + max(closed.size[0], closed.size[2])
    (left, _, back), (right, _, front) = closed.bounds()
    return frozenset(
        (x, z)
        for x in _cells_between(left - reach, right + reach)
        for z in _cells_between(back - reach, front + reach)
        if is_in_door_path(
            Pose(x * GRID_SIZE_METRES, z * GRID_SIZE_METRES, 0.0, 0.0),
            opened,
            closed,
            is_seen=True,
        )
    )


def _cells_between(low: float, high: float) -> range:
    return range(floor(low / GRID_SIZE_METRES), floor(high / GRID_SIZE_METRES) + 2)
