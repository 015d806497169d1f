"""Cutouts in boxes: the openings for sinks, and the empty corner of an L-shaped counter.

AI2-THOR gives one box per counter, whatever its outline.  The box of an L-shaped counter
also covers the floor in its corner, and no box shows the opening over a sink.  Both are
inferred from the other objects, once, when a room is loaded.
"""

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from tatc.home.camera.shapes import surface_height
from tatc.home.camera.solids import Rect, footprint_of
from tatc.home.state import Box, ObjectState, yaw_sin_cos
from tatc.home.type_facts import COUNTER_TYPE, FLOOR_TYPE, FRONT_TYPES, SINK_TYPES

CUTOUT_TYPES = FRONT_TYPES | {COUNTER_TYPE}  # types that sinks and tubs are set into

MAX_STRAIGHT_COUNTER_METRES = 0.8
"""A counter no wider than this is straight and has no empty corner, metres."""
_MIN_CORNER_METRES = 0.35  # least width and depth of an empty corner
_MIN_CORNER_SQUARE_METRES = 0.3  # least area of an empty corner
_MIN_LEG_DEPTH_METRES = 0.65  # least depth of board left along each side of the box
_OVERHANG_METRES = 0.03  # how far a board reaches beyond what stands in or on it
_CUTOUT_MARGIN_METRES = 0.02  # how much wider a cutout is than what is set into it
_ROUNDING_METRES = 1e-9
_STRIP_COUNT = 8  # strips that approximate the hole for a turned box
_IGNORED_TYPES = frozenset({FLOOR_TYPE, COUNTER_TYPE})  # say nothing about where a board runs
# An object within these distances below or above a board carries it or stands on it.
_BELOW_BOARD_METRES, _ABOVE_BOARD_METRES = (0.9, 0.1)


def box_cutouts(
    objects: Sequence[ObjectState], measured: Sequence[float | None]
) -> tuple[tuple[Rect, ...], ...]:
    """Return for each object its cutouts, as rectangles seen from above.

    Turned boxes and types not in `CUTOUT_TYPES` have none; `measured` are surfaces, metres.
    """
    around = [obj for obj in objects if obj.objectType not in _IGNORED_TYPES]
    insets = [(obj, footprint_of(obj.box)) for obj in around if obj.objectType in SINK_TYPES]
    counters = [footprint_of(each.box) for each in objects if each.objectType == COUNTER_TYPE]
    return tuple(
        tuple(_cutouts_of(obj, surface_height(obj, height), insets, around, counters))
        if obj.objectType in CUTOUT_TYPES and obj.box.yaw == 0.0
        else ()
        for obj, height in zip(objects, measured, strict=True)
    )


def _cutouts_of(
    cut_object: ObjectState,
    surface: float,
    insets: Sequence[tuple[ObjectState, Rect]],
    around: Sequence[ObjectState],
    counters: Sequence[Rect],
) -> Iterator[Rect]:
    whole = footprint_of(cut_object.box)
    for obj, rect in insets:
        if rect.overlaps(whole) and _is_at_board_height(obj, surface):
            yield from _inset_cutouts(obj.box)
    if cut_object.objectType != COUNTER_TYPE or min(whole.sides) <= MAX_STRAIGHT_COUNTER_METRES:
        return
    # What is above or below a smaller counter, such as an island inside a U, does not count.
    smaller = [rect for rect in counters if prod(rect.sides) < prod(whole.sides)]
    near = [
        (obj, rect)
        for obj, rect in ((each, footprint_of(each.box)) for each in around)
        if rect.overlaps(whole) and _is_at_board_height(obj, surface)
        if not any(other.contains_center_of(rect) for other in smaller)
    ]
    if sum(not obj.affordances.can_be_moved for obj, _ in near) > 1:
        corner = _largest_empty_corner(whole, [rect.expand(_OVERHANG_METRES) for _, rect in near])
        if corner is not None:
            yield corner


