"""The free floor inside a counter's box: the notch of an L or a U.

AI2-THOR gives an L-shaped counter one box, which includes the floor inside the L.  The
objects on a counter and built into it show where the counter is.  The notch is the
largest empty area that opens to one side of the box (a U) or to two (an L, whose inner
corner may have steps) and leaves a counter's depth at the other sides.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from tatc.home.camera.counter_clearance import is_point_over_box
from tatc.home.camera.counter_fronts import Corners, SideAxes
from tatc.home.state import Box

Floats = NDArray[np.float64]
BOX_SIDES: tuple[SideAxes, ...] = ((0, 2, 1), (0, 2, -1), (2, 0, 1), (2, 0, -1))

COUNTER_LEG_DEPTH_METRES = 0.7
"""Depth of a counter's legs where no door shows it, metres (0.6 to 0.7 were tried)."""
MIN_NOTCH_WIDTH_METRES = 0.5
"""Width of the narrowest notch that a body can enter, metres."""
MIN_NOTCH_DEPTH_METRES = 0.1
"""Depth of the shallowest recess that counts as a notch, metres."""


@dataclass(frozen=True, slots=True)
class _SideProfile:
    """A counter seen from one side: how deep it is empty from that side inwards.

    `edges` are n + 1 coordinates along the side from 0 to `width`; `empty_depths` are the n
    empty depths between neighbouring edges.  All in metres.
    """

    edges: Floats
    empty_depths: Floats
    width: float


def boxes_without_notch(
    counter: Box,
    fixtures: Iterable[Corners],
    start: tuple[float, float],
    closed_sides: Set[SideAxes] = frozenset(),
    leg_depths: Mapping[SideAxes, float] | None = None,
) -> tuple[Box, ...]:
    """Return the boxes that remain of a counter's box without its notch.

    Args:
        counter: the counter's box.
        fixtures: the corners of objects that stand on it or are built into it.
        start: the x, z where a body stands; a notch that contains it is preferred to a
            larger one.
        closed_sides: sides at a wall, to which no notch opens.
        leg_depths: how deep the legs are along the sides at which doors show it, metres.

    """
    low, high = counter.bounds()
    corners = tuple(fixtures)
    found: list[tuple[float, tuple[Box, ...]]] = []
    for along, across, sign in BOX_SIDES:
        if (along, across, sign) in closed_sides:
            continue
        legs = _legs_around((along, across, sign), leg_depths or {})
        side = _side_profile(low, high, corners, (along, across, sign), legs)
        for depths in _notch_depths(side, legs):
            left = _boxes_behind_notch(counter, (along, across, sign), side.edges, depths)
            found.append((float(depths @ np.diff(side.edges)), tuple(left)))
    found.sort(key=lambda notch: -round(notch[0], 6))
    roomy = (left for _, left in found if not any(is_point_over_box(b, start) for b in left))
    return next(roomy, found[0][1] if found else (counter,))


def _legs_around(side: SideAxes, depths: Mapping[SideAxes, float]) -> tuple[float, float, float]:
    """Return how deep the legs at the two ends of a side and opposite of it are, metres."""
    along, across, sign = side
    ends = (across, along, 1), (across, along, -1), (along, across, -sign)
    first, last, far = (depths.get(end, COUNTER_LEG_DEPTH_METRES) for end in ends)
    return first, last, far


def _side_profile(
    low: Sequence[float],
    high: Sequence[float],
    corners: Sequence[Corners],
    side: SideAxes,
    legs: tuple[float, float, float],
) -> _SideProfile:
    along, across, sign = side
    width, deepest = high[along] - low[along], high[across] - low[across] - legs[2]
    first = [max(0.0, a[along] - low[along]) for a, _ in corners]
    last = [min(width, b[along] - low[along]) for _, b in corners]
    near = [
        max(0.0, gap)
        for gap in (
            a[across] - low[across] if sign > 0 else high[across] - b[across] for a, b in corners
        )
    ]
    marks = {
        0.0,
        width,
        *first,
        *last,
        min(legs[0], width),
        max(0.0, width - legs[1]),
    }
    edges = np.array(sorted(marks))
    middle = (edges[1:] + edges[:-1]) / 2
    empty = np.full(len(middle), max(0.0, deepest))
    for a, b, depth in zip(first, last, near, strict=True):
        inside = (middle > a) & (middle < b)
        empty[inside] = np.minimum(empty[inside], depth)
    return _SideProfile(edges, empty, width)


def _notch_depths(profile: _SideProfile, legs: tuple[float, float, float]) -> Iterator[Floats]:
    """Yield the depths of each notch that is wide enough for a body, as `empty_depths` are."""
    edges, empty = profile.edges, profile.empty_depths
    ends, starts = (
        edges[1:] <= profile.width - legs[1] + 1e-9,
        edges[:-1] >= legs[0] - 1e-9,
    )
    from_left = np.where(ends, np.minimum.accumulate(empty), 0.0)
    from_right = np.where(starts, np.minimum.accumulate(empty[::-1])[::-1], 0.0)
    for depths in (from_left, from_right, _largest_bay(edges, empty, starts & ends)):
        if float(np.diff(edges)[depths >= MIN_NOTCH_DEPTH_METRES].sum()) >= MIN_NOTCH_WIDTH_METRES:
            yield depths


def _largest_bay(edges: Floats, empty: Floats, allowed: NDArray[np.bool_]) -> Floats:
    """Return the depths of the largest empty rectangle that opens to this side."""
    depths = np.where(allowed, empty, 0.0)
    best, area = np.zeros(len(depths)), 0.0
    for first in range(len(depths)):
        lowest = np.minimum.accumulate(depths[first:])
        widths = edges[first + 1 :] - edges[first]
        areas = np.where(widths >= MIN_NOTCH_WIDTH_METRES, lowest * widths, 0.0)
        i = int(areas.argmax())
        if areas[i] > area + 1e-9:
            area = float(areas[i])
            best = np.zeros(len(depths))
            best[first : first + i + 1] = lowest[i]
    return best


def _boxes_behind_notch(
    counter: Box, side: tuple[int, int, int], edges: Floats, depths: Floats
) -> Iterator[Box]:
    """Yield the boxes of a counter between its notch and the far side."""
    along, across, sign = side
    low, high = counter.bounds()
    runs = groupby(range(len(depths)), key=lambda i: float(depths[i]))
    for depth, indices in runs:
        run = list(indices)
        center, size = list(counter.center), [high[i] - low[i] for i in range(3)]
        first, last = float(edges[run[0]]), float(edges[run[-1] + 1])
        center[along], size[along] = low[along] + (first + last) / 2, last - first
        center[across] += sign * depth / 2
        size[across] -= depth
        yield Box((center[0], center[1], center[2]), (size[0], size[1], size[2]))
