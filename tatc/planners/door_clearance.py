"""Where a body stands in the way of a door or a drawer that opens."""

from tatc.camera.door_geometry import open_door_boxes
from tatc.state import Box, ObjectState, Pose

BODY_CLEARANCE_METRES = 0.22
"""Metres that a body needs around its middle."""


def is_in_door_path(pose: Pose, obj: ObjectState, shut: Box) -> bool:
    """Whether a body would touch what of a thing stands out once it is open.

    `obj` is the thing when open, `shut` its box when shut.  Where either of two doors
    could be the one there is, nothing is known, and nothing is said to be in its way.
    """
    out = open_door_boxes(obj, shut)
    return any(each.horizontal_distance(pose.x, pose.z) < BODY_CLEARANCE_METRES for each in out)
