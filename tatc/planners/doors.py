"""Where a body stands in the way of a door or a drawer that opens."""

from tatc.camera.doors import swung_out
from tatc.state import Box, ObjectState, Pose

ROOM = 0.22
"""Metres that a body needs around its middle."""


def in_its_way(pose: Pose, thing: ObjectState, shut: Box) -> bool:
    """Whether a body would touch what of a thing stands out once it is open.

    `thing` is the thing when open, `shut` its box when shut.  Where either of two doors
    could be the one there is, nothing is known, and nothing is said to be in its way.
    """
    out = swung_out(thing, shut)
    return any(each.away(pose.x, pose.z) < ROOM for each in out)
