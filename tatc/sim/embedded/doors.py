"""Whether a body keeps a door or a drawer from opening."""

from tatc.camera.doors import swung_out
from tatc.sim.floorplan.footing import BODY_Y, RADIUS
from tatc.state import Box, ObjectState, Vec3

HEAD = 1.75
"""Metres over the floor from which on doors pass over a body: of recorded openings into
a body's place, 24 of 38 below it were refused and none of 9 above it."""


def stands_in_the_way(
    body: Vec3, thing: ObjectState, shut: Box, *, seen: bool = False
) -> bool:
    """Return whether a body keeps a thing from opening as far as `thing` is open.

    It does where it stands in the place of the open door or drawer, not where the door
    only passes (recorded openings); a fridge is let open, for which way it opens is
    not known beforehand, unless it was `seen` open in another session.
    """
    low = thing.box.center[1] - thing.box.size[1] / 2
    if low > body[1] + HEAD - BODY_Y:
        return False
    out = swung_out(thing, shut, seen=seen)
    return any(each.away(body[0], body[2]) < RADIUS for each in out)
