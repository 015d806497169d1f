"""The floor in front of the doors and drawers of counters.

This module assigns fronts (`counter_fronts`) to counters, measures how far counters
overhang them, and so finds the part of a counter's box that is not counter but floor.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tatc.home.camera.counter_fronts import (
    FRAME_MARGIN_METRES,
    Corners,
    Front,
    SideAxes,
    find_fronts,
    join_fronts,
)
from tatc.home.camera.rects import Rect, footprint_of
from tatc.home.camera.room_bounds import WallBounds, estimate_walls, floor_extent
from tatc.home.state import Box, ObjectState, yaw_off_axis_degrees
from tatc.home.types.facts import (
    COUNTER_APPLIANCE_TYPES,
    COUNTER_TYPE,
    FLOOR_COVERING_TYPES,
    FRONT_TYPES,
    SINK_TYPES,
)

ASKEW_SINK_SHARE = 0.5
"""The share of a sink's box, each way, that is sink even where the sink stands askew."""
DEFAULT_COUNTER_OVERHANG_METRES = 0.02
"""How far counters overhang their fronts where it cannot be measured, metres."""
MAX_COUNTER_OVERHANG_METRES = 0.08
MIN_LEG_DEPTH_METRES, MAX_LEG_DEPTH_METRES = 0.4, 1.1
"""The least and the greatest distance of a front from the back of its leg, metres."""
MAX_COUNTER_SKEW_DEGREES = 2.0
"""A counter turned by more degrees than this is taken to fill its box."""


@dataclass(frozen=True, slots=True)
class FrontedCounters:
    """The counters of a room and their lines of fronts, by the counters' object indices.

    `overhang` is how far counters overhang their fronts, metres; `things` are the footprints of
    what lies on each counter.
    """

    counters: Mapping[int, Box]
    front_lines: Mapping[int, Sequence[Front]]
    overhang: float
    things: Mapping[int, Sequence[Rect]]

    def floor_before_fronts(self, i: int) -> Iterator[Corners]:
        """Yield the corners of each piece of floor that counter i's box covers."""
        for front in self.front_lines[i]:
            if not 0 <= front.box_overhang(self.counters[i]) <= MAX_COUNTER_OVERHANG_METRES:
                yield _floor_before_front(front, self.front_lines[i], self.overhang)

    def gaps_in_board(self, i: int) -> Iterator[Corners]:
        """Yield the corners of each piece of floor over which counter i has no board.

        Where a thing lies over one, the counter's doors do not show where its board ends: it has
        no gaps then.
        """
        pieces = list(self.floor_before_fronts(i))
        if not any(
            _rect_between(piece).contains_center_of(thing)
            for piece in pieces
            for thing in self.things[i]
        ):
            yield from pieces

    def leg_depths(self, i: int) -> Mapping[SideAxes, float]:
        """Return how deep counter i is along the sides of its box that fronts face away from."""
        low, high = self.counters[i].bounds()
        found: dict[SideAxes, float] = {}
        for front in self.front_lines[i]:
            back = (low if front.sign > 0 else high)[front.axis]
            deep = (front.face - back) * front.sign + self.overhang
            side = front.along, front.axis, front.sign
            if MIN_LEG_DEPTH_METRES < deep < MAX_LEG_DEPTH_METRES:
                found[side] = max(deep, found.get(side, 0.0))
        return found

    def worktop_over_fronts(self, i: int) -> Iterator[Corners]:
        """Yield the corners of each part of counter i that lies above its fronts."""
        for front in self.front_lines[i]:
            deep = (front.back - front.face) * front.sign
            yield front.corners((deep, self.overhang), (front.first, front.last))


def find_fronted_counters(objects: Sequence[ObjectState], room: WallBounds) -> FrontedCounters:
    """Return the counters of a room that are aligned with the world's axes."""
    counters = {
        i: obj.box
        for i, obj in enumerate(objects)
        if obj.objectType in FLOOR_COVERING_TYPES and _is_axis_aligned(obj.box)
    }
    found = _find_front_lines(objects, counters, room)
    overhang = _measured_overhang(counters, found)
    return FrontedCounters(counters, found, overhang, {i: _things_on(i, objects) for i in counters})


