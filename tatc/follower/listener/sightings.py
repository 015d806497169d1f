"""What views tell of objects: from where each can be clicked, which are gone, what holds each."""

from collections.abc import Container, Iterable, Mapping
from math import dist, hypot, inf, sqrt

import numpy as np

from tatc.follower.listener.map_frame import Floats
from tatc.home import actions, containment, percepts
from tatc.home.camera.clicks import eye_of
from tatc.home.camera.shapes import surface_height
from tatc.home.state import Box, ObjectState, Pose, Vec3
from tatc.home.type_facts import BASIN_TYPES, FLOOR_TYPE, HEAP_TYPES, SINK_TYPES

REACH_MARGIN_METRES = 0.05  # how far within reach a pixel must have been, metres
MAX_SIGHTINGS = 6  # poses kept for each object, at most: the latest
SAME_PLACE_METRES = 0.1
"""How far the middle of an object's box may be from where it was then, metres."""
_SIDE = percepts.VIEW_SIDE_PIXELS
_ROWS, _COLUMNS = np.indices((_SIDE, _SIDE), np.float64).reshape(2, -1)
_CLICKS = np.indices((100, 100)).reshape(2, -1) / 100  # by row and column, in shares of the frame
_CLICKED = np.array((_SIDE, 1)) @ (_CLICKS * _SIDE).astype(np.int64)  # their pixels
MAX_LOOK_THROUGH_METRES = 2.0  # from how near a place must have been looked through, metres
BEYOND_METRES = 0.1  # how far behind an object rays must end that show that it is gone, metres
_FRAME_EDGE = 0.9  # of half the frame
MIN_PIXELS = 4  # the fewest pixels within reach by which an object counts as seen from a pose


class Sightings:
    """From which poses objects were seen within reach, and the click on each from there.

    A click holds as long as the object stands and is open or closed as then.
    """

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._found: dict[str, tuple[Box, bool | None, dict[Pose, actions.Click]]] = {}

    def note(self, view: percepts.View, points: Floats) -> None:
        """Add a view whose percepts have states; `points` are where its rays end."""
        reach = actions.INTERACTION_REACH_METRES - REACH_MARGIN_METRES
        dx, dy, dz = (points[..., axis] - at for axis, at in enumerate(view.body.position))
        near = dx * dx + dy * dy + dz * dz < reach * reach
        pixels = np.flatnonzero(near)
        shown = view.pixels.take(pixels) + 1
        counts, *sums = (
            np.bincount(shown, weights, len(view.percepts) + 1)[1:]
            for weights in (None, _ROWS.take(pixels), _COLUMNS.take(pixels))
        )
        on = np.where(near, view.pixels, percepts.NO_PERCEPT).take(_CLICKED).astype(np.int16)
        clicks = np.flatnonzero(on != percepts.NO_PERCEPT)
        clicks = clicks[np.argsort(on[clicks], kind="stable")]  # by percept, each row by row
        on = on[clicks]
        ys, xs = _CLICKS[:, clicks]
        y, x = ((at / np.maximum(counts, 1) + 0.5) / _SIDE for at in sums)
        away = (ys - y[on]) ** 2 + (xs - x[on]) ** 2
        ends = np.searchsorted(on, np.arange(len(counts) + 1)).tolist()
        parts = zip(ends, ends[1:], counts.tolist(), view.percepts, strict=False)
        for first, end, count, percept in parts:
            state = percept.state
            if state is None or count < MIN_PIXELS or first == end:
                continue
            able = state.affordances
            if able.pickupable or able.openable or able.toggleable:
                middle = first + int(away[first:end].argmin())
                click = actions.Click(float(xs[middle]), float(ys[middle]))
                self._add(state, view.body.pose, click)

    def _add(self, state: ObjectState, pose: Pose, click: actions.Click) -> None:
        clicks = self.of(state)
        if not clicks:
            self._found[state.objectId] = state.box, state.isOpen, clicks
        clicks.pop(pose, None)
        clicks[pose] = click
        if len(clicks) > MAX_SIGHTINGS:
            del clicks[next(iter(clicks))]

    def of(self, obj: ObjectState) -> dict[Pose, actions.Click]:
        """Return the clicks on an object as it is now by pose, the oldest first."""
        known = self._found.get(obj.objectId)
        if known is None or known[1] != obj.isOpen:
            return {}
        return known[2] if dist(obj.box.center, known[0].center) < SAME_PLACE_METRES else {}


