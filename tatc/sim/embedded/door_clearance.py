"""Decide whether the Follower's body keeps a door or a drawer from opening."""

from tatc.camera.door_geometry import open_door_boxes
from tatc.sim.floorplan.navigable_cells import AGENT_Y_METRES, BODY_RADIUS_METRES
from tatc.state import Box, ObjectState, Vec3

DOOR_CLEARANCE_HEIGHT_METRES = 1.75
"""Doors whose lower edge is higher than this above the floor pass over a body, metres.

Of the recorded openings towards a body, AI2-THOR refused 24 of 38 below this height and
none of 9 above it."""


def is_body_in_the_way(
    body: Vec3, obj: ObjectState, closed_box: Box, *, is_recorded: bool = False
) -> bool:
    """Return whether a body keeps an object from opening.

    A body blocks the place where the open door or drawer ends up, but not the area that
    the door only sweeps through (recorded openings).  The door of a fridge or a safe may
    hang at either side, so a body blocks it only if another session shows it open.

    Args:
        body: the position of the body, metres.
        obj: the object as it would be once open.
        closed_box: its box while it is closed.
        is_recorded: whether the open box was seen in another session.

    """
    low = obj.box.center[1] - obj.box.size[1] / 2
    if low > body[1] + DOOR_CLEARANCE_HEIGHT_METRES - AGENT_Y_METRES:
        return False
    open_parts = open_door_boxes(obj, closed_box, is_recorded=is_recorded)
    return any(
        each.horizontal_distance(body[0], body[2]) < BODY_RADIUS_METRES for each in open_parts
    )
