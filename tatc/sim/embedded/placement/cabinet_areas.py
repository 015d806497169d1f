"""The area of a cabinet: all of its box but the door.

It reaches from the back of the closed cabinet's box to the inner face of its door, and almost
from end to end (the lattices of 262 cabinets in recorded sessions).  The hinge, which the
cabinet's position marks, is in the middle of the door's thickness; where that would make a
thicker door than there are, it is at the door's inner face.
"""

from dataclasses import replace

from tatc.home.camera.box_sides import axis_length, to_box_axes
from tatc.home.camera.door_geometry import sides_at_hinge
from tatc.home.state import Box, ObjectState
from tatc.sim.transforms import rotate_yaw

END_MARGIN_METRES = 0.005
"""How far from each end of a cabinet's width its area ends, metres (the median)."""
MAX_CABINET_DOOR_METRES = 0.053
"""No cabinet has a thicker door, metres: the areas of those whose hinges are 26 mm behind the
front end 49 mm behind it, and 28 mm behind it where the hinges are deeper."""


def cabinet_area_box(cabinet: ObjectState) -> Box | None:
    """Return the part of a closed cabinet's box over its area, None if its front is unknown.

    None for anything else, too.
    """
    front = next(iter(sides_at_hinge(cabinet)), None)
    if front is None:
        return None
    box = cabinet.box
    hinge = front.sign * to_box_axes(box, cabinet.position)[front.axis]
    behind = max(axis_length(box, front.axis) / 2 - hinge, 0.0)
    door = 2 * behind if 2 * behind <= MAX_CABINET_DOOR_METRES else behind
    width, height, depth = box.size
    if front.axis == 0:
        size, shift = (width - door, height, depth - 2 * END_MARGIN_METRES), (-door / 2, 0.0, 0.0)
    else:
        size, shift = (width - 2 * END_MARGIN_METRES, height, depth - door), (0.0, 0.0, -door / 2)
    x, y, z = (front.sign * each for each in rotate_yaw(shift, box.yaw))
    center = box.center[0] + x, box.center[1] + y, box.center[2] + z
    return replace(box, center=center, size=size)
