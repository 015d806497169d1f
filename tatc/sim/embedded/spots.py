"""Where and how AI2-THOR tries a thing that is put down, in its order.

The facts are those of AI2-THOR 3.1.0 and of where things stood at the end of recorded
sessions.  A receptacle's area is cut in eight each way; a thing's position goes to one
of the 7 x 7 points within, the one nearest to the clicked point first.  At each point
the thing is turned like the receptacle, then on by quarters; what need not stand
upright is then laid on its other sides.  The first way that meets nothing counts: if
the thing sticks out of the area that way, the point is given up for the next.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import ceil, hypot, inf

from tatc.sim.maps.lattice import PARTS
from tatc.sim.rigid import rotated
from tatc.sim.surfaces import Surface
from tatc.state import Box, ObjectState, Vec3, turned

FINE, COARSE = 0.02, 0.05
"""Spacing of the points tried on a small and on a large surface of unknown areas."""
SMALL = 0.6
FAR = 0.6
"""How far from the click points of unknown areas are tried along each axis, metres."""
ROUNDING = 1e-6
"""What is no more than this beyond an area's edge is not, metres."""
LYING = frozenset(
    {
        "Apple",
        "BreadSliced",
        "ButterKnife",
        "CellPhone",
        "Cloth",
        "DishSponge",
        "Egg",
        "Fork",
        "Knife",
        "Ladle",
        "Lettuce",
        "LettuceSliced",
        "Newspaper",
        "PaperTowelRoll",
        "Pen",
        "Pencil",
        "Pillow",
        "Potato",
        "PotatoSliced",
        "Spatula",
        "Spoon",
        "TissueBox",
        "Tomato",
        "TomatoSliced",
        "Watch",
        "WateringCan",
        "WineBottle",
    }
)
"""Types that are laid on their sides where there is no room for them upright."""
_STRAIGHT = 1.0  # degrees that a box may be off its object's axes


@dataclass(frozen=True, slots=True)
class Stance:
    """One way to stand: turn and size of the box, and where its middle is.

    `offset` leads from the object's position to the box's middle, along the world's
    axes; `rotation` is the object's.
    """

    rotation: Vec3
    yaw: float
    size: Vec3
    offset: Vec3

    def box_at(self, x: float, bottom: float, z: float) -> Box:
        """Return the box with the object's position at x, z and its bottom here."""
        dx, _, dz = self.offset
        return Box((x + dx, bottom + self.size[1] / 2, z + dz), self.size, self.yaw)


def stances(thing: ObjectState, turn: float) -> tuple[Stance, ...]:
    """Return the ways in which a thing is tried on a receptacle turned by `turn`."""
    size, offset, off = upright(thing)
    ways = [_stance(size, offset, off, (turn + k * 90.0) % 360.0) for k in range(4)]
    if thing.objectType in LYING and off == 0.0:
        for k in range(4):
            yaw = (turn + k * 90.0) % 360.0
            for rolled, lain, shift in _lain(size, offset):
                (dx, _, dz) = rotated(shift, yaw)
                rotation = (rolled[0], yaw, rolled[1])
                ways.append(Stance(rotation, yaw, lain, (dx, shift[1], dz)))
    return tuple(ways)


def _stance(size: Vec3, offset: Vec3, off: float, yaw: float) -> Stance:
    return Stance((0.0, yaw, 0.0), (yaw + off) % 360.0, size, rotated(offset, yaw))


def upright(thing: ObjectState) -> tuple[Vec3, Vec3, float]:
    """Return a thing's size, its middle's offset and its box's turn, in its own axes.

    The size is that of the thing when it stands upright; the turn is that of a box that
    is not squared to its thing, 0 for all others.
    """
    off = (thing.box.yaw - thing.rotation[1]) % 360.0
    quarter = round(off / 90.0)
    width, height, depth = thing.box.size
    if abs(off - quarter * 90.0) < _STRAIGHT:
        if quarter % 2:
            width, depth = depth, width
        off = 0.0
    (x, y, z), (px, py, pz) = thing.box.center, thing.position
    offset = rotated((x - px, y - py, z - pz), -thing.rotation[1] % 360.0)
    if off == 0.0:
        size, offset = _stood_up(thing.rotation, (width, height, depth), offset)
        return size, offset, off
    return (width, height, depth), offset, off


