"""Counters of a room: which part of each one's box is counter.

What is built into a counter and stands on it shows where it is (`notches`); doors and
drawers show its front edge and the floor before it (`fronts`), and go before the
former.  How far a counter stands out over its doors is measured where its box ends
just before them.
"""

from collections.abc import Iterator, Mapping, Sequence

from tatc.sim.floorplan.aisles import (
    APPLIANCES,
    COUNTERS,
    FRONTS,
    Fronted,
    covers,
    fronted,
)
from tatc.sim.floorplan.fronts import Corners
from tatc.sim.floorplan.notches import SIDES, Side, solid_parts
from tatc.sim.floorplan.walls import Room
from tatc.state import Box, ObjectState

BUILT_IN = FRONTS | APPLIANCES | {"StoveKnob"}
"""Types that are built into counters or hang above them."""
SEATS = frozenset({"Stool"})
"""Types that stand on a bar's outer side, not in the notch of a kitchen."""
ON_TOP = 0.15
"""How far from a counter's top the bottom of what stands on it may be, metres."""
AT_WALL = 0.3
"""A counter nearer to a wall than this stands at it, metres."""
ISLAND = 1.25
LEG = 0.9
"""The widest counter at a wall that is one straight piece, metres."""
FITTED = 3
"""A counter narrower than two legs with fewer doors and drawers is an island."""


def carved_counters(
    objects: Sequence[ObjectState], start: tuple[float, float], room: Room
) -> Mapping[int, tuple[Box, ...]]:
    """Return the boxes that each counter fills, by its index.

    No counter that could be cut otherwise covers `start`, the x, z where a body stands.
    """
    fronts = fronted(objects, room)
    counters = fronts.counters
    doors = [o.box for o in objects if o.objectType in FRONTS]
    found: dict[int, tuple[Box, ...]] = {}
    for i, box in counters.items():
        parts: tuple[Box, ...] = (box,)
        closed = _at_walls(box, room)
        if not _is_island(box, doors, closed) or covers(box, start):
            others = [each for j, each in counters.items() if j != i]
            fixtures = _fixtures(objects, others, box, fronts.overhang)
            parts = solid_parts(box, fixtures, start, closed)
        found[i] = _cleared(i, parts, fronts)
    return found


def _at_walls(counter: Box, room: Room) -> frozenset[Side]:
    """Return the sides of a counter's box that stand at a wall."""
    low, high = counter.bounds()
    gaps = {
        (along, across, sign): low[across] - room[0][across // 2]
        if sign > 0
        else room[1][across // 2] - high[across]
        for along, across, sign in SIDES
    }
    return frozenset(side for side, gap in gaps.items() if gap < AT_WALL)


def _is_island(counter: Box, doors: Sequence[Box], at_walls: frozenset[Side]) -> bool:
    """Say whether a counter is one block, solid throughout."""
    width = min(counter.size[::2])
    if width >= ISLAND or len(_below(counter, doors)) >= FITTED:
        return False
    return width <= LEG or not at_walls


def _fixtures(
    objects: Sequence[ObjectState], others: Sequence[Box], counter: Box, out: float
) -> Iterator[Corners]:
    """Yield the corners of what is built into a counter or stands on it.

    What is built in is taken with the counter's overhang.  What lies in a smaller
    counter's box as well belongs to that one.
    """
    top = counter.center[1] + counter.size[1] / 2
    smaller = [box for box in others if _area(box) < _area(counter)]
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


def _cleared(i: int, parts: Sequence[Box], fronts: Fronted) -> tuple[Box, ...]:
    """Return a counter's parts without the floor before its fronts."""
    left, counter = list(parts), fronts.counters[i]
    for hole in fronts.aisles(i):
        left = [piece for part in left for piece in _without(part, hole)]
    over = (_common(counter, board) for board in fronts.boards(i))
    return (*left, *(box for box in over if box is not None))


def _without(box: Box, hole: Corners) -> Iterator[Box]:
    """Yield what is left of a box around a hole that goes through it."""
    inner = _common(box, hole)
    if inner is None:
        yield box
        return
    (x0, _, z0), (x3, _, z3) = box.bounds()
    (x1, _, z1), (x2, _, z2) = inner.bounds()
    yield from _upright(box, (x0, x1), (z0, z3))
    yield from _upright(box, (x2, x3), (z0, z3))
    yield from _upright(box, (x1, x2), (z0, z1))
    yield from _upright(box, (x1, x2), (z2, z3))


def _common(box: Box, other: Corners) -> Box | None:
    """Return the part of a box that lies over or under other corners, or None."""
    (low, high), (a, b) = box.bounds(), other
    xs = max(low[0], a[0]), min(high[0], b[0])
    zs = max(low[2], a[2]), min(high[2], b[2])
    return next(_upright(box, xs, zs), None)


def _upright(
    box: Box, xs: tuple[float, float], zs: tuple[float, float]
) -> Iterator[Box]:
    """Yield a box as high as another over a rectangle, unless it is empty."""
    width, depth = xs[1] - xs[0], zs[1] - zs[0]
    if width > 1e-6 and depth > 1e-6:
        middle = sum(xs) / 2, box.center[1], sum(zs) / 2
        yield Box(middle, (width, box.size[1], depth))


def _below(counter: Box, doors: Sequence[Box]) -> list[Box]:
    """Return the doors and drawers under a counter."""
    return [
        box
        for box in doors
        if box.center[1] < counter.center[1] and _over(box, counter)
    ]


def _over(box: Box, counter: Box) -> bool:
    """Say whether a box's centre lies over or under a counter."""
    return covers(counter, (box.center[0], box.center[2]))


def _area(box: Box) -> float:
    return box.size[0] * box.size[2]
