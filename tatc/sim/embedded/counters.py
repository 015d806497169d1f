"""Counters of a room: which part of each one's box is counter.

What is built into a counter and stands on it shows where it is (`notches`).  Doors
and drawers show its front edge: how far it stands out over them is measured where the
room has a straight counter, whose box ends at its edge.
"""

from collections.abc import Iterator, Mapping, Sequence

from tatc.sim.embedded.notches import Corners, covers, solid_parts
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
SEATS = frozenset({"Stool"})
"""Types that stand on a bar's outer side, not in the notch of a kitchen."""
ON_TOP = 0.15
"""How far from a counter's top the bottom of what stands on it may be, metres."""
OVERHANG = 0.03
"""How far counters stand out over their fronts where it cannot be measured, metres."""
LARGEST_OVERHANG = 0.06
STRAIGHT = 0.8
"""A counter no wider than this is one straight piece, metres."""
ISLAND = 1.25
FITTED = 3
"""A counter narrower than two legs with fewer doors and drawers is an island."""


def carved_counters(
    objects: Sequence[ObjectState], start: tuple[float, float]
) -> Mapping[int, tuple[Box, ...]]:
    """Return the boxes that a counter fills, by its index.

    A counter without an index here fills its whole box.  No counter that could be cut
    otherwise covers `start`, the x, z where a body stands.
    """
    counters = [i for i, thing in enumerate(objects) if thing.objectType in COUNTERS]
    if not counters:
        return {}
    fronts = [thing.box for thing in objects if thing.objectType in FRONTS]
    overhang = _overhang([objects[i].box for i in counters], fronts)
    return {
        i: solid_parts(
            objects[i].box,
            _fixtures(objects, counters, objects[i].box, overhang),
            start,
        )
        for i in counters
        if not _is_island(objects[i].box, fronts) or covers(objects[i].box, start)
    }


def _is_island(counter: Box, fronts: Sequence[Box]) -> bool:
    """Say whether a counter is one block, solid throughout."""
    return min(counter.size[::2]) < ISLAND and len(_below(counter, fronts)) < FITTED


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
        elif abs(low[1] - top) < ON_TOP or thing.objectType in SEATS:
            yield low, high


def _overhang(counters: Sequence[Box], fronts: Sequence[Box]) -> float:
    """Return how far the counters of a room stand out over doors and drawers."""
    gaps = [
        gap
        for counter in counters
        if min(counter.size[::2]) <= STRAIGHT
        for gap in _gaps(counter, _below(counter, fronts))
        if abs(gap) <= LARGEST_OVERHANG
    ]
    return min(gaps, default=OVERHANG)


def _gaps(counter: Box, fronts: Sequence[Box]) -> Iterator[float]:
    """Yield from a straight counter's front edge to the doors below it, metres."""
    if not fronts:
        return
    low, high = counter.bounds()
    corners = [box.bounds() for box in fronts]
    axis = 0 if high[0] - low[0] < high[2] - low[2] else 2
    near = min(a[axis] for a, _ in corners) - low[axis]
    far = high[axis] - max(b[axis] for _, b in corners)
    # The doors' boxes end well before the wall behind them.
    if max(near, far) > 4 * LARGEST_OVERHANG:
        yield min(near, far)


def _below(counter: Box, fronts: Sequence[Box]) -> list[Box]:
    """Return the doors and drawers under a counter."""
    return [
        box
        for box in fronts
        if box.center[1] < counter.center[1] and _over(box, counter)
    ]


def _over(box: Box, counter: Box) -> bool:
    """Say whether a box's centre lies over or under a counter."""
    return covers(counter, (box.center[0], box.center[2]))


def _area(box: Box) -> float:
    return box.size[0] * box.size[2]
