"""Find the free areas of a counter, on which AI2-THOR lets objects be put down.

There is one for each part of the board between the sinks, stoves and microwaves that are built into
it.  An L-shaped counter has one along each leg, and both reach into its corner.  A narrow counter
without a sink or a stove is one area, whatever stands on it.  At recorded starts and ends, 54 of
100 objects on counters stand within 2.5 cm of the lattice points of these rectangles, and 60 of 100
if the rectangles are fitted to the objects that stand there at the start (`fit_areas`).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from tatc.home import state, type_facts
from tatc.home.camera.counter_fronts import FrontedCounters
from tatc.home.camera.solids import Rect, bounding_rect, footprint_of, lowest_of_groups
from tatc.sim.floorplan import counter_shapes, navigable_cells

CellMask = NDArray[np.bool_]

HOLE_TYPES = frozenset({type_facts.BURNER_TYPE, "Sink"})  # what is sunk into a counter's board
MAX_WHOLE_WIDTH_METRES = 0.9  # a counter that is wider than this may be an L, metres
BESIDE_MICROWAVE_METRES = 0.5
"""How much board before a microwave, and behind it, is no area, metres: all of a leg's depth."""
MIN_AREA_WIDTH_METRES = 0.2  # the least width of a free part of the board that is an area, metres
MIN_STRIP_WIDTH_METRES = 0.03  # the least width of a strip beside a cutout that is an area, metres
MAX_SHARE_IN_LARGER_AREA = 0.8
"""A rectangle is an area if less than this share of it lies in each larger area."""
MIN_EDGE_STEP_METRES = 0.06
"""Steps in a counter's edge that are smaller than this are straightened, metres."""
MAX_BOTTOM_ABOVE_TOP_METRES, MAX_TOP_BELOW_TOP_METRES = 0.1, 0.3
"""How far a built-in object's bottom may be above a counter's top, and its top below it, metres."""
_EDGE_TOLERANCE_METRES = 1e-3  # metres within which two edges are the same


def counter_areas(
    objects: Sequence[state.ObjectState], body: state.Vec3, *, beside_microwaves: bool = False
) -> Mapping[str, tuple[Rect, ...]]:
    """Return the free areas of each counter, along the world's axes, by the counter's id.

    The areas of an L-shaped counter overlap in its corner.  A counter that is not aligned
    with the world's axes is left out.  `body` is the position of the body, which is never inside
    a counter.  With `beside_microwaves`, as where rooms are furnished, areas end at a microwave on
    any counter, and go on before it.
    """
    room = navigable_cells.walls_around(objects, body)
    start, floor_of = (body[0], body[2]), FrontedCounters.gaps_in_board
    counter_boxes = counter_shapes.counter_boxes(objects, start, room, floor_of)
    found: dict[str, tuple[Rect, ...]] = {}
    for i, counter in enumerate(objects):
        if counter.objectType != type_facts.COUNTER_TYPE or counter.box.yaw % 90.0:
            continue
        if not beside_microwaves and _is_whole(objects, counter):
            found[counter.objectId] = (footprint_of(counter.box),)
            continue
        parts = [*map(footprint_of, counter_boxes.get(i, (counter.box,)))]
        holes = _cutouts(objects, counter, before_microwaves=not beside_microwaves)
        found[counter.objectId] = _free_rectangles(parts, holes)
    return found


def _is_whole(objects: Sequence[state.ObjectState], counter: state.ObjectState) -> bool:
    """Return whether a counter is a single area: a narrow one without sink or stove.

    A microwave stands on such a counter's board, and the area goes on under it.
    """
    if min(counter.box.size[0], counter.box.size[2]) > MAX_WHOLE_WIDTH_METRES:
        return False
    return not any(obj.objectType in HOLE_TYPES and _is_built_in(obj, counter) for obj in objects)


def _cutouts(
    objects: Sequence[state.ObjectState], counter: state.ObjectState, *, before_microwaves: bool
) -> list[Rect]:
    """Return the footprints of what is built into a counter.

    All burners together are one footprint: that of the stove.  With `before_microwaves`, a
    microwave's goes on before and behind it: areas end at its sides, and none is in front of it.
    """
    within = [obj for obj in objects if _is_built_in(obj, counter)]
    holes: list[Rect] = []
    for obj in within:
        if obj.objectType in type_facts.COUNTER_CUTOUT_TYPES:
            hole, by = footprint_of(obj.box), BESIDE_MICROWAVE_METRES
            if before_microwaves and obj.objectType == "Microwave":
                dx, dz = (by, 0.0) if hole.x1 - hole.x0 < hole.z1 - hole.z0 else (0.0, by)
                hole = Rect(hole.x0 - dx, hole.z0 - dz, hole.x1 + dx, hole.z1 + dz)
            holes.append(hole)
    burners = [footprint_of(obj.box) for obj in within if obj.objectType == type_facts.BURNER_TYPE]
    return [*holes, bounding_rect(burners)] if burners else holes


