"""Objects from masks and depth alone: boxes from points, linked from view to view by position.

A view at `PerceptionLevel.MASKS` tells the type and the pixels of what it shows, and no states.
Here each mask becomes an object: the box around the points where its rays end, made as deep as
objects of its type usually are where only its front was seen, and what objects of the type can do.
What cannot be seen is taken for granted until an own action changes it: closed, off, empty, and
dirty until washed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import dist

import numpy as np
from numpy.typing import NDArray

from tatc.listener.point_cloud import Floats
from tatc.object_types import known_object_types
from tatc.percepts import Percept, PerceptionLevel, View
from tatc.state import Affordances, Box, ObjectState, Vec3
from tatc.thor_types.facts import (
    COOKABLE_PIECE_TYPES,
    FLOOR_COVERING_TYPES,
    FLOOR_TYPE,
    WHOLE_TYPE_BY_PIECE,
)

MIN_MASK_PIXELS = 6
"""The fewest pixels of a mask that becomes an object."""
SAME_OBJECT_METRES = 0.25
"""Masks of one type whose boxes are nearer than this belong to one object, metres."""
PUT_DOWN_METRES = 0.8
"""How far from where it was expected an object may be seen that was put down, metres."""

Expected = Mapping[str, ObjectState]


class InstanceTracker:
    """Gives the masks of successive views lasting numbers and states."""

    def __init__(self) -> None:
        """Start with no object known."""
        self._count = 0

    def with_states(
        self, view: View, points: Floats, known: Expected, put_down: Iterable[str]
    ) -> View:
        """Return a view whose percepts have numbers and states, as at the level truth.

        Args:
            view: the view, in the map's frame.
            points: where its rays end, (rows, columns, 3), NaN for none.
            known: the objects known so far, as they are expected now, by id.
            put_down: the ids of those that the Follower has put down and not seen since.

        """
        eye = (view.body.position[0], view.body.position[2])
        loose = set(put_down)
        taken: dict[str, None] = {}
        found: list[Percept] = []
        for index, percept in enumerate(view.percepts):
            ends = points[view.pixels == index]
            ends = ends[~np.isnan(ends[:, 0])]
            if len(ends) < MIN_MASK_PIXELS:
                found.append(percept)
                continue
            box = _box_of(percept.object_type, ends, eye)
            candidates = (o for o in known.values() if o.objectId not in taken)
            same = _nearest(percept.object_type, box, candidates, loose)
            state = self._new_object(percept.object_type, box) if same is None else same
            taken[state.objectId] = None
            if same is not None:
                state = _moved(same, _merged_box(same, box, fresh=same.objectId in loose))
            number = int(state.objectId.rpartition("|")[2])
            found.append(replace(percept, number=number, state=state))
        return replace(view, percepts=tuple(found))

    def _new_object(self, kind: str, box: Box) -> ObjectState:
        self._count += 1
        name = f"{kind}|{self._count}"
        able = affordances_of(kind)
        return ObjectState(
            objectId=name,
            objectType=kind,
            name=name,
            affordances=able,
            position=_foot_of(box),
            rotation=(0.0, 0.0, 0.0),
            box=box,
            isDirty=able.dirtyable,
        )


def solid_pixels(view: View) -> NDArray[np.bool_]:
    """Return which pixels of a view show what a body is known to touch by sight alone.

    Boxes say what stands in the way, except of what covers free floor, and at the level masks.
    """
    masks = view.level is PerceptionLevel.MASKS
    bare = [
        percept.object_type in FLOOR_COVERING_TYPES
        or (masks and not affordances_of(percept.object_type).pickupable)
        for percept in view.percepts
    ]
    return np.array([*bare, False])[view.pixels]


def affordances_of(kind: str) -> Affordances:
    """Return what objects of a type can do; pieces of food can be picked up, some be cooked."""
    if kind in WHOLE_TYPE_BY_PIECE:
        return Affordances(pickupable=True, cookable=kind in COOKABLE_PIECE_TYPES)
    known = known_object_types().get(kind)
    return Affordances() if known is None else known.affordances


def _box_of(kind: str, ends: Floats, eye: tuple[float, float]) -> Box:
    """Return the box around the ends of rays, as deep behind its front as its type is usually."""
    low, high = ends.min(axis=0), ends.max(axis=0)
    known = known_object_types().get(kind)
    if known is not None and kind != FLOOR_TYPE:
        usual = min(known.usual[0], known.usual[2])
        for axis, at in ((0, eye[0]), (2, eye[1])):
            lacking = usual - float(high[axis] - low[axis])
            if lacking > 0.0 and float(low[axis]) > at:
                high[axis] += lacking
            elif lacking > 0.0 and float(high[axis]) < at:
                low[axis] -= lacking
    x, y, z = ((low + high) / 2).tolist()
    width, height, depth = np.maximum(high - low, 0.005).tolist()
    return Box((x, y, z), (width, height, depth))


def _nearest(
    kind: str, box: Box, known: Iterable[ObjectState], loose: set[str]
) -> ObjectState | None:
    """Return the known object of a type that a box belongs to, None where there is none."""
    best: ObjectState | None = None
    least = 1.0
    for obj in known:
        if obj.objectType != kind or obj.isPickedUp:
            continue
        reach = PUT_DOWN_METRES if obj.objectId in loose else SAME_OBJECT_METRES
        apart = _gap(obj.box, box) if not obj.affordances.pickupable else _apart(obj.box, box)
        if apart / reach < least:
            best, least = obj, apart / reach
    return best


def _apart(first: Box, second: Box) -> float:
    return dist(first.center, second.center)


def _gap(first: Box, second: Box) -> float:
    """Return the gap between two boxes plus a little of the distance of their middles, metres."""
    (a, b), (c, d) = first.bounds(), second.bounds()
    gaps = [max(c[i] - b[i], a[i] - d[i], 0.0) for i in range(3)]
    return max(gaps) * 2 + 0.05 * _apart(first, second)


def _merged_box(known: ObjectState, seen: Box, *, fresh: bool) -> Box:
    """Return the box of a known object after it was seen in another box too."""
    if fresh:
        return seen
    if known.affordances.openable and not known.affordances.pickupable and known.isOpen:
        return known.box
    (a, b), (c, d) = known.box.bounds(), seen.bounds()
    low = [min(p, q) for p, q in zip(a, c, strict=True)]
    high = [max(p, q) for p, q in zip(b, d, strict=True)]
    x, y, z = ((p + q) / 2 for p, q in zip(low, high, strict=True))
    width, height, depth = (q - p for p, q in zip(low, high, strict=True))
    return Box((x, y, z), (width, height, depth))


def _moved(obj: ObjectState, box: Box) -> ObjectState:
    return obj if box == obj.box else replace(obj, box=box, position=_foot_of(box))


def _foot_of(box: Box) -> Vec3:
    x, y, z = box.center
    return x, y - box.size[1] / 2, z
