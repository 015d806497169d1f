"""Completes the boxes of shelves, of which later versions of AI2-THOR give only a part.

Their boxes are around colliders alone, and the collider of a shelf may be only the lip at its
back.  A shelf's position is the middle of the area on which things stand, and the area reaches
as far to one side of it as to the other: of 18 such shelves in both versions, the box completed
so is 1 to 11 cm narrower than the area of AI2-THOR 3.1.0, where the given one is 16 to 27 cm.
"""

from dataclasses import replace

from tatc.home.state import Box, ObjectState
from tatc.sim.transforms import rotate_yaw, subtract

_TYPE = "Shelf"


def with_whole_shelf(obj: ObjectState) -> ObjectState:
    """Return an object, with its box extended to both sides of its position if it is a shelf.

    A box that is wholly above the position begins there.  A shelf whose position is not within
    its box, seen from above, is left as it is.
    """
    box, (x, y, z) = obj.box, obj.position
    if obj.objectType != _TYPE or box.horizontal_distance(x, z) > 0.0:
        return obj
    dx, _, dz = rotate_yaw(subtract(box.center, obj.position), -box.yaw % 360.0)
    width, height, depth = box.size
    top, low = box.center[1] + height / 2, min(y, box.center[1] - height / 2)
    size = (width + 2 * abs(dx), top - low, depth + 2 * abs(dz))
    return replace(obj, box=Box((x, (low + top) / 2, z), size, box.yaw))