def _is_built_in(obj: state.ObjectState, counter: state.ObjectState) -> bool:
    top = counter.box.top
    (_, low, _), (_, high, _) = obj.box.bounds()
    level = low < top + MAX_BOTTOM_ABOVE_TOP_METRES and high > top - MAX_TOP_BELOW_TOP_METRES
    return level and footprint_of(obj.box).overlaps(footprint_of(counter.box))


def _free_rectangles(parts: Sequence[Rect], holes: Sequence[Rect]) -> tuple[Rect, ...]:
    parts = _straighten_edges(parts) or parts
    all_rects = [*parts, *holes]
    xs = lowest_of_groups((x for r in all_rects for x in (r.x0, r.x1)), _EDGE_TOLERANCE_METRES)
    zs = lowest_of_groups((z for r in all_rects for z in (r.z0, r.z1)), _EDGE_TOLERANCE_METRES)
    free = np.zeros((len(xs) - 1, len(zs) - 1), dtype=np.bool_)
    for rects, is_free in ((parts, True), (holes, False)):
        for r in rects:
            i, j = np.searchsorted(xs, np.array((r.x0, r.x1)) - _EDGE_TOLERANCE_METRES)
            k, m = np.searchsorted(zs, np.array((r.z0, r.z1)) - _EDGE_TOLERANCE_METRES)
            free[i:j, k:m] = is_free
    maximal = [Rect(xs[i], zs[k], xs[j], zs[m]) for i, j, k, m in _maximal_free_blocks(free)]
    wide = [rect for rect in maximal if min(rect.sides) >= MIN_AREA_WIDTH_METRES]
    return _without_contained([*(wide or maximal), *_narrow_strips(parts, holes)])


def _maximal_free_blocks(free: CellMask) -> Iterator[tuple[int, int, int, int]]:
    """Yield blocks of free cells (rows from, to; columns from, to) that cannot grow on any side."""
    rows, columns = free.shape
    # How many cells before a row and column are not free: a block then takes four look-ups.
    taken: list[list[int]] = np.pad((~free).cumsum(0).cumsum(1), ((1, 0), (1, 0))).tolist()

    def is_free(i: int, j: int, k: int, m: int) -> bool:
        inside = i >= 0 and k >= 0 and j <= rows and m <= columns
        return inside and taken[j][m] - taken[i][m] - taken[j][k] + taken[i][k] == 0

    for i, j in combinations(range(rows + 1), 2):
        for k, m in combinations(range(columns + 1), 2):
            if not is_free(i, j, k, m):
                continue
            wider = ((i - 1, j, k, m), (i, j + 1, k, m), (i, j, k - 1, m), (i, j, k, m + 1))
            if not any(is_free(*block) for block in wider):
                yield i, j, k, m


def _narrow_strips(parts: Sequence[Rect], holes: Sequence[Rect]) -> Iterator[Rect]:
    """Yield the narrow strips of board between each hole and the edges of its part."""
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
                narrow = MIN_STRIP_WIDTH_METRES < min(strip.sides) < MIN_AREA_WIDTH_METRES
                if narrow and not any(strip.overlaps(other) for other in holes):
                    yield strip


def _without_contained(rects: Sequence[Rect]) -> tuple[Rect, ...]:
    """Return the rectangles, largest first, without those that lie mostly in a larger one."""
    kept: list[Rect] = []
    for rect in sorted(rects, key=lambda r: (-prod(r.sides), r.x0, r.z0)):
        most = MAX_SHARE_IN_LARGER_AREA * prod(rect.sides)
        shared = (rect.intersection(other) for other in kept)
        if all(part is None or prod(part.sides) < most for part in shared):
            kept.append(rect)
    return tuple(kept)


def _straighten_edges(parts: Sequence[Rect]) -> list[Rect]:
    xs = _snapped_values([x for r in parts for x in (r.x0, r.x1)])
    zs = _snapped_values([z for r in parts for z in (r.z0, r.z1)])
    return [
        r
        for r in [Rect(xs[r.x0], zs[r.z0], xs[r.x1], zs[r.z1]) for r in parts]
        if r.x0 + _EDGE_TOLERANCE_METRES < r.x1 and r.z0 + _EDGE_TOLERANCE_METRES < r.z1
    ]


def _snapped_values(values: Sequence[float]) -> dict[float, float]:
    """Map each value to its group's middle one; in the first and last group, to the outermost."""
    groups: list[list[float]] = []
    for value in sorted(set(values)):
        if groups and value - groups[-1][0] < MIN_EDGE_STEP_METRES:
            groups[-1].append(value)
        else:
            groups.append([value])
    chosen = [group[len(group) // 2] for group in groups]
    chosen[0], chosen[-1] = groups[0][0], groups[-1][-1]
    return {value: one for group, one in zip(groups, chosen, strict=True) for value in group}
