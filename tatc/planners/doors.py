"""Where a body stands in the way of a door or a drawer that opens."""

from math import hypot

from tatc.camera.doors import panels_of
from tatc.state import Box, ObjectState, Pose, turned

ROOM = 0.22
"""Metres that a body needs around its middle."""


def in_its_way(pose: Pose, thing: ObjectState, shut: Box) -> bool:
    """Whether a body would touch what of a thing stands out once it is open.

    `thing` is the thing when open, `shut` its box when shut.  Where either of two doors
    could be the one there is, nothing is known, and nothing is said to be in its way.
    """
    if thing.objectType == "Drawer":
        return _apart(thing.box, pose) < ROOM
    doors = panels_of(thing, shut)
    if len(doors) != 1:
        return False
    (door,) = doors
    return _apart(Box(door.center, door.size, door.yaw), pose) < ROOM


def _apart(box: Box, pose: Pose) -> float:
    """Return how far a body's middle is from a box, seen from above, metres."""
    sine, cosine = turned(box.yaw)
    dx, dz = pose.x - box.center[0], pose.z - box.center[2]
    along, across = dx * cosine - dz * sine, dx * sine + dz * cosine
    return hypot(
        max(abs(along) - box.size[0] / 2, 0.0), max(abs(across) - box.size[2] / 2, 0.0)
    )
