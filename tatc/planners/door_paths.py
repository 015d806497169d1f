"""Whether a body stands where a door or a drawer will open."""

from collections.abc import Iterable

from tatc.actions import GRID_SIZE_METRES, Cell
from tatc.body import BODY_RADIUS_METRES
from tatc.camera.door_geometry import open_door_boxes
from tatc.state import Box, ObjectState, Pose

BODY_CLEARANCE_METRES = 0.22
"""Distance that an open door must keep from the body's axis, metres."""


def is_in_door_path(pose: Pose, opened: ObjectState, closed: Box) -> bool:
    """Return whether a body at a pose would touch the open door or drawer of an object.

    `opened` is the object in its open state, `closed` its box while closed.  Where the
    boxes do not tell on which side the door is hinged, the answer is False.
    """
    return _is_door_within(BODY_CLEARANCE_METRES, pose.x, pose.z, opened, closed)


def door_blocking_step(
    here: Cell, there: Cell, opened: Iterable[tuple[ObjectState, Box]]
) -> str | None:
    """Return the id of the open door or drawer that blocks a step between cells, or None.

    It is the first that a body would touch there and does not touch here.  `opened` has the
    open objects, each with its box while closed.
    """
    for obj, closed in opened:
        touches_here, touches_there = (
            _is_door_within(
                BODY_RADIUS_METRES, x * GRID_SIZE_METRES, z * GRID_SIZE_METRES, obj, closed
            )
            for x, z in (here, there)
        )
        if touches_there and not touches_here:
            return obj.objectId
    return None


def _is_door_within(metres: float, x: float, z: float, opened: ObjectState, closed: Box) -> bool:
    doors = open_door_boxes(opened, closed)
    return any(door.horizontal_distance(x, z) < metres for door in doors)
