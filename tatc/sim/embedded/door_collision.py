"""Open doors and drawers in the way of a body that moves.

A body cannot walk into an open drawer or into the open door of a cabinet; it can leave
one that was opened over it.  In the recordings nine of ten such steps are refused, and
nearly all that lead past the door are not.  A fridge's door is let through, for which
way it opens is not known, unless other sessions show it.
"""

from collections.abc import Container, Mapping, Sequence

from tatc.actions import GRID_SIZE_METRES, Cell
from tatc.camera.door_geometry import closed_box
from tatc.sim.embedded.door_clearance import is_body_in_the_way
from tatc.sim.floorplan.navigable_cells import BODY_RADIUS_METRES
from tatc.sim.maps.recorded_evidence import model_name
from tatc.state import Box, ObjectState
from tatc.thor_types.facts import EITHER_HINGE_TYPES, FRONT_TYPES, HINGED_DOOR_TYPES


class DoorCollisions:
    """Which doors and drawers of a room might stand in which cell."""

    def __init__(
        self, objects: Sequence[ObjectState], body_y: float, recorded_models: Container[str] = ()
    ) -> None:
        """Take those that are shut at the start, when their closed box is known.

        `recorded_models` are the models that other sessions show open.
        """
        self._body_y, self._recorded = body_y, set[int]()
        self._closed_boxes: dict[int, Box] = {}
        cells: dict[Cell, list[int]] = {}
        for i, obj in enumerate(objects):
            closed = closed_box(obj)
            if closed is None:
                continue
            if model_name(obj) in recorded_models:
                self._recorded.add(i)
            elif obj.objectType not in (FRONT_TYPES | HINGED_DOOR_TYPES) - EITHER_HINGE_TYPES:
                continue
            self._closed_boxes[i] = closed
            for cell in _cells_around(closed):
                cells.setdefault(cell, []).append(i)
        self._doors_near_cell: Mapping[Cell, Sequence[int]] = cells

    def blocker(self, current: Cell, target: Cell, objects: Sequence[ObjectState]) -> str | None:
        """Return the id of what is open and keeps a body from a cell, or None."""
        for i in self._doors_near_cell.get(target, ()):
            obj = objects[i]
            if obj.isOpen and self._is_touching(target, obj, i):
                if not self._is_touching(current, obj, i):
                    return obj.objectId
        return None

    def _is_touching(self, cell: Cell, obj: ObjectState, i: int) -> bool:
        body = cell[0] * GRID_SIZE_METRES, self._body_y, cell[1] * GRID_SIZE_METRES
        return is_body_in_the_way(body, obj, self._closed_boxes[i], is_recorded=i in self._recorded)


def _cells_around(closed: Box) -> list[Cell]:
    """Return the cells that a body in reach of an opened door or drawer stands in."""
    low, high = closed.bounds()
    reach = BODY_RADIUS_METRES + max(closed.size[0], closed.size[2])
    xs, zs = (
        range(
            round((low[i] - reach) / GRID_SIZE_METRES),
            round((high[i] + reach) / GRID_SIZE_METRES) + 1,
        )
        for i in (0, 2)
    )
    return [(x, z) for x in xs for z in zs]