def floor_cutouts(objects: Sequence[ObjectState]) -> tuple[tuple[Rect, ...], ...]:
    """Return for each object the floor before doors that its box covers, seen from above.

    An object has none unless it is a counter.
    """
    extent = floor_extent(objects)
    fronts = find_fronted_counters(objects, estimate_walls(objects, *extent)) if extent else None
    return tuple(
        tuple(map(_rect_between, fronts.gaps_in_board(i)))
        if fronts is not None and i in fronts.counters and obj.objectType == COUNTER_TYPE
        else ()
        for i, obj in enumerate(objects)
    )


def _things_on(i: int, objects: Sequence[ObjectState]) -> list[Rect]:
    """Return the footprints of the objects that lie on object i."""
    parent = objects[i].objectId
    return [footprint_of(obj) for obj in objects if parent in (obj.parentReceptacles or ())]


def _rect_between(corners: Corners) -> Rect:
    """Return the rectangle between two corners, seen from above."""
    low, high = corners
    return Rect(low[0], low[2], high[0], high[2])


def is_point_over_box(box: Box, point: tuple[float, float]) -> bool:
    """Return whether a point (x, z) lies above, in or below a box."""
    low, high = box.bounds()
    return low[0] <= point[0] <= high[0] and low[2] <= point[1] <= high[2]


def _is_axis_aligned(box: Box) -> bool:
    """Return whether a box is aligned with the world's axes, within recording accuracy."""
    return abs(yaw_off_axis_degrees(box.yaw)) < MAX_COUNTER_SKEW_DEGREES


def _find_front_lines(
    objects: Sequence[ObjectState], counters: Mapping[int, Box], room: WallBounds
) -> Mapping[int, list[Front]]:
    """Return the lines of doors and drawers below each counter, by its index."""
    highest = max((box.bounds()[1][1] for box in counters.values()), default=0.0)
    below = [
        obj for obj in objects if obj.objectType in FRONT_TYPES and obj.box.center[1] < highest
    ]
    stops = [_filled_box(obj) for obj in objects if obj.objectType in COUNTER_APPLIANCE_TYPES]
    by_size = sorted(counters, key=lambda i: footprint_area(counters[i]))
    found: dict[int, list[Front]] = {i: [] for i in counters}
    for front in find_fronts(below, stops, room):
        owner = next((i for i in by_size if is_point_over_box(counters[i], front.middle)), None)
        if owner is not None:
            found[owner].append(front)
    blocks = [*(obj.box for obj in below), *stops]
    return {i: join_fronts(fronts, blocks) for i, fronts in found.items()}


def _filled_box(appliance: ObjectState) -> Box:
    """Return the part of an appliance's box into which no door opens."""
    box = appliance.box
    if appliance.objectType not in SINK_TYPES:
        return box
    width, height, depth = box.size
    return replace(box, size=(ASKEW_SINK_SHARE * width, height, ASKEW_SINK_SHARE * depth))


def _measured_overhang(counters: Mapping[int, Box], fronts: Mapping[int, Sequence[Front]]) -> float:
    """Return how far the counters of a room overhang their doors and drawers, metres."""
    gaps = [front.box_overhang(box) for i, box in counters.items() for front in fronts[i]]
    near = [max(0.0, gap) for gap in gaps if -0.01 <= gap <= MAX_COUNTER_OVERHANG_METRES]
    return min(near, default=DEFAULT_COUNTER_OVERHANG_METRES)


def _floor_before_front(front: Front, fronts: Sequence[Front], overhang: float) -> Corners:
    """Return the corners of the floor in front of a front.

    In the corner of an L, the floor ends at the front of the other leg.
    """
    first, last = front.first - FRAME_MARGIN_METRES, front.last + FRAME_MARGIN_METRES
    middle = (front.first + front.last) / 2
    for other in fronts:
        if other.axis == front.along and (middle - other.face) * other.sign > 0:
            edge = other.face + other.sign * overhang
            first, last = (
                (max(first, edge), last)
                if other.sign > 0
                else (first, min(last, edge))
            )  # fmt: skip
    return front.corners((overhang, max(overhang, front.free_depth)), (first, last))


def footprint_area(box: Box) -> float:
    """Return the area of a box's footprint along its own axes, in square metres."""
    return box.size[0] * box.size[2]
