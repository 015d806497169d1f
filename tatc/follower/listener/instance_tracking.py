"""Objects from masks and depth alone: boxes from points, linked from view to view by position.

A view at `PerceptionLevel.MASKS` tells the type and the pixels of what it shows, and no states.
Here each mask becomes an object: the box around the points where its rays end, made as deep as
objects of its type usually are where only its front was seen, and what objects of the type can do.
What cannot be seen is taken for granted until an own action changes it: closed, off, empty, and
dirty until washed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import dist

import numpy as np
from numpy.typing import NDArray

from tatc.follower.listener.map_frame import Floats, box_around
from tatc.home import assets, type_facts
from tatc.home.percepts import NO_PERCEPT, Percept, PerceptionLevel, View
from tatc.home.state import Affordances, Box, ObjectState, Vec3

MIN_MASK_PIXELS = 6  # the fewest pixels of a mask that becomes an object
SAME_OBJECT_METRES = 0.25
"""Masks of one type whose boxes are nearer than this belong to one object, metres."""
PUT_DOWN_METRES = 0.8
"""How far from where it was expected an object may be seen that was put down, metres."""
WITHIN_SHARE = 0.3
"""The share of the distance of two middles that counts where one box lies within the other."""
Expected = Mapping[str, ObjectState]
Bounds = tuple[Vec3, Vec3]


class InstanceTracker:
    """Gives the masks of successive views lasting numbers and states."""

    def __init__(self) -> None:
        """Start with no object known."""
        self._count = 0
        self._pixels: dict[str, int] = {}  # of the best view that showed all of a loose thing

    def with_states(
        self, view: View, points: Floats, known: Expected, put_down: Iterable[str], lost: Expected
    ) -> View:
        """Return a view, in the map's frame, with numbers and states as at the level truth.

        `points` are where its rays end, and `known` the objects known so far, as they are expected
        now, by id; `put_down` are those that the Follower has put down and not seen since, and
        `lost` those that were not where they should be.  Seen near there, they are the same.
        """
        eye = (view.body.position[0], view.body.position[2])
        loose = set(put_down)
        boxes: dict[int, Box] = {}
        whole: dict[int, int] = {}
        cut_off = {*view.pixels[[0, -1]].flat, *view.pixels[:, [0, -1]].flat}
        for index, count, low, high in _extents(view.pixels, points):
            if count >= MIN_MASK_PIXELS:
                boxes[index] = _box_of(view.percepts[index].object_type, low, high, eye)
                whole[index] = 0 if index in cut_off else count
        same = _matches(view.percepts, boxes, {**known, **lost}, loose)
        loose.update(lost)
        found = list(view.percepts)
        for i in boxes:
            found[i] = self._tracked(found[i], boxes[i], whole[i], same.get(i), loose)
        return replace(view, percepts=tuple(found))

    def _tracked(
        self, percept: Percept, box: Box, whole: int, same: ObjectState | None, loose: set[str]
    ) -> Percept:
        """Return a percept as a known object or a new one; `whole` counts pixels, 0 if cut off."""
        if same is None:
            state = self._new_object(percept.object_type, box)
            self._pixels[state.objectId] = whole
        else:
            state, box = same, self._known_box(same, box, whole, fresh=same.objectId in loose)
            if box != same.box:
                state = replace(same, box=box, position=_foot_of(box))
        return replace(percept, number=int(state.objectId.rpartition("|")[2]), state=state)

    def _known_box(self, known: ObjectState, seen: Box, whole: int, *, fresh: bool) -> Box:
        """Return an object's box after another look; of a loose thing the best view counts."""
        if not known.affordances.pickupable:
            return _merged_box(known, seen)
        best = 0 if fresh else self._pixels.get(known.objectId, 0)
        if not fresh and not whole and not best:
            return _merged_box(known, seen)
        if fresh or whole >= best:
            self._pixels[known.objectId] = whole
            return seen
        return known.box

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
    kinds = [percept.object_type for percept in view.percepts]
    furniture = [masks and not affordances_of(kind).pickupable for kind in kinds]
    bare = [kind in type_facts.FLOOR_COVERING_TYPES or furniture[i] for i, kind in enumerate(kinds)]
    return np.array([*bare, False]).take(view.pixels)


