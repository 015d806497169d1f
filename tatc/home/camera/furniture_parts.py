"""Parts of types with a special shape: poles and shades, legs, backs, spouts."""

from tatc.home.camera.shape_table import SolidShape
from tatc.home.camera.solids import (
    BoxSide,
    Solid,
    axis_length,
    bottom_height,
    box_layer,
    point_from_side,
    to_box_axes,
    top_height,
)
from tatc.home.state import Box, Vec3, yaw_sin_cos

LAMP_SHADE_SHARE, LAMP_POLE_METRES, LAMP_FOOT_METRES = 0.28, 0.04, 0.04
"""A lamp: the share of its height that is shade; its pole's and its foot's thickness."""
PLANT_POT_HEIGHT_SHARE, PLANT_POT_WIDTH_SHARE = 0.4, 0.35
"""A plant: the pot's share of its height, and the pot's share of its width."""
FAUCET_PIPE_METRES, FAUCET_PIPE_HEIGHT_SHARE = 0.06, 0.3
"""A faucet: its pipe's thickness, metres, and the pipe's share of its height."""
(TOILET_SEAT_HEIGHT_METRES, TOILET_WIDTH_METRES, TOILET_FRONT_METRES, TOILET_TANK_OFFSET_METRES) = (
    0.45,
    0.46,
    0.36,
    0.24,
)
"""A toilet, metres: the height of its seat, its width, how far it reaches in front of its
middle, and how far behind the middle its tank begins."""
# A position at least this far from the box's middle shows which side is the front.
_MIN_POSITION_OFFSET_METRES = 0.05


def lamp_solids(box: Box) -> list[Solid]:
    """Return a lamp: a shade on a pole on a foot."""
    low, high = bottom_height(box), top_height(box)
    center, (width, height, depth) = box.center, box.size
    shade, foot = high - LAMP_SHADE_SHARE * height, low + LAMP_FOOT_METRES
    pole = Box(center, (LAMP_POLE_METRES, height, LAMP_POLE_METRES), box.yaw)
    stand = Box(center, (width / 2, height, depth / 2), box.yaw)
    return [
        box_layer(box, shade, high, SolidShape.CYLINDER),
        box_layer(pole, foot, shade, SolidShape.CYLINDER),
        box_layer(stand, low, foot, SolidShape.CYLINDER),
    ]


def plant_solids(box: Box, crown: Box, position: Vec3) -> list[Solid]:
    """Return the leaves of a plant, and under them the pot that stands at `position`.

    `box` is the box of the whole plant, `crown` the box that the leaves are cut from.
    """
    low = bottom_height(box)
    brim = low + PLANT_POT_HEIGHT_SHARE * box.size[1]
    wide = PLANT_POT_WIDTH_SHARE * min(box.size[0], box.size[2])
    pot = Box((position[0], box.center[1], position[2]), (wide, 1.0, wide), box.yaw)
    return [
        box_layer(crown, brim, top_height(box), SolidShape.CYLINDER),
        box_layer(pot, low, brim, SolidShape.CYLINDER),
    ]


def faucet_solids(box: Box, position: Vec3) -> list[Solid]:
    """Return the box around spout and handles, and under it the pipe at `position`."""
    low, high = bottom_height(box), top_height(box)
    spout = low + FAUCET_PIPE_HEIGHT_SHARE * (high - low)
    pipe = Box(
        (position[0], 0.0, position[2]), (FAUCET_PIPE_METRES, 1.0, FAUCET_PIPE_METRES), box.yaw
    )
    return [box_layer(box, spout, high), box_layer(pipe, low, spout)]


def toilet_solids(box: Box, position: Vec3, turn: float, top: float) -> list[Solid]:
    """Return a toilet's seat, and the tank behind it, whose upper side is at height `top`.

    AI2-THOR 3.1.0 has two toilets.  One is wide and has its position in front of the
    middle of its box; the other faces along its own x.  `turn` is the object's yaw,
    degrees.
    """
    low = bottom_height(box)
    offsets = to_box_axes(box, position)
    axis = 0 if abs(offsets[0]) > abs(offsets[1]) else 1
    front = BoxSide(axis, 1 if offsets[axis] > 0 else -1)
    if abs(offsets[axis]) < _MIN_POSITION_OFFSET_METRES:
        sine, cosine = yaw_sin_cos(round((turn - box.yaw) / 90.0) % 4 * 90.0)
        front = BoxSide(0, -round(cosine)) if round(cosine) else BoxSide(1, round(sine))
    lateral_offset = offsets[front.along_axis]
    half = axis_length(box, front.axis) / 2
    before, tank = min(TOILET_FRONT_METRES, half), min(TOILET_TANK_OFFSET_METRES, half)

    def part(start: float, end: float, high: float) -> Solid:
        size = [TOILET_WIDTH_METRES, 1.0, TOILET_WIDTH_METRES]
        size[2 * front.axis] = end - start
        center = point_from_side(box, front, (start + end) / 2, lateral_offset)
        block = Box(center, (size[0], size[1], size[2]), box.yaw)
        return box_layer(block, low, max(high, low))

    back = min(half, 0.46)
    return [part(-tank, before, min(low + TOILET_SEAT_HEIGHT_METRES, top)), part(-back, -tank, top)]


def leg_solids(box: Box, board: Solid, thick: float) -> list[Solid]:
    """Return four legs, `thick` metres wide, from the bottom of a box up to the board in it.

    Empty if the board is lower than a leg is thick.
    """
    low, high = bottom_height(box), board.center[1] - board.size[1] / 2
    if high - low < thick:
        return []
    (x, _, z), (width, _, depth) = box.center, box.size
    sine, cosine = yaw_sin_cos(box.yaw)
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


def back_solid(box: Box, turn: float, share: float) -> Solid:
    """Return the solid back of a box whose object faces along the yaw `turn`, degrees.

    `share` is the part of the depth that is solid.
    """
    (x, y, z), (width, height, depth) = box.center, box.size
    quarter = round((turn - box.yaw) / 90.0) % 4
    deep = width if quarter % 2 else depth
    sine, cosine = yaw_sin_cos((box.yaw + 90.0 * quarter) % 360.0)
    back = (1.0 - share) * deep / 2
    size = (width, height, share * depth)
    if quarter % 2:
        size = (share * width, height, depth)
    return Solid((x - back * sine, y, z - back * cosine), size, box.yaw)
