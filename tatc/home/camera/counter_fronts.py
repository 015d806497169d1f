"""Fronts of counters: lines of doors and drawers, and the floor in front of them.

The box of a counter covers floor too.  A door or drawer needs room to open, so it shows on which
side of a counter people walk, and where its edge runs to the centimetre.  A box does not say which
way a door faces, but a cabinet's position marks its hinge.  Any other door is taken to face the way
that most others on the same line could face, and among those the way with the most free floor.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tatc.home import type_facts as facts
from tatc.home.camera.door_geometry import sides_at_hinge
from tatc.home.camera.room_bounds import WallBounds, estimate_walls, floor_extent
from tatc.home.camera.solids import Rect, footprint_of
from tatc.home.state import Box, ObjectState, Vec3, kept_by_shape, parts_of, yaw_off_axis_degrees

Corners = tuple[Vec3, Vec3]  # the lowest and the highest corner of a box
SideAxes = tuple[int, int, int]
"""A side of a box: the axis along it, the axis into the box, and its direction (1 or -1)."""

LINE_TOLERANCE_METRES = 0.035  # the faces of doors in one line differ by at most this, metres
_MIN_JUT_METRES = LINE_TOLERANCE_METRES + 0.1  # what juts out farther between doors parts them
MAX_DOOR_GAP_METRES = 2.5
"""The widest gap between doors of one line, metres: room for a dishwasher, stove or sink."""
MIN_DOOR_CLEARANCE_METRES = 0.45  # there is at least this much room in front of a door, metres
MAX_FREE_DEPTH_METRES = 3.0  # free floor in front of a door is measured up to this distance, metres
FRAME_MARGIN_METRES = 0.06  # how far the front of a line extends beyond its last door, metres
MIN_COVERED_WIDTH_METRES = 0.03
"""An object that covers less of a door's width than this is not in front of it, metres."""
ASKEW_SINK_SHARE = 0.5
"""The share of a sink's box, each way, that is sink even where the sink stands askew."""
DEFAULT_COUNTER_OVERHANG_METRES = 0.02
"""How far counters overhang their fronts where it cannot be measured, metres."""
MAX_COUNTER_OVERHANG_METRES = 0.08
_FLUSH_TOLERANCE_METRES = 0.01  # a counter that ends so little behind its fronts is flush with them
MIN_LEG_DEPTH_METRES, MAX_LEG_DEPTH_METRES = 0.4, 1.1
"""The least and the greatest distance of a front from the back of its leg, metres."""
MAX_COUNTER_SKEW_DEGREES = 2.0
"""A counter turned by more degrees than this is taken to fill its box."""
_FACING_DIRECTIONS = ((0, 1), (0, -1), (2, 1), (2, -1))


@dataclass(frozen=True, slots=True)
class Front:
    """One door, or a line of doors, that faces up (`sign` 1) or down (-1) an axis.

    Axis 0 is x and axis 2 is z, as in a point.  `face` and `back` are coordinates on that
    axis, `first` and `last` on the other.  `free_depth` is how far the floor in front of
    it is free.  All in metres.
    """

    axis: int
    sign: int
    face: float
    back: float
    first: float
    last: float
    free_depth: float

    @property
    def along(self) -> int:
        """The axis along the front."""
        return 2 - self.axis

    @property
    def middle(self) -> tuple[float, float]:
        """The x and z of its middle."""
        deep, wide = (self.face + self.back) / 2, (self.first + self.last) / 2
        return (deep, wide) if self.axis == 0 else (wide, deep)

    def box_overhang(self, box: Box) -> float:
        """Return how far the box reaches beyond this front's face on its side, metres."""
        low, high = box.bounds()
        return ((high if self.sign > 0 else low)[self.axis] - self.face) * self.sign

    def rect(self, ahead: tuple[float, float], along: tuple[float, float]) -> Rect:
        """Return the rectangle over a range of metres ahead of the face and one along the front."""
        a, b = sorted(self.face + self.sign * far for far in ahead)
        first, last = along
        return Rect(a, first, b, last) if self.axis == 0 else Rect(first, a, last, b)

    def is_in_line_with(self, other: "Front") -> bool:
        """Return whether both fronts face the same way and lie on one line."""
        same_direction = (self.axis, self.sign) == (other.axis, other.sign)
        return same_direction and abs(self.face - other.face) <= LINE_TOLERANCE_METRES


