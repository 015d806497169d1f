"""Fronts of counters: lines of doors and drawers, and the floor in front of them.

A door or drawer needs room to open, so there is floor in front of it.  This shows on
which side of a counter people walk, and where its edge runs to the centimetre.  A box
does not say which way a door faces, but the position of a cabinet marks its hinge.  Any
other door is taken to face the way that most others on the same line could face, and among
those the way with the most free floor.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tatc.home.camera.door_geometry import sides_at_hinge
from tatc.home.camera.room_bounds import WallBounds
from tatc.home.state import Box, ObjectState, Vec3

Corners = tuple[Vec3, Vec3]
"""The lowest and the highest corner of a box."""
SideAxes = tuple[int, int, int]
"""A side of a box: the axis along it, the axis into the box, and its direction (1 or -1)."""

LINE_TOLERANCE_METRES = 0.035
"""The faces of doors in one line differ by at most this, metres."""
MAX_DOOR_GAP_METRES = 2.5
"""The widest gap between doors of one line, metres: room for a dishwasher, stove or sink."""
MIN_DOOR_CLEARANCE_METRES = 0.45
"""There is at least this much room in front of a door, metres."""
MAX_FREE_DEPTH_METRES = 3.0
"""Free floor in front of a door is measured up to this distance, metres."""
FRAME_MARGIN_METRES = 0.06
"""How far the front of a line extends beyond its last door, metres."""
MIN_COVERED_WIDTH_METRES = 0.03
"""An object that covers less of a door's width than this is not in front of it, metres."""
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
        side = (high if self.sign > 0 else low)[self.axis]
        return (side - self.face) * self.sign

    def corners(self, ahead: tuple[float, float], along: tuple[float, float]) -> Corners:
        """Return a box's corners: a range of metres ahead of the face, a range along the front."""
        a, b = sorted(self.face + self.sign * far for far in ahead)
        low, high = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        low[self.axis], high[self.axis] = a, b
        low[self.along], high[self.along] = along
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])

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

    A line takes the face of the doors that jut out least, because those that jut out more
    block the body themselves.
    """
    boxes = [box.bounds() for box in stops]
    found: list[Front] = []
    for front in sorted(fronts, key=lambda f: (f.axis, f.sign, f.first, f.last)):
        for i, line in enumerate(found):
            if line.is_in_line_with(front) and _can_join(line, front, boxes):
                found[i] = _join(line, front)
                break
        else:
            found.append(front)
    return found


def _possible_fronts(box: Corners, others: Sequence[Corners], room: WallBounds) -> Iterator[Front]:
    """Yield a front for each way that a door could face."""
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
    marked = (
        front
        for side in sides
        for front in fronts
        if (front.axis, front.sign) == (2 * side.axis, side.sign)
    )
    return tuple(islice(marked, 1))


def _measure_free_depth(
    front: Front, box: Corners, others: Sequence[Corners], room: WallBounds
) -> float:
    """Return the distance from a door's face to the next object or wall, metres."""
    wall = room[1 if front.sign > 0 else 0][front.axis // 2]
    free = min(MAX_FREE_DEPTH_METRES, (wall - front.face) * front.sign)
    for other in others:
        low, high = other
        width = min(high[front.along], front.last) - max(low[front.along], front.first)
        if other == box or width < MIN_COVERED_WIDTH_METRES:
            continue
        near, far = sorted((corner[front.axis] - front.face) * front.sign for corner in (low, high))
        if far > MIN_COVERED_WIDTH_METRES:
            free = min(free, max(near, 0.0))
    return free


def _can_join(line: Front, front: Front, stops: Sequence[Corners]) -> bool:
    """Return whether a front continues a line: it is near enough, with nothing between."""
    if front.first - line.last > MAX_DOOR_GAP_METRES:
        return False
    for low, high in stops:
        width = min(high[line.along], front.first) - max(low[line.along], line.last)
        near, far = sorted((corner[line.axis] - line.face) * line.sign for corner in (low, high))
        if (
            width > MIN_COVERED_WIDTH_METRES
            and far > LINE_TOLERANCE_METRES + 0.1
            and near < MIN_DOOR_CLEARANCE_METRES
        ):
            return False
    return True


def _join(line: Front, front: Front) -> Front:
    pick = min if line.sign > 0 else max
    return replace(
        line,
        face=pick(line.face, front.face),
        back=pick(line.back, front.back),
        first=min(line.first, front.first),
        last=max(line.last, front.last),
        free_depth=min(line.free_depth, front.free_depth),
    )
