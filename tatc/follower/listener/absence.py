"""Objects that are not where they were thought to be: a view looks through their place."""

from collections.abc import Iterable

import numpy as np

from tatc.follower.listener.point_cloud import eye_of_body
from tatc.home.percepts import View
from tatc.home.state import ObjectState

MAX_LOOK_THROUGH_METRES = 2.0
"""From how near a place must have been looked through, metres."""
BEYOND_METRES = 0.1
"""How far behind an object rays must end that show that it is gone, metres."""
_FRAME_EDGE = 0.9  # of half the frame


def absent_objects(view: View, objects: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
    """Return those of some objects, none of them in view, through whose places a view looks.

    The middle of the object's box and the points half-way from there to its ends must all be in the
    frame, near, and the rays towards them must end well behind the object.
    """
    return tuple(obj for obj in objects if _is_looked_through(view, obj))


def _is_looked_through(view: View, obj: ObjectState) -> bool:
    eye = eye_of_body(view.body)
    axes = np.array(eye.axes)
    side = view.depth.shape[0]
    behind = BEYOND_METRES + max(obj.box.size) / 2
    for offset in _points(obj) - np.array(eye.position):
        forward, right, up = (axes @ offset).tolist()
        away = float(np.linalg.norm(offset))
        if forward <= 0.0 or away > MAX_LOOK_THROUGH_METRES:
            return False
        if max(abs(right), abs(up)) >= _FRAME_EDGE * forward:
            return False
        column, row = (int((0.5 + part / forward / 2) * side) for part in (right, -up))
        if view.depth[row, column] < away + behind:
            return False
    return True


def _points(obj: ObjectState) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Return the middle of an object's box, and points half-way to its ends, (7, 3)."""
    steps = np.diag(np.array(obj.box.size) / 4)
    return np.array(obj.box.center) + np.concatenate([np.zeros((1, 3)), steps, -steps])