def _stood_up(rotation: Vec3, size: Vec3, offset: Vec3) -> tuple[Vec3, Vec3]:
    """Return size and offset of a thing that may lie on a side, when it is upright."""
    (width, height, depth), (x, y, z) = size, offset
    pitch, roll = (round(angle / 90.0) % 4 for angle in (rotation[0], rotation[2]))
    if pitch % 2:
        return (width, depth, height), ((x, z, -y) if pitch == 1 else (x, -z, y))
    if roll % 2:
        return (height, width, depth), ((y, -x, z) if roll == 1 else (-y, x, z))
    return size, offset


def _lain(size: Vec3, offset: Vec3) -> Iterator[tuple[tuple[float, float], Vec3, Vec3]]:
    """Yield pitch and roll, size and offset of a thing laid on each of its sides."""
    (width, height, depth), (x, y, z) = size, offset
    yield (90.0, 0.0), (width, depth, height), (x, -z, y)
    yield (180.0, 0.0), size, (x, -y, -z)
    yield (270.0, 0.0), (width, depth, height), (x, z, -y)
    yield (0.0, 90.0), (height, width, depth), (-y, x, z)
    yield (0.0, 180.0), size, (-x, -y, z)
    yield (0.0, 270.0), (height, width, depth), (y, -x, z)


def points(surface: Surface, click: Vec3) -> Iterator[tuple[float, float]]:
    """Yield where a thing's position may go: world x, z, nearest to the click first."""
    sine, cosine = turned(surface.yaw)
    dx, dz = click[0] - surface.x, click[2] - surface.z
    clicked = dx * cosine - dz * sine, dx * sine + dz * cosine
    near = _lattice if surface.lattice else _any_points
    for along, across in near(surface.size, clicked):
        yield (
            surface.x + along * cosine + across * sine,
            surface.z - along * sine + across * cosine,
        )


def _lattice(
    size: tuple[float, float], clicked: tuple[float, float]
) -> list[tuple[float, float]]:
    half = PARTS // 2
    steps = range(1 - half, half)
    found = [(i * size[0] / PARTS, j * size[1] / PARTS) for i in steps for j in steps]
    return sorted(found, key=lambda p: _squared(p[0] - clicked[0], p[1] - clicked[1]))


def _squared(a: float, b: float) -> float:
    return a * a + b * b


def _any_points(
    size: tuple[float, float], clicked: tuple[float, float]
) -> Iterator[tuple[float, float]]:
    half = size[0] / 2, size[1] / 2
    along, across = _clamp(clicked[0], half[0]), _clamp(clicked[1], half[1])
    step = FINE if max(size) < SMALL else COARSE
    for i, j in _offsets(ceil(FAR / step)):
        a, b = along + i * step, across + j * step
        if abs(a) <= half[0] and abs(b) <= half[1]:
            yield a, b


@cache
def _offsets(reach: int) -> tuple[tuple[int, int], ...]:
    """Return grid offsets up to a reach, nearest first, in one fixed order."""
    span = range(-reach, reach + 1)
    return tuple(
        sorted(
            ((i, j) for i in span for j in span),
            key=lambda o: (o[0] * o[0] + o[1] * o[1], o),
        )
    )


def within(surface: Surface, box: Box, wall: float = 0.0) -> bool:
    """Whether a box seen from above lies on a surface, off walls of a thickness."""
    if surface.radius < inf and _farthest(surface, box) > surface.radius:
        return False
    sine, cosine = turned((box.yaw - surface.yaw) % 360.0)
    width, _, depth = box.size
    along = (abs(cosine) * width + abs(sine) * depth) / 2
    across = (abs(sine) * width + abs(cosine) * depth) / 2
    sine, cosine = turned(surface.yaw)
    dx, dz = box.center[0] - surface.x, box.center[2] - surface.z
    return (
        abs(dx * cosine - dz * sine) + along <= surface.size[0] / 2 - wall + ROUNDING
        and abs(dx * sine + dz * cosine) + across
        <= surface.size[1] / 2 - wall + ROUNDING
    )


def _farthest(surface: Surface, box: Box) -> float:
    """Return how far a box's corners are from a surface's middle, seen from above."""
    sine, cosine = turned(box.yaw)
    dx, dz = surface.x - box.center[0], surface.z - box.center[2]
    along, across = dx * cosine - dz * sine, dx * sine + dz * cosine
    return hypot(abs(along) + box.size[0] / 2, abs(across) + box.size[2] / 2)


def _clamp(value: float, half: float) -> float:
    return min(max(value, -half), half)
