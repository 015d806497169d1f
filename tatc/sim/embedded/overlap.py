"""Whether two boxes, each turned about its upright, share room.

What is round fills less of its box than the box says: `in_pillar` asks whether a box
reaches into the upright pillar on the ellipse within another box.
"""

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


def in_pillar(a: Box, b: Box) -> bool:
    """Return whether a box shares room with the elliptic pillar in another box."""
    if not overlap(a, b):
        return False
    corners = list(_corners_around(a, b))
    sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    turns = [px * (qz - pz) - pz * (qx - px) for (px, pz), (qx, qz) in sides]
    within = min(turns) >= 0.0 or max(turns) <= 0.0
    return within or any(_from_middle(p, q) < 1.0 for p, q in sides)


def _corners_around(a: Box, b: Box) -> Iterator[Axis]:
    """Yield the corners of a footprint in the frame where b's ellipse is a unit circle.

    The footprint is smaller by the gap that only touches.
    """
    (ux, uz), (vx, vz) = _axes(a.yaw)
    half = max(a.size[0] / 2 - GAP, 0.0), max(a.size[2] / 2 - GAP, 0.0)
    dx, dz = a.center[0] - b.center[0], a.center[2] - b.center[2]
    for i, j in ((1, 1), (1, -1), (-1, -1), (-1, 1)):
        along, across = i * half[0], j * half[1]
        x, z = dx + along * ux + across * vx, dz + along * uz + across * vz
        (px, pz), (qx, qz) = _axes(b.yaw)
        yield (x * px + z * pz) / (b.size[0] / 2), (x * qx + z * qz) / (b.size[2] / 2)


def _from_middle(p: Axis, q: Axis) -> float:
    """Return how far the stretch from p to q is from the origin."""
    (px, pz), dx, dz = p, q[0] - p[0], q[1] - p[1]
    length = dx * dx + dz * dz
    share = -(px * dx + pz * dz) / length if length else 0.0
    share = min(max(share, 0.0), 1.0)
    return hypot(px + share * dx, pz + share * dz)


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
