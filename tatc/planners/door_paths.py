"""Whether a body stands where a door or a drawer will open."""

from collections.abc import Iterable

from tatc.home.actions import GRID_SIZE_METRES, Cell
from tatc.home.body import BODY_RADIUS_METRES
from tatc.home.camera.door_geometry import open_door_boxes
from tatc.home.state import Box, ObjectState, Pose

BODY_CLEARANCE_METRES = 0.22
"""Distance that an open door must keep from the body's axis, metres."""


def is_in_door_path(pose: Pose, opened: ObjectState, closed: Box, *, is_seen: bool = False) -> bool:
    """Return whether a body at a pose would touch the open door or drawer of an object.

    `opened` is the object in its open state, `closed` its box while closed.  Where the
    boxes do not tell on which side the door is hinged, the answer is False.  With `is_seen`
    the open box is known from a view, and shows where the door is.
    """
    doors = open_door_boxes(opened, closed, is_recorded=is_seen)
    return any(door.horizontal_distance(pose.x, pose.z) < BODY_CLEARANCE_METRES for door in doors)


def door_blocking_step(
    here: Cell, there: Cell, opened: Iterable[tuple[ObjectState, Box]]
) -> str | None:
    """Return the id of the open door or drawer that blocks a step between cells, or None.

    It is the first that a body would touch there and does not touch here.  `opened` has the
    open objects, each with its box while closed.
    """
    for obj, closed in opened:
        doors = open_door_boxes(obj, closed)
        touches_here, touches_there = (
            any(
                door.horizontal_distance(x * GRID_SIZE_METRES, z * GRID_SIZE_METRES)
                < BODY_RADIUS_METRES
                for door in doors
            )
            for x, z in (here, there)
        )
        if touches_there and not touches_here:
            return obj.objectId
    return None
