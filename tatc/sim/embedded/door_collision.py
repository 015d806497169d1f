"""Decide which open doors and drawers block a moving body.

A body cannot walk into an open drawer or the open door of a cabinet, but it can walk out of one
that was opened where it stands.  In the recordings, AI2-THOR refused nine of ten steps into an open
door and almost none of those past it.  The door of a fridge or a safe may hang at either side, so
it blocks only if its asset is known, if it has two doors, or if other sessions show it open.
"""

from collections.abc import Container, Sequence

from tatc.home.actions import GRID_SIZE_METRES, Cell, cell_of
from tatc.home.body import BODY_RADIUS_METRES, POSITION_ABOVE_FLOOR_METRES
from tatc.home.camera.door_geometry import closed_box, open_door_boxes
from tatc.home.state import Box, ObjectState, Vec3
from tatc.home.type_facts import FRONT_TYPES, HINGED_DOOR_TYPES
from tatc.sim.maps.recorded_evidence import model_name

DOOR_CLEARANCE_HEIGHT_METRES = 1.75
"""Doors whose lower edge is higher than this above the floor pass over a body, metres.

Of the recorded openings towards a body, AI2-THOR refused 24 of 38 below this height and
none of 9 above it."""
CABINET_OPENING_DISTANCE_METRES = 0.16
"""A body nearer than this to where a cabinet's door will stand keeps it from opening, metres.

It is less than the body's radius: of the recorded openings with a body at 0.16 m to 0.2 m,
AI2-THOR refused 7 of 19, and with a nearer one 44 of 47."""


class DoorCollisions:
    """The doors and drawers of a room, and the cells that they may block when open."""

    def __init__(
        self, objects: Sequence[ObjectState], body_y: float, recorded_models: Container[str] = ()
    ) -> None:
        """Collect the doors and drawers closed at the start: only their closed box is known.

        `objects` keep their order; `body_y` is the body's height, metres; `recorded_models` are
        those that other sessions show open.
        """
        self._body_y, self._recorded = body_y, set[int]()
        self._closed_boxes: dict[int, Box] = {}
        self._areas: list[tuple[int, Cell, Cell]] = []
        """Each door's index, and the lowest and highest cell in which a body may touch it, open."""
        for i, obj in enumerate(objects):
            closed = closed_box(obj)
            if closed is None:
                continue
            if model_name(obj) in recorded_models:
                self._recorded.add(i)
            elif obj.objectType not in FRONT_TYPES | HINGED_DOOR_TYPES:
                continue
            self._closed_boxes[i] = closed
            reach = BODY_RADIUS_METRES + max(closed.size[0], closed.size[2])
            (x, _, z), (to_x, _, to_z) = closed.bounds()
            low, high = cell_of(x - reach, z - reach), cell_of(to_x + reach, to_z + reach)
            self._areas.append((i, low, high))

    def blocker(self, current: Cell, target: Cell, objects: Sequence[ObjectState]) -> str | None:
        """Return the id of an open object that blocks a step, or None; `objects` stay in order."""
        x, z = target
        for i, (low_x, low_z), (high_x, high_z) in self._areas:
            if not (low_x <= x <= high_x and low_z <= z <= high_z):
                continue
            obj = objects[i]
            if obj.isOpen and self._is_touching(target, obj, i):
                if not self._is_touching(current, obj, i):
                    return obj.objectId
        return None

    def _is_touching(self, cell: Cell, obj: ObjectState, i: int) -> bool:
        body = cell[0] * GRID_SIZE_METRES, self._body_y, cell[1] * GRID_SIZE_METRES
        return is_body_in_the_way(body, obj, self._closed_boxes[i], is_recorded=i in self._recorded)


def is_body_in_the_way(
    body: Vec3, obj: ObjectState, shut: Box, *, is_recorded: bool = False, is_opening: bool = False
) -> bool:
    """Return whether a body (its position, metres) keeps an object from opening.

    A body blocks where the open door or drawer ends up, not what it only sweeps (recorded
    openings).  `obj` is the object as open, `shut` its box while closed.  `is_recorded`:
    another session showed the open box.  `is_opening`: it is about to open; else it is open, and
    the body moves.
    """
    if obj.box.bottom > body[1] + DOOR_CLEARANCE_HEIGHT_METRES - POSITION_ABOVE_FLOOR_METRES:
        return False
    nearest = BODY_RADIUS_METRES
    if is_opening and obj.objectType == "Cabinet":
        nearest = CABINET_OPENING_DISTANCE_METRES
    open_parts = open_door_boxes(obj, shut, is_recorded=is_recorded)
    return any(each.horizontal_distance(body[0], body[2]) < nearest for each in open_parts)
