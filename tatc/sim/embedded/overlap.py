"""Whether two boxes, each turned about its upright, share room."""

from collections.abc import Iterator
from math import hypot

from tatc.state import Box, turned

GAP = 0.002
"""How far two boxes may reach into one another and only touch, metres."""

Axis = tuple[float, float]


def overlap(a: Box, b: Box) -> bool:
    """Return whether two boxes share room, apart from touching."""
    if abs(a.center[1] - b.center[1]) >= (a.size[1] + b.size[1]) / 2 - GAP:
        return False
    apart = b.center[0] - a.center[0], b.center[2] - a.center[2]
    if hypot(*apart) >= _around(a) + _around(b):
        return False  # as most are: their corners' circles do not meet
    return all(_meet(a, b, apart, axis) for axis in _axes(a.yaw, b.yaw))


def _axes(*yaws: float) -> Iterator[Axis]:
    for yaw in yaws:
        sine, cosine = turned(yaw)
        yield (cosine, -sine)
        yield (sine, cosine)


def _around(box: Box) -> float:
    """Return the radius of the circle around a footprint."""
    return hypot(box.size[0], box.size[2]) / 2


def _extent(box: Box, axis: Axis) -> float:
    """Return half the length of a footprint's shadow on an axis."""
    (ax, az), (bx, bz) = _axes(box.yaw)
    along = abs(ax * axis[0] + az * axis[1]) * box.size[0]
    return (along + abs(bx * axis[0] + bz * axis[1]) * box.size[2]) / 2


def _meet(a: Box, b: Box, apart: tuple[float, float], axis: Axis) -> bool:
    off = abs(apart[0] * axis[0] + apart[1] * axis[1])
    return off < _extent(a, axis) + _extent(b, axis) - GAP
