"""Which part of each counter's box is really counter.

An L-shaped counter's box includes the floor inside the L.  Objects on the counter and built into it
show where it is: this notch is the largest empty area that opens to one side of the box (a U) or to
two (an L, whose inner corner may have steps) and leaves a counter's depth at the other sides.
Doors and drawers show a counter's front edge and the floor in front of it (`counter_fronts`),
and take precedence.  How far it overhangs its doors is measured where its box ends just in front of
them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from tatc.home import type_facts as facts
from tatc.home.camera import counter_fronts
from tatc.home.camera.room_bounds import WallBounds
from tatc.home.camera.solids import Rect, footprint_of
from tatc.home.state import Box, ObjectState, Vec2, kept_by_shape, parts_of

FIXTURE_TYPES = facts.FRONT_TYPES | facts.COUNTER_APPLIANCE_TYPES | {facts.KNOB_TYPE}
"""Types that are built into counters or hang above them."""
ON_TOP_TOLERANCE_METRES = 0.15
"""An object stands on a counter if its bottom is this near to the counter's top, metres."""
MAX_WALL_GAP_METRES = 0.3  # a counter nearer to a wall than this stands at it, metres
MAX_ISLAND_WIDTH_METRES = 1.25
MAX_STRAIGHT_WIDTH_METRES = 0.9
"""A counter at a wall that is no wider than this is one straight piece, metres."""
MIN_FITTED_FRONTS = 3
"""A counter narrower than two legs is an island if it has fewer doors and drawers."""
COUNTER_LEG_DEPTH_METRES = 0.7
"""Depth of a counter's legs where no door shows it, metres (0.6 to 0.7 were tried)."""
MIN_NOTCH_WIDTH_METRES = 0.5  # width of the narrowest notch that a body can enter, metres
MIN_NOTCH_DEPTH_METRES = 0.1  # depth of the shallowest recess that counts as a notch, metres

Floats = NDArray[np.float64]
BOX_SIDES: tuple[counter_fronts.SideAxes, ...] = ((0, 2, 1), (0, 2, -1), (2, 0, 1), (2, 0, -1))


def counter_boxes(
    objects: Sequence[ObjectState],
    start: Vec2,
    room: WallBounds,
    floor_of: Callable[[counter_fronts.FrontedCounters, int], Iterator[Rect]],
) -> Mapping[int, tuple[Box, ...]]:
    """Return each counter's boxes without its notch and the floor before its fronts, by its index.

    `start` is the x, z where a body stands; if possible, no counter covers it.  `floor_of` is
    `FrontedCounters.floor_before_fronts` for the boxes that stop a body, and `gaps_in_board` for
    those that lie under a board: this goes on over floor before doors if a thing lies there,
    though people were recorded to walk in front of such doors.
    """
    fronts, counters = _notched_counters(objects, room)
    found: dict[int, tuple[Box, ...]] = {}
    for i, (is_island, notched) in counters.items():
        box = fronts.counters[i]
        if is_island and not counter_fronts.is_point_over_box(box, start):
            parts = (box,)
        else:  # a notch in which the body stands is preferred to a larger one
            parts = next((each for each in notched if not _covers(each, start)), notched[0])
        found[i] = _without_floor(parts, floor_of(fronts, i), fronts.worktop_over_fronts(i), box)
    return found


@kept_by_shape
def _notched_counters(
    objects: Sequence[ObjectState], room: WallBounds
) -> tuple[counter_fronts.FrontedCounters, Mapping[int, tuple[bool, Sequence[tuple[Box, ...]]]]]:
    """Return the counters; whether each is one solid block, and what each notch would leave."""
    fronts = counter_fronts.find_fronted_counters(objects, room)
    found: dict[int, tuple[bool, Sequence[tuple[Box, ...]]]] = {}
    known = _notch_sides(parts_of(objects).fixtures, room)
    for (i, box), (is_island, sides) in zip(fronts.counters.items(), known, strict=True):
        there = [*_fixture_corners(objects, fronts, box)] if sides else ()
        found[i] = is_island, _notched_boxes(box, there, sides, fronts.leg_depths(i))
    return fronts, found


@kept_by_shape
def _notch_sides(
    fixtures: Sequence[ObjectState], room: WallBounds
) -> list[tuple[bool, list[counter_fronts.SideAxes]]]:
    """Return whether each counter is one solid block, and where fixtures leave room for a notch.

    What else is on the counter only leaves less.
    """
    fronts = counter_fronts.find_fronted_counters(fixtures, room)
    doors = [obj.box for obj in fixtures if obj.objectType in facts.FRONT_TYPES]
    found: list[tuple[bool, list[counter_fronts.SideAxes]]] = []
    for i, box in fronts.counters.items():
        closed, legs = _sides_at_walls(box, room), fronts.leg_depths(i)
        there = [*_fixture_corners(fixtures, fronts, box)]
        wide: list[counter_fronts.SideAxes] = []
        for side in BOX_SIDES:
            edges, empty = _side_profile(*box.bounds(), there, side, _legs_around(side, legs))
            width = float(np.diff(edges)[empty >= MIN_NOTCH_DEPTH_METRES].sum())
            if side not in closed and width >= MIN_NOTCH_WIDTH_METRES - 1e-9:  # for rounding
                wide.append(side)
        found.append((_is_island(box, doors, closed), wide))
    return found


