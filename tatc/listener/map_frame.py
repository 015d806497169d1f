"""The frame of the semantic map, and boxes in it."""

from dataclasses import replace

from tatc.listener.floor_map import POSITION_ABOVE_FLOOR_METRES
from tatc.percepts import View
from tatc.planners.door_clearance import is_in_door_path
from tatc.state import Box, ObjectState, Pose

DOOR_REACH_METRES = 0.3
"""How much farther than its width an open door may reach with the body's radius, metres."""


def meets_door(pose: Pose, opened: ObjectState, closed: Box) -> bool:
    """Return whether a body at a pose would meet the open door of a thing.

    `closed` is the thing's box when it is closed.
    """
    reach = DOOR_REACH_METRES + max(closed.size[0], closed.size[2])
    if closed.horizontal_distance(pose.x, pose.z) > reach:
        return False
    return is_in_door_path(pose, opened, closed)


def raised(view: View) -> View:
    """Return a view in the map's frame, whose floor is at height 0."""
    x, y, z = view.body.position
    body = replace(view.body, position=(x, y + POSITION_ABOVE_FLOOR_METRES, z))
    percepts = (
        percept if percept.state is None else replace(percept, state=_raised_state(percept.state))
        for percept in view.percepts
    )
    return replace(view, body=body, percepts=tuple(percepts))


def _raised_state(obj: ObjectState) -> ObjectState:
    x, y, z = obj.position
    rise = POSITION_ABOVE_FLOOR_METRES
    return replace(obj, position=(x, y + rise, z), box=obj.box.translate(0.0, rise, 0.0))


def box_around(first: Box, second: Box) -> Box:
    """Return the smallest box along the axes around two boxes."""
    (a, b), (c, d) = first.bounds(), second.bounds()
    low = [min(p, q) for p, q in zip(a, c, strict=True)]
    high = [max(p, q) for p, q in zip(b, d, strict=True)]
    x, y, z = ((p + q) / 2 for p, q in zip(low, high, strict=True))
    width, height, depth = (q - p for p, q in zip(low, high, strict=True))
    return Box((x, y, z), (width, height, depth))