def _inset_cutouts(box: Box) -> Iterator[Rect]:
    """Yield the hole for a box that is set in: one rectangle, or strips if it is turned."""
    (x0, _, z0), (x1, _, z1) = box.bounds()
    if box.yaw % 90.0 == 0.0:
        yield Rect(x0, z0, x1, z1).expand(_CUTOUT_MARGIN_METRES)
        return
    x, _, z = box.center
    sine, cosine = yaw_sin_cos(box.yaw)
    width, depth = (box.size[i] / 2 + _CUTOUT_MARGIN_METRES for i in (0, 2))
    wide = (x1 - x0) / _STRIP_COUNT
    for i in range(_STRIP_COUNT):
        off = x0 + (i + 0.5) * wide - x
        # Where the line through the strip's middle crosses the box's two pairs of sides.
        ends = sorted(((off * cosine - width) / sine, (off * cosine + width) / sine))
        more = sorted(((-off * sine - depth) / cosine, (depth - off * sine) / cosine))
        low, high = max(ends[0], more[0]), min(ends[1], more[1])
        if low < high:
            yield Rect(x0 + i * wide, z + low, x0 + (i + 1) * wide, z + high)


def _is_at_board_height(obj: ObjectState, surface: float) -> bool:
    """Whether an object stands on a board, or is what the board rests on."""
    if obj.isPickedUp:
        return False
    if obj.affordances.can_be_moved:
        return abs(obj.box.bottom - surface) < _ABOVE_BOARD_METRES
    is_low = obj.box.bottom < surface + _ABOVE_BOARD_METRES
    return is_low and obj.box.top > surface - _BELOW_BOARD_METRES


def _largest_empty_corner(whole: Rect, taken: Sequence[Rect]) -> Rect | None:
    """Return the largest empty rectangle along any side: board is left at each side of the box."""
    best, most = None, _MIN_CORNER_SQUARE_METRES
    for swap, flip in ((False, False), (False, True), (True, False), (True, True)):
        seen = [_flip_z(_swap_axes(rect, swap), flip) for rect in taken]
        rect, area = _largest_empty_rect(_flip_z(_swap_axes(whole, swap), flip), seen)
        if area > most:
            best, most = _swap_axes(_flip_z(rect, flip), swap), area
    return best


def _swap_axes(rect: Rect, swap: bool) -> Rect:
    return Rect(rect.z0, rect.x0, rect.z1, rect.x1) if swap else rect


def _flip_z(rect: Rect, flip: bool) -> Rect:
    return Rect(rect.x0, -rect.z1, rect.x1, -rect.z0) if flip else rect


def _largest_empty_rect(whole: Rect, taken: Sequence[Rect]) -> tuple[Rect, float]:
    """Return the largest empty rectangle along the side of least z, and its area, 0 for none."""
    bounds = np.array([(r.x0, r.x1, r.z0) for r in taken])
    low, high, near = bounds[:, 0], bounds[:, 1], bounds[:, 2]
    ends = np.array((whole.x0, whole.x1))
    legs = np.array((whole.x0 + _MIN_LEG_DEPTH_METRES, whole.x1 - _MIN_LEG_DEPTH_METRES))
    edges = np.unique(np.clip(np.concatenate((ends, legs, low, high)), *ends))
    over = (low < edges[1:, None]) & (high > edges[:-1, None])
    depth = whole.z1 - _MIN_LEG_DEPTH_METRES
    free: NDArray[np.float64] = np.where(over, near, depth).min(1) - whole.z0
    widest = whole.x1 - whole.x0 - _MIN_LEG_DEPTH_METRES + _ROUNDING_METRES
    onward = np.tri(len(free), dtype=np.bool_).T  # from each edge (rows) to each later one
    depths = np.minimum.accumulate(np.where(onward, free, free.max()), axis=1)
    widths = edges[1:] - edges[:-1, None]
    fits = onward & (widths >= _MIN_CORNER_METRES) & (widths <= widest)
    areas = np.where(fits & (depths >= _MIN_CORNER_METRES), widths * depths, 0.0)
    best = np.unravel_index(areas.argmax(), areas.shape)
    if not areas[best]:
        return whole, 0.0
    start = float(edges[best[0]])
    x1, z1 = start + float(widths[best]), whole.z0 + float(depths[best])
    return Rect(start, whole.z0, x1, z1), float(areas[best])