def _sides_at_walls(counter: Box, room: WallBounds) -> frozenset[counter_fronts.SideAxes]:
    low, high = counter.bounds()
    closed: set[counter_fronts.SideAxes] = set()
    for along, across, sign in BOX_SIDES:
        before, behind = low[across] - room[0][across // 2], room[1][across // 2] - high[across]
        if (before if sign > 0 else behind) < MAX_WALL_GAP_METRES:
            closed.add((along, across, sign))
    return frozenset(closed)


def _is_island(
    counter: Box, doors: Sequence[Box], at_walls: frozenset[counter_fronts.SideAxes]
) -> bool:
    """Return whether a counter is one solid block."""
    width = min(counter.size[::2])
    below = (box for box in doors if box.center[1] < counter.center[1])
    points = ((box.center[0], box.center[2]) for box in below)
    fronts = sum(counter_fronts.is_point_over_box(counter, point) for point in points)
    if width >= MAX_ISLAND_WIDTH_METRES or fronts >= MIN_FITTED_FRONTS:
        return False
    return width <= MAX_STRAIGHT_WIDTH_METRES or not at_walls


def _fixture_corners(
    objects: Sequence[ObjectState], fronts: counter_fronts.FrontedCounters, counter: Box
) -> Iterator[counter_fronts.Corners]:
    """Yield the corners of each object that is built into a counter or stands on it.

    Built-in ones get its overhang; what is in a smaller counter's box too belongs to that one.
    """
    top, overhang, ((x0, _, z0), (x1, _, z1)) = counter.top, fronts.overhang, counter.bounds()
    smaller = [box.bounds() for box in fronts.counters.values() if box.area < counter.area]
    for obj in objects:
        x, _, z = obj.box.center
        if not (x0 <= x <= x1 and z0 <= z <= z1) or obj.objectType in facts.FLOOR_COVERING_TYPES:
            continue
        if any(a[0] <= x <= b[0] and a[2] <= z <= b[2] for a, b in smaller):
            continue
        low, high = obj.box.bounds()
        if obj.objectType in FIXTURE_TYPES:
            yield (
                (low[0] - overhang, low[1], low[2] - overhang),
                (high[0] + overhang, high[1], high[2] + overhang),
            )
        elif abs(low[1] - top) < ON_TOP_TOLERANCE_METRES or obj.objectType in facts.BAR_SEAT_TYPES:
            yield low, high


def _without_floor(
    parts: Sequence[Box], floor: Iterable[Rect], worktop: Iterable[Rect], counter: Box
) -> tuple[Box, ...]:
    """Return a counter's parts without the floor before its fronts, and its worktop over them."""
    left = list(parts)
    for hole in floor:
        left = [piece for part in left for piece in _cut_out(part, hole)]
    boards = (_part_of_box(counter, footprint_of(counter).intersection(each)) for each in worktop)
    return (*left, *(board for board in boards if board is not None))


def _cut_out(box: Box, hole: Rect) -> Iterable[Box]:
    whole = footprint_of(box)
    inner = _part_of_box(box, whole.intersection(hole))
    if inner is None:
        return (box,)
    pieces = (_part_of_box(box, piece) for piece in whole.around(footprint_of(inner)))
    return [piece for piece in pieces if piece is not None]


def _part_of_box(box: Box, rect: Rect | None) -> Box | None:
    """Return the part of a box over a rectangle within it; None if there is none."""
    if rect is None or min(rect.sides) <= 1e-6:
        return None
    middle = (rect.x0 + rect.x1) / 2, box.center[1], (rect.z0 + rect.z1) / 2
    return Box(middle, (rect.sides[0], box.size[1], rect.sides[1]))


def _covers(boxes: Sequence[Box], point: Vec2) -> bool:
    return any(counter_fronts.is_point_over_box(box, point) for box in boxes)


def _notched_boxes(
    counter: Box,
    fixtures: Sequence[counter_fronts.Corners],
    sides: Sequence[counter_fronts.SideAxes],
    leg_depths: Mapping[counter_fronts.SideAxes, float],
) -> Sequence[tuple[Box, ...]]:
    """Return the boxes that remain of a counter's box without each notch, the largest notch first.

    `fixtures` are the corners of objects that stand on the counter or are built into it.  Notches
    open to `sides`, which are at no wall; without any, the counter is left whole.
    `leg_depths` are how deep the legs are along the sides at which doors show it, metres.
    """
    low, high = counter.bounds()
    found: list[tuple[float, tuple[Box, ...]]] = []
    for side in sides:
        legs = _legs_around(side, leg_depths)
        edges, empty = _side_profile(low, high, fixtures, side, legs)
        for depths in _notch_depths(edges, empty, legs):
            left = _boxes_behind_notch(counter, side, edges, depths)
            found.append((float(depths @ np.diff(edges)), tuple(left)))
    found.sort(key=lambda notch: -round(notch[0], 6))
    return [left for _, left in found] or [(counter,)]


def _legs_around(
    side: counter_fronts.SideAxes, depths: Mapping[counter_fronts.SideAxes, float]
) -> tuple[float, float, float]:
    """Return how deep the legs at the two ends of a side and opposite of it are, metres."""
    along, across, sign = side
    ends = (across, along, 1), (across, along, -1), (along, across, -sign)
    first, last, far = (depths.get(end, COUNTER_LEG_DEPTH_METRES) for end in ends)
    return first, last, far


def _side_profile(
    low: Sequence[float],
    high: Sequence[float],
    corners: Sequence[counter_fronts.Corners],
    side: counter_fronts.SideAxes,
    legs: tuple[float, float, float],
) -> tuple[Floats, Floats]:
    """Return n + 1 edges along a side, from 0 to its width, and n empty depths between, metres."""
    along, across, sign = side
    width, deepest = high[along] - low[along], high[across] - low[across] - legs[2]
    first = [max(0.0, a[along] - low[along]) for a, _ in corners]
    last = [min(width, b[along] - low[along]) for _, b in corners]
    near = [
        max(0.0, a[across] - low[across] if sign > 0 else high[across] - b[across])
        for a, b in corners
    ]
    ends = (0.0, width, min(legs[0], width), max(0.0, width - legs[1]))
    edges = np.array(sorted({*ends, *first, *last}))
    middle = (edges[1:] + edges[:-1]) / 2
    inside = (middle > np.array(first)[:, None]) & (middle < np.array(last)[:, None])
    depths = np.where(inside, np.array(near)[:, None], np.inf)
    return edges, depths.min(axis=0, initial=max(0.0, deepest))


def _notch_depths(
    edges: Floats, empty: Floats, legs: tuple[float, float, float]
) -> Iterator[Floats]:
    """Yield the depths of each notch that is wide enough for a body, as `empty` depths are."""
    ends, starts = edges[1:] <= edges[-1] - legs[1] + 1e-9, edges[:-1] >= legs[0] - 1e-9
    from_left = np.where(ends, np.minimum.accumulate(empty), 0.0)
    from_right = np.where(starts, np.minimum.accumulate(empty[::-1])[::-1], 0.0)
    widths = edges[1:] - edges[:-1]
    for depths in (from_left, from_right, _largest_bay(edges, empty, starts & ends)):
        if float(widths[depths >= MIN_NOTCH_DEPTH_METRES].sum()) >= MIN_NOTCH_WIDTH_METRES:
            yield depths


def _largest_bay(edges: Floats, empty: Floats, allowed: NDArray[np.bool_]) -> Floats:
    """Return the depths of the largest empty rectangle that opens to this side."""
    depths = np.where(allowed, empty, 0.0)
    count, best, area = len(depths), np.zeros(len(depths)), 0.0
    # Rows are where a rectangle starts, columns where it ends.
    order, widths = np.arange(count), edges[1:] - edges[:-1, None]
    lowest = np.minimum.accumulate(np.where(order < order[:, None], np.inf, depths), axis=1)
    wide = widths >= MIN_NOTCH_WIDTH_METRES  # none that ends before it starts
    areas = np.where(wide, np.where(wide, lowest, 0.0) * widths, 0.0)
    ends: list[int] = areas.argmax(axis=1).tolist() if count else []
    for first, end in enumerate(ends):
        if areas[first, end] > area + 1e-9:
            area = float(areas[first, end])
            best = np.zeros(count)
            best[first : end + 1] = lowest[first, end]
    return best


def _boxes_behind_notch(
    counter: Box, side: tuple[int, int, int], edges: Floats, depths: Floats
) -> Iterator[Box]:
    along, across, sign = side
    low, high = counter.bounds()
    for depth, indices in groupby(range(len(depths)), key=lambda i: float(depths[i])):
        run = list(indices)
        center, size = list(counter.center), [high[i] - low[i] for i in range(3)]
        first, last = float(edges[run[0]]), float(edges[run[-1] + 1])
        center[along], size[along] = low[along] + (first + last) / 2, last - first
        center[across] += sign * depth / 2
        size[across] -= depth
        yield Box((center[0], center[1], center[2]), (size[0], size[1], size[2]))
