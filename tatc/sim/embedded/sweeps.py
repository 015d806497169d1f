"""Open doors and drawers in the way of a body that moves.

A body cannot walk into an open drawer or into the open door of a cabinet; it can leave
one that was opened over it.  In the recordings nine of ten such steps are refused, and
nearly all that lead past the door are not.  A fridge's door is let through, for which
way it opens is not known, unless other sessions show it.
"""

from collections.abc import Container, Mapping, Sequence

from tatc.actions import GRID
from tatc.camera.doors import shut_box
from tatc.sim.embedded.doors import stands_in_the_way
from tatc.sim.floorplan.footing import RADIUS, Cell
from tatc.sim.maps.traces import model_of
from tatc.state import Box, ObjectState

SWEEPING = frozenset({"Cabinet", "Drawer", "Microwave", "Safe"})
"""Types whose open parts block; each is known by how it opens (`tatc.camera.doors`)."""


class Sweeps:
    """Which doors and drawers of a room might stand in which cell."""

    def __init__(
        self,
        objects: Sequence[ObjectState],
        body_y: float,
        seen: Container[str] = (),
    ) -> None:
        """Take those that are shut at the start, when their closed box is known.

        `seen` are the models that other sessions show open.
        """
        self._y, self._seen = body_y, set[int]()
        self._shut: dict[int, Box] = {}
        cells: dict[Cell, list[int]] = {}
        for i, thing in enumerate(objects):
            shut = shut_box(thing)
            if shut is None:
                continue
            if model_of(thing) in seen:
                self._seen.add(i)
            elif thing.objectType not in SWEEPING:
                continue
            self._shut[i] = shut
            for cell in _around(shut):
                cells.setdefault(cell, []).append(i)
        self._near: Mapping[Cell, Sequence[int]] = cells

    def blocker(
        self, here: Cell, there: Cell, objects: Sequence[ObjectState]
    ) -> str | None:
        """Return the id of what is open and keeps a body from a cell, or None."""
        for i in self._near.get(there, ()):
            thing = objects[i]
            if thing.isOpen and self._touches(there, thing, i):
                if not self._touches(here, thing, i):
                    return thing.objectId
        return None

    def _touches(self, cell: Cell, thing: ObjectState, i: int) -> bool:
        body = cell[0] * GRID, self._y, cell[1] * GRID
        return stands_in_the_way(body, thing, self._shut[i], seen=i in self._seen)


def _around(shut: Box) -> list[Cell]:
    """Return the cells that a body in reach of an opened door or drawer stands in."""
    low, high = shut.bounds()
    reach = RADIUS + max(shut.size[0], shut.size[2])
    xs, zs = (
        range(round((low[i] - reach) / GRID), round((high[i] + reach) / GRID) + 1)
        for i in (0, 2)
    )
    return [(x, z) for x in xs for z in zs]
