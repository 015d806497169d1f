"""The floor before the doors and drawers of counters.

Which fronts (`fronts`) belong to which counter, how far counters stand out over them,
and what of a counter's box is therefore no counter but floor where people walk.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tatc.sim.floorplan.fronts import FRAME, Corners, Front, facing, lines
from tatc.sim.floorplan.walls import Room
from tatc.state import Box, ObjectState, off_quarters

COUNTERS = frozenset({"CounterTop", "Desk"})
"""Types whose box may cover free floor."""
FRONTS = frozenset({"Cabinet", "Drawer"})
APPLIANCES = frozenset({"Dishwasher", "Fridge", "Sink", "SinkBasin", "StoveBurner"})
OVERHANG = 0.02
"""How far counters stand out over their fronts where it cannot be measured, metres."""
LARGEST_OVERHANG = 0.08
ASKEW = 2.0
"""A counter turned by more degrees than this is taken as its whole box."""


@dataclass(frozen=True, slots=True)
class Fronted:
    """The counters of a room and their lines of fronts, by the counters' indices.

    `overhang` is how far they stand out over their fronts, metres.
    """

    counters: Mapping[int, Box]
    lines: Mapping[int, Sequence[Front]]
    overhang: float

    def aisles(self, i: int) -> Iterator[Corners]:
        """Yield the floor that a counter's box covers, by its corners."""
        for front in self.lines[i]:
            if not 0 <= front.edge(self.counters[i]) <= LARGEST_OVERHANG:
                yield _floor_before(front, self.lines[i], self.overhang)

    def boards(self, i: int) -> Iterator[Corners]:
        """Yield what of a counter lies over its fronts, by corners."""
        for front in self.lines[i]:
            deep = (front.back - front.face) * front.sign
            yield front.corners((deep, self.overhang), (front.first, front.last))


def fronted(objects: Sequence[ObjectState], room: Room) -> Fronted:
    """Return the counters of a room that stand along the world's axes."""
    counters = {
        i: thing.box
        for i, thing in enumerate(objects)
        if thing.objectType in COUNTERS and _stands_straight(thing.box)
    }
    found = _lines(objects, counters, room)
    return Fronted(counters, found, _overhang(counters, found))


def covers(box: Box, point: tuple[float, float]) -> bool:
    """Say whether a point (x, z) lies over or under a box."""
    low, high = box.bounds()
    return low[0] <= point[0] <= high[0] and low[2] <= point[1] <= high[2]


def _stands_straight(box: Box) -> bool:
    """Say whether a box stands along the world's axes, to the accuracy of records."""
    return abs(off_quarters(box.yaw)) < ASKEW


def _lines(
    objects: Sequence[ObjectState], counters: Mapping[int, Box], room: Room
) -> Mapping[int, list[Front]]:
    """Return the lines of doors and drawers below each counter."""
    highest = max((box.bounds()[1][1] for box in counters.values()), default=0.0)
    below = [
        thing.box
        for thing in objects
        if thing.objectType in FRONTS and thing.box.center[1] < highest
    ]
    stops = [thing.box for thing in objects if thing.objectType in APPLIANCES]
    by_size = sorted(counters, key=lambda i: _area(counters[i]))
    found: dict[int, list[Front]] = {i: [] for i in counters}
    for front in facing(below, stops, room):
        owner = next((i for i in by_size if covers(counters[i], front.middle)), None)
        if owner is not None:
            found[owner].append(front)
    return {i: lines(fronts, [*below, *stops]) for i, fronts in found.items()}


def _overhang(
    counters: Mapping[int, Box], fronts: Mapping[int, Sequence[Front]]
) -> float:
    """Return how far the counters of a room stand out over doors and drawers."""
    gaps = [front.edge(box) for i, box in counters.items() for front in fronts[i]]
    near = [max(0.0, gap) for gap in gaps if -0.01 <= gap <= LARGEST_OVERHANG]
    return min(near, default=OVERHANG)


def _floor_before(front: Front, fronts: Sequence[Front], out: float) -> Corners:
    """Return the corners of the floor before a front.

    In the corner of an L it ends at the other leg's front.
    """
    first, last = front.first - FRAME, front.last + FRAME
    middle = (front.first + front.last) / 2
    for other in fronts:
        if other.axis == front.along and (middle - other.face) * other.sign > 0:
            edge = other.face + other.sign * out
            first, last = (
                (max(first, edge), last)
                if other.sign > 0
                else (first, min(last, edge))
            )  # fmt: skip
    return front.corners((out, max(out, front.free)), (first, last))


def _area(box: Box) -> float:
    return box.size[0] * box.size[2]
