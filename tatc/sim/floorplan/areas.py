"""The free stretches of a counter: where AI2-THOR lets things be put down on it.

A counter of a scene is one object with several areas, one for each stretch of board
between what is built into it: sinks, stoves and microwaves.  An L has one along each
leg, and both reach into its corner.  In recorded start and end states 54 of 100 things
on counters stand within 2.5 cm of the lattices of these rectangles, 60 once these are
fitted to what a room shows at its start (`lattice`).
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tatc.camera.rects import Rect, rect_of
from tatc.sim.floorplan.counters import carved_counters
from tatc.sim.floorplan.footing import room_of
from tatc.state import Box, ObjectState, Vec3

Cells = NDArray[np.bool_]

NARROWEST = 0.2
"""A stretch of board counts from this width on, metres."""
SLIVER = 0.03
"""What is left before or behind what is built in counts from this width on, metres."""
MOSTLY = 0.8
"""A stretch counts if less than this share of it lies in a larger one."""
STEP = 0.06
"""Steps in a counter's edge lower than this are straightened, metres."""
ABOVE, BELOW = 0.1, 0.3
"""How far over a counter's top the bottom of what is built in may be, and its top
under it, metres."""
COUNTER = "CounterTop"
BUILT_IN = frozenset({"Microwave", "Sink"})
BURNER = "StoveBurner"
_SAME = 1e-3  # metres by which edges of one cell may differ


def counter_areas(
    objects: Sequence[ObjectState], body: Vec3
) -> Mapping[str, tuple[Rect, ...]]:
    """Return the free stretches of each counter along the world's axes, by its id.

    `body` is the position of a body, which stands beside counters.  Stretches of an L
    share its corner.  A counter turned by less than a quarter is not in the result.
    """
    room = room_of(objects, body)
    carved = carved_counters(objects, (body[0], body[2]), room)
    found: dict[str, tuple[Rect, ...]] = {}
    for i, counter in enumerate(objects):
        if counter.objectType == COUNTER and not counter.box.yaw % 90.0:
            parts = [_rect(box) for box in carved.get(i, (counter.box,))]
            found[counter.objectId] = _stretches(parts, _holes(objects, counter))
    return found


def _holes(objects: Sequence[ObjectState], counter: ObjectState) -> list[Rect]:
    """Return what is built into a counter, seen from above; burners are one stove."""
    within = [thing for thing in objects if _in_board(thing, counter)]
    holes = [rect_of(thing) for thing in within if thing.objectType in BUILT_IN]
    burners = [rect_of(thing) for thing in within if thing.objectType == BURNER]
    if burners:
        x0, z0 = min(r.x0 for r in burners), min(r.z0 for r in burners)
        x1, z1 = max(r.x1 for r in burners), max(r.z1 for r in burners)
        holes.append(Rect(x0, z0, x1, z1))
    return holes


def _in_board(thing: ObjectState, counter: ObjectState) -> bool:
    top = counter.box.center[1] + counter.box.size[1] / 2
    (_, low, _), (_, high, _) = thing.box.bounds()
    level = low < top + ABOVE and high > top - BELOW
    return level and rect_of(thing).meets(rect_of(counter))


def _stretches(parts: Sequence[Rect], holes: Sequence[Rect]) -> tuple[Rect, ...]:
    """Return the rectangles of the parts without holes that cannot be made larger."""
    parts = _straightened(parts) or parts
    every = [*parts, *holes]
    xs = _edges([x for r in every for x in (r.x0, r.x1)])
    zs = _edges([z for r in every for z in (r.z0, r.z1)])
    free = np.zeros((len(xs) - 1, len(zs) - 1), dtype=np.bool_)
    for rects, is_free in ((parts, True), (holes, False)):
        for r in rects:
            i, j = np.searchsorted(xs, (r.x0 - _SAME, r.x1 - _SAME))
            k, m = np.searchsorted(zs, (r.z0 - _SAME, r.z1 - _SAME))
            free[i:j, k:m] = is_free
    whole = [Rect(xs[i], zs[k], xs[j], zs[m]) for i, j, k, m in _largest(free)]
    wide = [rect for rect in whole if _width(rect) >= NARROWEST]
    return _apart([*(wide or whole), *_slivers(parts, holes)])