def find_fronts(
    doors: Sequence[ObjectState], stops: Sequence[Box], room: WallBounds
) -> list[Front]:
    """Return the front of each door or drawer that has room in front of it.

    `stops` are the boxes of other objects that nobody walks through.
    """
    boxes = [door.box.bounds() for door in doors]
    others = [*boxes, *(box.bounds() for box in stops)]
    paths = [
        _facing_hinge(door, tuple(_possible_fronts(box, others, room)))
        for door, box in zip(doors, boxes, strict=True)
    ]

    def company(front: Front) -> int:
        return sum(any(front.is_in_line_with(one) for one in path) for path in paths)

    return [max(path, key=lambda one: (company(one), one.free_depth)) for path in paths if path]


def join_fronts(fronts: Sequence[Front], stops: Sequence[Box]) -> list[Front]:
    """Return the fronts joined into lines, except where one of `stops` juts out between two.

    A line takes the face of the doors that jut out least: the others block the body themselves.
    """
    boxes = [box.bounds() for box in stops]
    found: list[Front] = []
    for front in sorted(fronts, key=lambda f: (f.axis, f.sign, f.first, f.last)):
        for i, line in enumerate(found):
            if line.is_in_line_with(front) and _can_join(line, front, boxes):
                pick = min if line.sign > 0 else max
                found[i] = replace(
                    line,
                    face=pick(line.face, front.face),
                    back=pick(line.back, front.back),
                    first=min(line.first, front.first),
                    last=max(line.last, front.last),
                    free_depth=min(line.free_depth, front.free_depth),
                )
                break
        else:
            found.append(front)
    return found


def _possible_fronts(box: Corners, others: Sequence[Corners], room: WallBounds) -> Iterator[Front]:
    low, high = box
    for axis, sign in _FACING_DIRECTIONS:
        face, back = (high[axis], low[axis])[::sign]
        first, last = low[2 - axis], high[2 - axis]
        path = Front(axis, sign, face, back, first, last, MAX_FREE_DEPTH_METRES)
        free = _measure_free_depth(path, box, others, room)
        if free >= MIN_DOOR_CLEARANCE_METRES:
            yield replace(path, free_depth=free)


def _facing_hinge(door: ObjectState, fronts: tuple[Front, ...]) -> tuple[Front, ...]:
    """Return the front on the likeliest side of a cabinet's hinge; all if no hinge shows."""
    sides = sides_at_hinge(door) if door.box.yaw == 0.0 else ()
    if not sides:
        return fronts
    ways = [(2 * side.axis, side.sign) for side in sides]
    marked = [front for way in ways for front in fronts if (front.axis, front.sign) == way]
    return tuple(marked[:1])


