"""Decide whether the Follower's body and an open door or drawer touch, or would."""

from tatc.home.body import BODY_RADIUS_METRES, POSITION_ABOVE_FLOOR_METRES
from tatc.home.camera.door_geometry import open_door_boxes
from tatc.home.state import Box, ObjectState, Vec3

DOOR_CLEARANCE_HEIGHT_METRES = 1.75
"""Doors whose lower edge is higher than this above the floor pass over a body, metres.

Of the recorded openings towards a body, AI2-THOR refused 24 of 38 below this height and
none of 9 above it."""


CABINET_OPENING_DISTANCE_METRES = 0.16
"""A body nearer than this to where a cabinet's door will stand keeps it from opening, metres.

It is less than the body's radius: of the recorded openings with a body at 0.16 m to 0.2 m,
AI2-THOR refused 7 of 19, and with a nearer one 44 of 47."""


def is_body_in_the_way(
    body: Vec3,
    obj: ObjectState,
    closed_box: Box,
    *,
    is_recorded: bool = False,
    is_opening: bool = False,
) -> bool:
    """Return whether a body keeps an object from opening.

    A body blocks the place where the open door or drawer ends up, but not the area that
    the door only sweeps through (recorded openings).  The door of a fridge or a safe may
    hang at either side, so a body blocks it only if its asset is known, if it has two doors,
    or if another session shows it open.

    Args:
        body: the position of the body, metres.
        obj: the object as it would be once open.
        closed_box: its box while it is closed.
        is_recorded: whether the open box was seen in another session.
        is_opening: whether the object is about to open; else it is open, and the body moves.

    """
    low = obj.box.center[1] - obj.box.size[1] / 2
    if low > body[1] + DOOR_CLEARANCE_HEIGHT_METRES - POSITION_ABOVE_FLOOR_METRES:
        return False
    nearest = BODY_RADIUS_METRES
    if is_opening and obj.objectType == "Cabinet":
        nearest = CABINET_OPENING_DISTANCE_METRES
    open_parts = open_door_boxes(obj, closed_box, is_recorded=is_recorded)
    return any(each.horizontal_distance(body[0], body[2]) < nearest for each in open_parts)
