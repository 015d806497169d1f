"""Whether a body keeps a door or a drawer from opening."""

from tatc.camera.door_geometry import open_door_boxes
from tatc.sim.floorplan.navigable_cells import AGENT_Y_METRES, BODY_RADIUS_METRES
from tatc.state import Box, ObjectState, Vec3

DOOR_CLEARANCE_HEIGHT_METRES = 1.75
"""Metres over the floor from which on doors pass over a body: of recorded openings into
a body's place, 24 of 38 below it were refused and none of 9 above it."""


def is_body_in_the_way(
    body: Vec3, obj: ObjectState, closed_box: Box, *, is_recorded: bool = False
) -> bool:
    """Return whether a body keeps a thing from opening as far as `obj` is open.

    It does where it stands in the place of the open door or drawer, not where the door
    only passes (recorded openings); a fridge is let open, for which way it opens is
    not known beforehand, unless it was `is_recorded` open in another session.
    """
    low = obj.box.center[1] - obj.box.size[1] / 2
    if low > body[1] + DOOR_CLEARANCE_HEIGHT_METRES - AGENT_Y_METRES:
        return False
    open_parts = open_door_boxes(obj, closed_box, is_recorded=is_recorded)
    return any(
        each.horizontal_distance(body[0], body[2]) < BODY_RADIUS_METRES for each in open_parts
    )
