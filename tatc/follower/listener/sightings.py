"""From where the Follower has seen each object and can click it again, and which are gone."""

from collections.abc import Iterable
from math import dist

import numpy as np
from numpy.typing import NDArray

from tatc.follower.listener.map_frame import Floats, eye_of_body
from tatc.home.actions import INTERACTION_REACH_METRES, Click
from tatc.home.percepts import VIEW_SIDE_PIXELS, View
from tatc.home.state import Affordances, Box, ObjectState, Pose

REACH_MARGIN_METRES = 0.05
"""How far within reach a pixel must have been, metres."""
MAX_SIGHTINGS = 6
"""Poses kept for each object, at most: the latest."""
SAME_PLACE_METRES = 0.1
"""How far the middle of an object's box may be from where it was then, metres."""
MAX_CLICK = 0.99
"""The largest click in hundredths, a fraction of the frame."""
MAX_LOOK_THROUGH_METRES = 2.0
"""From how near a place must have been looked through, metres."""
BEYOND_METRES = 0.1
"""How far behind an object rays must end that show that it is gone, metres."""
_FRAME_EDGE = 0.9  # of half the frame
MIN_PIXELS = 4
"""The fewest pixels within reach by which an object counts as seen from a pose."""


class Sightings:
    """From which poses objects were seen within reach, and the click on each from there.

    A click holds as long as the object stands and is open or closed as then.
    """

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._found: dict[str, tuple[Box, bool | None, dict[Pose, Click]]] = {}

    def note(self, view: View, points: Floats) -> None:
        """Add a view whose percepts have states; `points` are where its rays end."""
        reach = INTERACTION_REACH_METRES - REACH_MARGIN_METRES
        near = ((points - np.array(view.body.position)) ** 2).sum(axis=-1) < reach * reach
        for index, percept in enumerate(view.percepts):
            state = percept.state
            if state is None or not _can_be_acted_on(state.affordances):
                continue
            mask = (view.pixels == index) & near
            if np.count_nonzero(mask) < MIN_PIXELS:
                continue
            if (click := _middle_click(mask)) is not None:
                self._add(state, view.body.pose, click)

    def _add(self, state: ObjectState, pose: Pose, click: Click) -> None:
        clicks = self.of(state)
        if not clicks:
            self._found[state.objectId] = state.box, state.isOpen, clicks
        clicks.pop(pose, None)
        clicks[pose] = click
        if len(clicks) > MAX_SIGHTINGS:
            del clicks[next(iter(clicks))]

    def of(self, obj: ObjectState) -> dict[Pose, Click]:
        """Return the clicks on an object as it is now by pose, the oldest first."""
        known = self._found.get(obj.objectId)
        if known is None or known[1] != obj.isOpen:
            return {}
        return known[2] if dist(obj.box.center, known[0].center) < SAME_PLACE_METRES else {}


def _can_be_acted_on(able: Affordances) -> bool:
    return able.pickupable or able.openable or able.toggleable


def _middle_click(mask: NDArray[np.bool_]) -> Click | None:
    """Return the click, in hundredths, that is nearest to the middle of a mask; None if none is."""
    rows, columns = (np.unique(axis) for axis in np.nonzero(mask))
    ys, xs = _hundredths(rows), _hundredths(columns)
    shown = mask[np.ix_(_pixels_of(ys), _pixels_of(xs))]
    if not shown.any():
        return None
    y, x = (float(axis.mean() + 0.5) / VIEW_SIDE_PIXELS for axis in np.nonzero(mask))
    away = (ys[:, None] - y) ** 2 + (xs[None, :] - x) ** 2
    best = int(np.where(shown, away, np.inf).argmin())
    return Click(float(xs[best % len(xs)]), float(ys[best // len(xs)]))


def _hundredths(pixels: NDArray[np.int64]) -> Floats:
    """Return the fractions of the frame in whole hundredths nearest to the middles of pixels."""
    return np.minimum(np.round((pixels + 0.5) / VIEW_SIDE_PIXELS, 2), MAX_CLICK)


def _pixels_of(fractions: Floats) -> NDArray[np.int64]:
    return (fractions * VIEW_SIDE_PIXELS).astype(np.int64)


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
    half_way = np.diag(np.array(obj.box.size) / 4)
    points = np.array(obj.box.center) + np.concatenate([np.zeros((1, 3)), half_way, -half_way])
    for offset in points - np.array(eye.position):
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
