"""Where boxes have gaps: over and around sinks, and in the corner of an L.

AI2-THOR gives one box for a counter, however it runs: the box of an L covers the floor
in its corner too, and no box tells of the opening over a sink.  Both are read off the
other objects, once, when a room is loaded.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from tatc.affordances import DRAINS
from tatc.camera.rects import Rect, rect_of
from tatc.state import Box, ObjectState, turned

_SINKS = frozenset(DRAINS)
PIERCED: dict[str, frozenset[str]] = {
    "CounterTop": _SINKS,
    "Cabinet": _SINKS,
    "Drawer": _SINKS,
}
"""Types that others are let into, and which."""

STRAIGHT = 0.8
"""A counter no wider than this runs straight and has no corner (metres)."""
_CORNER = 0.35  # metres each way that an empty corner has at least
_SMALLEST = 0.3  # square metres that it has at least
_LEG = 0.65  # metres that it leaves of the board at each side of the counter's box
_OVERHANG = 0.03  # metres that a board reaches beyond what stands in or on it
_RIM = 0.02  # metres that a gap is wider than what is let in
_ROUNDING = 1e-9  # metres
_STRIPS = 8  # strips that make up the hole around what stands askew
_AROUND = frozenset({"Floor", "CounterTop"})  # they tell nothing of where a board runs
_BELOW, _ABOVE = 0.9, 0.1  # metres around a board in which things carry or load it


def gaps_of(
    objects: Sequence[ObjectState], surfaces: Sequence[float]
) -> tuple[tuple[Rect, ...], ...]:
    """Return for each object the gaps in it, as seen from above.

    What stands askew has none.  `surfaces` are the heights of the objects' upper sides.
    """
    around = [thing for thing in objects if thing.objectType not in _AROUND]
    pairs = [(thing, rect_of(thing)) for thing in around]
    let_in = [pair for pair in pairs if pair[0].objectType in _SINKS]
    counters = [rect_of(each) for each in objects if each.objectType == "CounterTop"]
    return tuple(
        tuple(_gaps(thing, surface, let_in, _own(pairs, rect_of(thing), counters)))
        if thing.objectType in PIERCED and thing.box.yaw == 0.0
        else ()
        for thing, surface in zip(objects, surfaces, strict=True)
    )


_Placed = tuple[ObjectState, Rect]


def _own(
    around: Sequence[_Placed], whole: Rect, counters: Sequence[Rect]
) -> Sequence[_Placed]:
    """Return what is not above or below a smaller counter, such as an island.

    An island in the bay of a U stands in the U's box, and so does all that is on it.
    """
    smaller = [rect for rect in counters if _area(rect) < _area(whole)]
    return [
        (thing, rect)
        for thing, rect in around
        if not any(other.holds_middle_of(rect) for other in smaller)
    ]


def _area(rect: Rect) -> float:
    return (rect.x1 - rect.x0) * (rect.z1 - rect.z0)


def _gaps(
    pierced: ObjectState,
    surface: float,
    let_in: Sequence[_Placed],
    around: Sequence[_Placed],
) -> Iterator[Rect]:
    whole = rect_of(pierced)
    wanted = PIERCED[pierced.objectType]
    for thing, rect in let_in:
        if thing.objectType in wanted and _near(thing, rect, whole, surface):
            yield from _hole(thing.box)
    if pierced.objectType != "CounterTop":
        return
    if min(whole.x1 - whole.x0, whole.z1 - whole.z0) <= STRAIGHT:
        return
    near = [pair for pair in around if _near(*pair, whole, surface)]
    if sum(not _loose(thing) for thing, _ in near) > 1:
        corner = _largest(whole, [rect.grown(_OVERHANG) for _, rect in near])
        if corner is not None:
            yield corner


def _hole(box: Box) -> Iterator[Rect]:
    """Yield the hole that a box is let into: strips of it where the box is turned."""
    (x0, _, z0), (x1, _, z1) = box.bounds()
    if box.yaw % 90.0 == 0.0:
        yield Rect(x0, z0, x1, z1).grown(_RIM)
        return
    x, _, z = box.center
    sine, cosine = turned(box.yaw)
    width, depth = (box.size[i] / 2 + _RIM for i in (0, 2))
    wide = (x1 - x0) / _STRIPS
    for i in range(_STRIPS):
        off = x0 + (i + 0.5) * wide - x
        # Where the line across the strip's middle crosses the box's two pairs of sides.
        ends = sorted(((off * cosine - width) / sine, (off * cosine + width) / sine))
        more = sorted(((-off * sine - depth) / cosine, (depth - off * sine) / cosine))
        low, high = max(ends[0], more[0]), min(ends[1], more[1])
        if low < high:
            yield Rect(x0 + i * wide, z + low, x0 + (i + 1) * wide, z + high)


def _near(thing: ObjectState, rect: Rect, whole: Rect, surface: float) -> bool:
    return rect.meets(whole) and _touches(thing, surface)


def _loose(thing: ObjectState) -> bool:
    return thing.affordances.pickupable or thing.affordances.moveable


def _touches(thing: ObjectState, surface: float) -> bool:
    """Whether a thing stands on a board, or is what the board rests on."""
    if thing.isPickedUp:
        return False
    middle, half = thing.box.center[1], thing.box.size[1] / 2
    if _loose(thing):
        return abs(middle - half - surface) < _ABOVE
    return middle - half < surface + _ABOVE and middle + half > surface - _BELOW


def _largest(whole: Rect, taken: Sequence[Rect]) -> Rect | None:
    """Return the largest rectangle along any side that meets nothing, or None.

    The counter touches all sides of its box: a leg is left at each.
    """
    best, most = None, _SMALLEST
    for swap, flip in ((False, False), (False, True), (True, False), (True, True)):
        seen = [_turned(rect, swap, flip) for rect in taken]
        rect, area = _deepest(_turned(whole, swap, flip), seen)
        if area > most:
            best, most = _swapped(_flipped(rect, flip), swap), area
    return best


def _turned(rect: Rect, swap: bool, flip: bool) -> Rect:
    return _flipped(_swapped(rect, swap), flip)


def _swapped(rect: Rect, swap: bool) -> Rect:
    return Rect(rect.z0, rect.x0, rect.z1, rect.x1) if swap else rect


def _flipped(rect: Rect, flip: bool) -> Rect:
    return Rect(rect.x0, -rect.z1, rect.x1, -rect.z0) if flip else rect


def _deepest(whole: Rect, taken: Sequence[Rect]) -> tuple[Rect, float]:
    """Return the largest empty rectangle along the side of least z, and its area."""
    bounds = np.array([(r.x0, r.x1, r.z0) for r in taken])
    low, high, near = bounds[:, 0], bounds[:, 1], bounds[:, 2]
    ends = np.array((whole.x0, whole.x1))
    legs = np.array((whole.x0 + _LEG, whole.x1 - _LEG))
    edges = np.unique(np.clip(np.concatenate((ends, legs, low, high)), *ends))
    over = (low < edges[1:, None]) & (high > edges[:-1, None])
    free = np.where(over, near, whole.z1 - _LEG).min(1) - whole.z0
    widest = whole.x1 - whole.x0 - _LEG + _ROUNDING
    best, most = whole, 0.0
    for i, start in enumerate(edges[:-1].tolist()):
        depths = np.minimum.accumulate(free[i:])
        widths = edges[i + 1 :] - start
        wide = (widths >= _CORNER) & (widths <= widest) & (depths >= _CORNER)
        areas = np.where(wide, widths * depths, 0.0)
        j = int(areas.argmax())
        if areas[j] > most:
            most = float(areas[j])
            x1, z1 = start + float(widths[j]), whole.z0 + float(depths[j])
            best = Rect(start, whole.z0, x1, z1)
    return best, most