def _largest(free: Cells) -> Iterator[tuple[int, int, int, int]]:
    """Yield the first and past-last rows and columns of free blocks none can widen."""
    rows, columns = free.shape

    def is_free(i: int, j: int, k: int, m: int) -> bool:
        inside = i >= 0 and k >= 0 and j <= rows and m <= columns
        return inside and bool(free[i:j, k:m].all())

    for i, j in _spans(rows):
        for k, m in _spans(columns):
            wider = (
                (i - 1, j, k, m),
                (i, j + 1, k, m),
                (i, j, k - 1, m),
                (i, j, k, m + 1),
            )
            if is_free(i, j, k, m) and not any(is_free(*block) for block in wider):
                yield i, j, k, m


def _spans(count: int) -> Iterator[tuple[int, int]]:
    return ((i, j) for i in range(count) for j in range(i + 1, count + 1))


def _slivers(parts: Sequence[Rect], holes: Sequence[Rect]) -> Iterator[Rect]:
    """Yield the narrow strips of board between holes and the edges around them."""
    for hole in holes:
        x, z = (hole.x0 + hole.x1) / 2, (hole.z0 + hole.z1) / 2
        for part in parts:
            if not (part.x0 < x < part.x1 and part.z0 < z < part.z1):
                continue
            for strip in (
                Rect(hole.x0, part.z0, hole.x1, hole.z0),
                Rect(hole.x0, hole.z1, hole.x1, part.z1),
                Rect(part.x0, hole.z0, hole.x0, hole.z1),
                Rect(hole.x1, hole.z0, part.x1, hole.z1),
            ):
                narrow = SLIVER < _width(strip) < NARROWEST
                if narrow and not any(strip.meets(other) for other in holes):
                    yield strip


def _apart(rects: Sequence[Rect]) -> tuple[Rect, ...]:
    """Return the rectangles, largest first, that do not lie mostly in larger ones."""
    kept: list[Rect] = []
    for rect in sorted(rects, key=lambda r: (-_area(r), r.x0, r.z0)):
        if all(_shared(rect, other) < MOSTLY * _area(rect) for other in kept):
            kept.append(rect)
    return tuple(kept)


def _straightened(parts: Sequence[Rect]) -> list[Rect]:
    xs = _groups([x for r in parts for x in (r.x0, r.x1)])
    zs = _groups([z for r in parts for z in (r.z0, r.z1)])
    made = [Rect(xs[r.x0], zs[r.z0], xs[r.x1], zs[r.z1]) for r in parts]
    return [r for r in made if r.x0 + _SAME < r.x1 and r.z0 + _SAME < r.z1]


def _groups(values: Sequence[float]) -> dict[float, float]:
    """Return for each value that of its group: the outermost, or the middle one."""
    groups: list[list[float]] = []
    for value in sorted(set(values)):
        if groups and value - groups[-1][0] < STEP:
            groups[-1].append(value)
        else:
            groups.append([value])
    chosen = [group[len(group) // 2] for group in groups]
    chosen[0], chosen[-1] = groups[0][0], groups[-1][-1]
    return {
        value: one for group, one in zip(groups, chosen, strict=True) for value in group
    }


def _edges(values: Sequence[float]) -> list[float]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > _SAME:
            kept.append(value)
    return kept


def _rect(box: Box) -> Rect:
    (x0, _, z0), (x1, _, z1) = box.bounds()
    return Rect(x0, z0, x1, z1)


def _width(rect: Rect) -> float:
    return min(rect.x1 - rect.x0, rect.z1 - rect.z0)


def _area(rect: Rect) -> float:
    return (rect.x1 - rect.x0) * (rect.z1 - rect.z0)


def _shared(a: Rect, b: Rect) -> float:
    wide = min(a.x1, b.x1) - max(a.x0, b.x0)
    deep = min(a.z1, b.z1) - max(a.z0, b.z0)
    return max(wide, 0.0) * max(deep, 0.0)