def absent_objects(view: percepts.View, objects: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
    """Return those of some objects, none of them in view, through whose places a view looks.

    The middle of the object's box and the points half-way from there to its ends must all be in the
    frame, near, and the rays towards them must end well behind the object.
    """
    eye, known = eye_of(view.body), tuple(objects)
    axes = np.array(eye.axes)
    middles = np.array([obj.box.center for obj in known]).reshape(-1, 3) - eye.position
    forward, right, up = axes @ middles.T
    in_frame = np.maximum(np.abs(right), np.abs(up)) < forward  # more exactly tested below
    tried = (known[i] for i in np.flatnonzero(in_frame))
    return tuple(obj for obj in tried if _is_looked_through(view, eye.position, axes, obj))


def _is_looked_through(view: percepts.View, at: Vec3, axes: Floats, obj: ObjectState) -> bool:
    if dist(obj.box.center, at) > MAX_LOOK_THROUGH_METRES + BEYOND_METRES:
        return False
    side = view.depth.shape[0]
    behind = BEYOND_METRES + max(obj.box.size) / 2
    half_way = np.diag(np.array(obj.box.size) / 4)
    points = np.array(obj.box.center) + np.concatenate([np.zeros((1, 3)), half_way, -half_way])
    for offset in points - at:
        forward, right, up = (axes @ offset).tolist()
        away = sqrt(offset @ offset)
        if forward <= 0.0 or away > MAX_LOOK_THROUGH_METRES:
            return False
        if max(abs(right), abs(up)) >= _FRAME_EDGE * forward:
            return False
        column, row = (int((0.5 + part / forward / 2) * side) for part in (right, -up))
        if view.depth[row, column] < away + behind:
            return False
    return True


MAX_SURFACE_GAP_METRES = 0.3
"""How far the underside of an object may be from the surface that it lies on, metres: boxes of
furniture reach up to 30 cm above its board."""
MAX_OVERHANG_METRES = 0.03
"""How far the middle of an object may lie beyond the edge of what it stands on, metres."""
SAME_GAP_METRES = 0.05
"""Surfaces whose distances from an object differ by less are equally near, metres."""
BASIN_DEPTH_METRES = 0.1  # how far above the bottom what is in a basin stands, metres
MIN_ABOVE_DISH_METRES = 0.004
"""How far above the underside of a dish what lies on it is at least, metres: half the thickness of
the thinnest."""
MAX_NESTING = 4  # receptacles that stand in one another, at most


def receptacles_around(obj: ObjectState, receptacles: Iterable[ObjectState]) -> tuple[str, ...]:
    """Return the ids of the receptacles that an object in view is in or on, the nearest first.

    What is in view is in no closed container.  A receptacle that can be picked up is followed by
    what it stands in or on itself.  Empty where there is none.
    """
    known = tuple(receptacles)
    found: list[str] = []
    current: ObjectState | None = obj
    while current is not None and len(found) < MAX_NESTING:
        holder = containment.holder_of(current, known, _rank)
        if holder is None or holder.objectId in found or holder.objectId == obj.objectId:
            break
        found.append(holder.objectId)
        current = holder if holder.affordances.pickupable else None
    return tuple(found)


def without_cycles(
    parents: Mapping[str, tuple[str, ...]], placed: Container[str]
) -> dict[str, tuple[str, ...]]:
    """Return what each object is in or on, so that nothing is in what is in it.

    Boxes that are guessed can say so of two dishes that touch.  What was `placed` by an own action
    keeps its receptacles then, and the other has none.
    """
    found = dict(parents)
    for name, around in parents.items():
        if name not in placed and any(name in parents.get(holder, ()) for holder in around):
            found[name] = ()
    return found


def _rank(place: ObjectState, obj: ObjectState) -> tuple[bool, int, float] | None:
    """Return a receptacle's rank, lowest first (walls, height, footprint); None if it has none."""
    if place.objectId == obj.objectId or place.isPickedUp or place.isSliced:
        return None
    if place.affordances.openable and not place.isOpen:
        return None
    if place.affordances.pickupable and place.box.area <= obj.box.area:
        return None
    (x, _, z), (at_x, _, at_z), (wide, _, deep) = obj.box.center, place.box.center, place.box.size
    if hypot(x - at_x, z - at_z) > wide + deep + MAX_OVERHANG_METRES:  # most are: a quick test
        return None
    if place.box.horizontal_distance(x, z) > MAX_OVERHANG_METRES:
        return None
    if place.affordances.pickupable and not _is_on_dish(place.box, obj.box):
        return None
    if _has_walls(place):
        low, high = place.box.bottom, place.box.top
        under = obj.box.bottom
        middle = obj.box.center[1]
        is_low = place.objectType in BASIN_TYPES and under <= low + BASIN_DEPTH_METRES
        is_low = is_low or middle <= high + SAME_GAP_METRES
        inside = low - MAX_OVERHANG_METRES <= under and is_low
        return (False, 0, place.box.area) if inside else None
    gap = surface_gap(place, obj)
    if gap > MAX_SURFACE_GAP_METRES:
        return None
    return True, round(gap / SAME_GAP_METRES), place.box.area


def _is_on_dish(dish: Box, thing: Box) -> bool:
    """Return whether a thing is on or in a dish, and not beside it where its box has corners."""
    away = hypot(dish.center[0] - thing.center[0], dish.center[2] - thing.center[2])
    above = thing.bottom - dish.bottom
    return away <= max(dish.size[0], dish.size[2]) / 2 and above >= MIN_ABOVE_DISH_METRES


def surface_gap(place: ObjectState, obj: ObjectState) -> float:
    """Return the gap between an object and a receptacle's surface, metres; infinite if below it."""
    low, high = place.box.bottom, place.box.top
    under = obj.box.bottom
    if under < low - MAX_OVERHANG_METRES:
        return inf
    surface = high if place.objectType == FLOOR_TYPE else surface_height(place)
    return abs(under - surface)


def _has_walls(place: ObjectState) -> bool:
    able = place.affordances
    kind = place.objectType
    return able.openable or able.pickupable or kind in SINK_TYPES or kind in HEAP_TYPES
