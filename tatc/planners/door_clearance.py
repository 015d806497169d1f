"""Whether a body stands where a door or a drawer will open."""

from tatc.camera.door_geometry import open_door_boxes
from tatc.state import Box, ObjectState, Pose

BODY_CLEARANCE_METRES = 0.22
"""Distance that an open door must keep from the body's axis, metres."""


def is_in_door_path(pose: Pose, opened: ObjectState, closed: Box) -> bool:
    """Return whether a body at a pose would touch the open door or drawer of an object.

    `opened` is the object in its open state, `closed` its box while closed.  Where the
    boxes do not tell on which side the door is hinged, the answer is False.
    """
    doors = open_door_boxes(opened, closed)
    return any(door.horizontal_distance(pose.x, pose.z) < BODY_CLEARANCE_METRES for door in doors)