def affordances_of(kind: str) -> Affordances:
    """Return what objects of a type can do; pieces of food can be picked up, some be cooked."""
    if kind in type_facts.WHOLE_TYPE_BY_PIECE:
        return Affordances(pickupable=True, cookable=kind in type_facts.COOKABLE_PIECE_TYPES)
    known = assets.known_object_types().get(kind)
    return Affordances() if known is None else known.affordances


def _extents(
    pixels: NDArray[np.int32], points: Floats
) -> Iterator[tuple[int, int, Floats, Floats]]:
    """Yield for each percept how many of its rays end somewhere, and their lowest and highest ends.

    All masks are taken at once: one by one, each would cost a pass over the whole view.
    """
    shown = np.flatnonzero((pixels != NO_PERCEPT) & ~np.isnan(points[..., 0]))
    numbers = pixels.take(shown).astype(np.int16)  # of which a sort is quickest
    order = np.argsort(numbers, kind="stable")
    numbers, shown = numbers[order], shown[order]
    starts = np.flatnonzero(np.diff(numbers, prepend=NO_PERCEPT))
    counts = np.diff(starts, append=len(numbers))
    ends = [points[..., axis].ravel().take(shown) for axis in range(3)]
    low, high = (
        np.stack([extreme.reduceat(each, starts) for each in ends], axis=1)
        for extreme in (np.minimum, np.maximum)
    )
    yield from zip(numbers[starts].tolist(), counts.tolist(), low, high, strict=True)


def _box_of(kind: str, low: Floats, high: Floats, eye: tuple[float, float]) -> Box:
    """Return the box between two corners, as deep behind its front as its type is usually."""
    known = assets.known_object_types().get(kind)
    if known is not None and kind != type_facts.FLOOR_TYPE:
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


def _matches(
    percepts: Sequence[Percept], boxes: Mapping[int, Box], known: Expected, loose: set[str]
) -> dict[int, ObjectState]:
    """Pair percepts (by index) with known objects, nearest first: what stays keeps its number."""
    pairs: list[tuple[float, int, str]] = []
    seen_by_type: dict[str, list[tuple[int, Vec3, Bounds]]] = {}
    for index, box in boxes.items():
        seen = index, box.center, box.bounds()
        seen_by_type.setdefault(percepts[index].object_type, []).append(seen)
    for obj in known.values():
        if obj.isPickedUp or obj.objectType not in seen_by_type:
            continue
        reach = PUT_DOWN_METRES if obj.objectId in loose else SAME_OBJECT_METRES
        measure = _loose_apart if obj.affordances.pickupable else _gap
        center, bounds = obj.box.center, obj.box.bounds()
        for index, middle, between in seen_by_type[obj.objectType]:
            share = measure(bounds, between, dist(center, middle)) / reach
            if share < 1.0:
                pairs.append((share, index, obj.objectId))
    found: dict[int, ObjectState] = {}
    taken: set[str] = set()
    for _, index, name in sorted(pairs):
        if index not in found and name not in taken:
            found[index] = known[name]
            taken.add(name)
    return found


def _loose_apart(known: Bounds, seen: Bounds, apart: float) -> float:
    """Return how far a box seen is from a known one, metres: less if it lies within it.

    `apart` is the distance of their middles.  Of what the frame or another thing hides in part, the
    middle of what is seen is elsewhere.
    """
    (a, b), (c, d) = known, seen
    beyond = max(max(a[i] - c[i], d[i] - b[i], 0.0) for i in range(3))
    return min(apart, beyond + WITHIN_SHARE * apart)


def _gap(first: Bounds, second: Bounds, apart: float) -> float:
    """Return the gap between two boxes plus a little of the distance of their middles, metres."""
    (a, b), (c, d) = first, second
    gaps = [max(c[i] - b[i], a[i] - d[i], 0.0) for i in range(3)]
    return max(gaps) * 2 + 0.05 * apart


def _merged_box(known: ObjectState, seen: Box) -> Box:
    if known.affordances.openable and not known.affordances.pickupable and known.isOpen:
        return known.box
    return box_around(known.box, seen)


def _foot_of(box: Box) -> Vec3:
    x, y, z = box.center
    return x, y - box.size[1] / 2, z