def _measure_free_depth(
    front: Front, box: Corners, others: Sequence[Corners], room: WallBounds
) -> float:
    """Return the distance from a door's face to the next object or wall, metres."""
    wall = room[1 if front.sign > 0 else 0][front.axis // 2]
    axis, along, sign, face = front.axis, front.along, front.sign, front.face
    free = min(MAX_FREE_DEPTH_METRES, (wall - face) * sign)
    for other in others:
        low, high = other
        width = min(high[along], front.last) - max(low[along], front.first)
        if width < MIN_COVERED_WIDTH_METRES or other == box:
            continue
        near, far = (low[axis] - face) * sign, (high[axis] - face) * sign
        if max(near, far) > MIN_COVERED_WIDTH_METRES:
            free = min(free, max(min(near, far), 0.0))
    return free


def _can_join(line: Front, front: Front, stops: Sequence[Corners]) -> bool:
    if front.first - line.last > MAX_DOOR_GAP_METRES:
        return False
    axis, along, sign, face = line.axis, line.along, line.sign, line.face
    for low, high in stops:
        if min(high[along], front.first) - max(low[along], line.last) > MIN_COVERED_WIDTH_METRES:
            one, other = (low[axis] - face) * sign, (high[axis] - face) * sign
            if max(one, other) > _MIN_JUT_METRES and min(one, other) < MIN_DOOR_CLEARANCE_METRES:
                return False
    return True


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

    def floor_before_fronts(self, i: int) -> Iterator[Rect]:
        """Yield each piece of floor that counter i's box covers."""
        for front in self.front_lines[i]:
            if not 0 <= front.box_overhang(self.counters[i]) <= MAX_COUNTER_OVERHANG_METRES:
                yield _floor_before_front(front, self.front_lines[i], self.overhang)

    def gaps_in_board(self, i: int) -> Iterator[Rect]:
        """Yield the floor over which counter i has no board; nothing if a thing lies over any."""
        rects, things = list(self.floor_before_fronts(i)), self.things[i]
        if not any(rect.contains_center_of(thing) for rect in rects for thing in things):
            yield from rects

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

    def worktop_over_fronts(self, i: int) -> Iterator[Rect]:
        """Yield each part of counter i that lies above its fronts."""
        for front in self.front_lines[i]:
            deep = (front.back - front.face) * front.sign
            yield front.rect((deep, self.overhang), (front.first, front.last))


@kept_by_shape
def find_fronted_counters(objects: Sequence[ObjectState], room: WallBounds) -> FrontedCounters:
    """Return the counters of a room that are aligned with the world's axes."""
    counters = _aligned_counters(objects)
    lines = dict(zip(counters, _find_front_lines(parts_of(objects).fixtures, room), strict=True))
    gaps = [front.box_overhang(box) for i, box in counters.items() for front in lines[i]]
    low, high = -_FLUSH_TOLERANCE_METRES, MAX_COUNTER_OVERHANG_METRES
    near = [max(0.0, gap) for gap in gaps if low <= gap <= high]
    overhang = min(near, default=DEFAULT_COUNTER_OVERHANG_METRES)
    ids = {i: objects[i].objectId for i in counters}
    things = {
        i: [footprint_of(obj.box) for obj in objects if name in (obj.parentReceptacles or ())]
        for i, name in ids.items()
    }
    return FrontedCounters(counters, lines, overhang, things)


def _aligned_counters(objects: Sequence[ObjectState]) -> dict[int, Box]:
    return {
        i: obj.box
        for i, obj in enumerate(objects)
        if obj.objectType in facts.FLOOR_COVERING_TYPES
        and not obj.affordances.pickupable  # so that a room's fixtures have the same counters
        and abs(yaw_off_axis_degrees(obj.box.yaw)) < MAX_COUNTER_SKEW_DEGREES
    }


def floor_cutouts(objects: Sequence[ObjectState]) -> tuple[tuple[Rect, ...], ...]:
    """Return for each counter the floor before doors in its box, from above; () for the rest."""
    walls = estimate_walls(parts_of(objects).fixtures, *floor_extent(objects))
    fronts = find_fronted_counters(objects, walls)
    return tuple(
        tuple(fronts.gaps_in_board(i))
        if i in fronts.counters and obj.objectType == facts.COUNTER_TYPE
        else ()
        for i, obj in enumerate(objects)
    )


def is_point_over_box(box: Box, point: tuple[float, float]) -> bool:
    """Return whether a point (x, z) lies above, in or below a box."""
    low, high = box.bounds()
    return low[0] <= point[0] <= high[0] and low[2] <= point[1] <= high[2]


@kept_by_shape
def _find_front_lines(objects: Sequence[ObjectState], room: WallBounds) -> list[list[Front]]:
    """Return the lines of doors and drawers below each counter, in the counters' order."""
    counters = _aligned_counters(objects)
    highest = max((box.top for box in counters.values()), default=0.0)
    fronted = [obj for obj in objects if obj.objectType in facts.FRONT_TYPES]
    below = [obj for obj in fronted if obj.box.center[1] < highest]
    stops = [_filled_box(obj) for obj in objects if obj.objectType in facts.COUNTER_APPLIANCE_TYPES]
    by_size = sorted(counters, key=lambda i: counters[i].area)
    found: dict[int, list[Front]] = {i: [] for i in counters}
    for front in find_fronts(below, stops, room):
        owner = next((i for i in by_size if is_point_over_box(counters[i], front.middle)), None)
        if owner is not None:
            found[owner].append(front)
    blocks = [*(obj.box for obj in below), *stops]
    return [join_fronts(fronts, blocks) for fronts in found.values()]


def _filled_box(appliance: ObjectState) -> Box:
    """Return the part of an appliance's box into which no door opens."""
    share = ASKEW_SINK_SHARE if appliance.objectType in facts.SINK_TYPES else 1.0
    width, height, depth = appliance.box.size
    return replace(appliance.box, size=(share * width, height, share * depth))


def _floor_before_front(front: Front, fronts: Sequence[Front], overhang: float) -> Rect:
    """Return the floor before a front; in the corner of an L it ends at the other leg's front."""
    first, last = front.first - FRAME_MARGIN_METRES, front.last + FRAME_MARGIN_METRES
    middle = (front.first + front.last) / 2
    for other in fronts:
        if other.axis == front.along and (middle - other.face) * other.sign > 0:
            edge = other.face + other.sign * overhang
            if other.sign > 0:
                first = max(first, edge)
            else:
                last = min(last, edge)
    return front.rect((overhang, max(overhang, front.free_depth)), (first, last))
