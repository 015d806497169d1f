"""Counters of a room: which part of each one's box is counter.

What is built into a counter and stands on it shows where it is (`notches`).  Doors
and drawers show its front edge: how far it stands out over them is measured where the
room has a straight counter, whose box ends at its edge.
"""

from collections.abc import Iterator, Mapping, Sequence

from tatc.sim.embedded.notches import Corners, solid_parts
from tatc.state import Box, ObjectState

COUNTERS = frozenset({"CounterTop"})
"""Types whose box may cover free floor."""
FRONTS = frozenset({"Cabinet", "Drawer"})
BUILT_IN = FRONTS | {
    "Dishwasher",
    "Fridge",
    "Sink",
    "SinkBasin",
    "StoveBurner",
    "StoveKnob",
}
"""Types that are built into counters or hang above them."""
ON_TOP = 0.15
"""How far from a counter's top the bottom of what stands on it may be, metres."""
OVERHANG = 0.03
"""How far counters stand out over their fronts where it cannot be measured, metres."""
LARGEST_OVERHANG = 0.06
STRAIGHT = 0.8
"""A counter no wider than this is one straight piece, metres."""


def carved_counters(objects: Sequence[ObjectState]) -> Mapping[int, tuple[Box, ...]]:
    """Return the boxes that each counter fills, by its index."""
    counters = [i for i, thing in enumerate(objects) if thing.objectType in COUNTERS]
    if not counters:
        return {}
    overhang = _overhang(objects, counters)
    return {
        i: solid_parts(
            objects[i].box, _fixtures(objects, counters, objects[i].box, overhang)
        )
        for i in counters
    }


def _fixtures(
    objects: Sequence[ObjectState], counters: Sequence[int], counter: Box, out: float
) -> Iterator[Corners]:
    """Yield the corners of what is built into a counter or stands on it.

    What is built in is taken with the counter's overhang.  What lies in a smaller
    counter's box as well belongs to that one.
    """
    top = counter.center[1] + counter.size[1] / 2
    smaller = [
        objects[i].box for i in counters if _area(objects[i].box) < _area(counter)
    ]
    for thing in objects:
        if thing.objectType in COUNTERS or not _over(thing.box, counter):
            continue
        if any(_over(thing.box, box) for box in smaller):
            continue
        low, high = thing.box.bounds()
        if thing.objectType in BUILT_IN:
            yield (
                (low[0] - out, low[1], low[2] - out),
                (high[0] + out, high[1], high[2] + out),
            )
        elif abs(low[1] - top) < ON_TOP:
            yield low, high


def _overhang(objects: Sequence[ObjectState], counters: Sequence[int]) -> float:
    """Return how far the counters of a room stand out over doors and drawers."""
    fronts = [thing.box for thing in objects if thing.objectType in FRONTS]
    gaps = [
        gap
        for i in counters
        if min(objects[i].box.size[::2]) <= STRAIGHT
        for gap in _gaps(objects[i].box, fronts)
        if abs(gap) <= LARGEST_OVERHANG
    ]
    return min(gaps, default=OVERHANG)


def _gaps(counter: Box, fronts: Sequence[Box]) -> Iterator[float]:
    """Yield from a straight counter's front edge to the doors below it, metres."""
    below = [
        box.bounds()
        for box in fronts
        if box.center[1] < counter.center[1] and _over(box, counter)
    ]
    if not below:
        return
    low, high = counter.bounds()
    axis = 0 if high[0] - low[0] < high[2] - low[2] else 2
    near = min(a[axis] for a, _ in below) - low[axis]
    far = high[axis] - max(b[axis] for _, b in below)
    # The doors' boxes end well before the wall behind them.
    if max(near, far) > 4 * LARGEST_OVERHANG:
        yield min(near, far)


def _over(box: Box, counter: Box) -> bool:
    """Say whether a box's centre lies over or under a counter."""
    low, high = counter.bounds()
    x, _, z = box.center
    return low[0] <= x <= high[0] and low[2] <= z <= high[2]


def _area(box: Box) -> float:
    return box.size[0] * box.size[2]
