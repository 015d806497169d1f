"""Parts that types of their own are made of: poles and shades, legs, backs, spouts."""

from tatc.camera.recipes import Body
from tatc.camera.sides import Side, length, own, world
from tatc.camera.solid import Solid, high_of, layer, low_of
from tatc.state import Box, Vec3, turned

SHADE, POLE, FOOT = 0.28, 0.04, 0.04
"""A lamp: how much of its height is shade; how thick its pole and its foot are."""
POT, CROWN = 0.4, 0.35
"""A plant: how much of its height is its pot, and the pot's share of its width."""
PIPE, PIPE_SHARE = 0.06, 0.3
"""A faucet: how thick its pipe is, metres, and how much of its height that is."""
SEAT, WIDE, BEFORE, TANK = 0.45, 0.46, 0.36, 0.24
"""A toilet, metres: how high its seat is, how wide it is, how far it reaches before its
middle, and how far behind the middle its tank begins."""
_ASIDE = 0.05  # metres that a position is from the middle before it tells of a back


def lamp(box: Box) -> list[Solid]:
    """Return a shade on a pole on a foot."""
    low, high = low_of(box), high_of(box)
    center, (width, height, depth) = box.center, box.size
    shade, foot = high - SHADE * height, low + FOOT
    pole = Box(center, (POLE, height, POLE), box.yaw)
    stand = Box(center, (width / 2, height, depth / 2), box.yaw)
    return [
        layer(box, shade, high, Body.TUBE),
        layer(pole, foot, shade, Body.TUBE),
        layer(stand, low, foot, Body.TUBE),
    ]


def plant(box: Box, crown: Box, position: Vec3) -> list[Solid]:
    """Return a pot that stands at a position, and the leaves over it."""
    low = low_of(box)
    brim = low + POT * box.size[1]
    wide = CROWN * min(box.size[0], box.size[2])
    pot = Box((position[0], box.center[1], position[2]), (wide, 1.0, wide), box.yaw)
    return [
        layer(crown, brim, high_of(box), Body.TUBE),
        layer(pot, low, brim, Body.TUBE),
    ]


def faucet(box: Box, position: Vec3) -> list[Solid]:
    """Return a pipe that stands at a position, and over it the box of spout and all."""
    low, high = low_of(box), high_of(box)
    spout = low + PIPE_SHARE * (high - low)
    pipe = Box((position[0], 0.0, position[2]), (PIPE, 1.0, PIPE), box.yaw)
    return [layer(box, spout, high), layer(pipe, low, spout)]


def toilet(box: Box, position: Vec3, turn: float, top: float) -> list[Solid]:
    """Return a seat, and the tank behind it whose upper side is at a height.

    Of the two toilets of AI2-THOR 3.1.0 one is wide and has its position before the
    middle of its box, the other looks along its own x.
    """
    low = low_of(box)
    offsets = own(box, position)
    axis = 0 if abs(offsets[0]) > abs(offsets[1]) else 1
    front = Side(axis, 1 if offsets[axis] > 0 else -1)
    if abs(offsets[axis]) < _ASIDE:
        sine, cosine = turned(round((turn - box.yaw) / 90.0) % 4 * 90.0)
        front = Side(0, -round(cosine)) if round(cosine) else Side(1, round(sine))
    aside = offsets[front.across]
    half = length(box, front.axis) / 2
    before, tank = min(BEFORE, half), min(TANK, half)

    def part(start: float, end: float, high: float) -> Solid:
        size = [WIDE, 1.0, WIDE]
        size[2 * front.axis] = end - start
        center = world(box, front, (start + end) / 2, aside)
        block = Box(center, (size[0], size[1], size[2]), box.yaw)
        return layer(block, low, max(high, low))

    back = min(half, 0.46)
    return [part(-tank, before, min(low + SEAT, top)), part(-back, -tank, top)]


def legs(box: Box, board: Solid, thick: float) -> list[Solid]:
    """Return four legs between the foot of a box and the board in it."""
    low, high = low_of(box), board.center[1] - board.size[1] / 2
    if high - low < thick:
        return []
    (x, _, z), (width, _, depth) = box.center, box.size
    sine, cosine = turned(box.yaw)
    u, w = (max(side - thick, 0.0) / 2 for side in (width, depth))
    size = (thick, high - low, thick)
    return [
        Solid(
            (
                x + a * u * cosine + b * w * sine,
                (low + high) / 2,
                z + b * w * cosine - a * u * sine,
            ),
            size,
            box.yaw,
        )
        for a in (-1, 1)
        for b in (-1, 1)
    ]


def core(box: Box, turn: float, share: float) -> Solid:
    """Return the solid back of a box whose object looks along a yaw."""
    (x, y, z), (width, height, depth) = box.center, box.size
    quarter = round((turn - box.yaw) / 90.0) % 4
    deep = width if quarter % 2 else depth
    sine, cosine = turned((box.yaw + 90.0 * quarter) % 360.0)
    back = (1.0 - share) * deep / 2
    size = (width, height, share * depth)
    if quarter % 2:
        size = (share * width, height, depth)
    return Solid((x - back * sine, y, z - back * cosine), size, box.yaw)
