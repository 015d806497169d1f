"""Whether a body keeps a door or a drawer from opening."""

from math import hypot

from tatc.camera.doors import panels_of
from tatc.sim.embedded.footing import BODY_Y, RADIUS
from tatc.sim.embedded.outlines import HEIGHT
from tatc.state import Box, ObjectState, Vec3, turned


def stands_in_the_way(body: Vec3, thing: ObjectState, shut: Box) -> bool:
    """Return whether a body keeps a thing from opening as far as `thing` is open.

    It does where it stands in the place of the open door or drawer, not where the door
    only passes (recorded openings); a fridge is let open, for which way it opens is
    not known beforehand.
    """
    low = thing.box.center[1] - thing.box.size[1] / 2
    if low > body[1] + HEIGHT - BODY_Y:
        return False
    if thing.objectType == "Drawer":
        return _apart(thing.box, body) < RADIUS
    doors = panels_of(thing, shut)
    if len(doors) != 1:
        return False
    (door,) = doors
    return _apart(Box(door.center, door.size, door.yaw), body) < RADIUS


def _apart(box: Box, body: Vec3) -> float:
    """Return how far a body's middle is from a box, seen from above, metres."""
    sine, cosine = turned(box.yaw)
    dx, dz = body[0] - box.center[0], body[2] - box.center[2]
    along, across = dx * cosine - dz * sine, dx * sine + dz * cosine
    return hypot(
        max(abs(along) - box.size[0] / 2, 0.0), max(abs(across) - box.size[2] / 2, 0.0)
    )
