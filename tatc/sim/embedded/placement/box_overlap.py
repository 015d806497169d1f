"""Test whether two boxes overlap; each box may be turned about its vertical axis.

A round object does not fill the corners of its box.  `overlaps_inscribed_ellipse` tests a
box against the elliptic cylinder that fits into another box.
"""

from collections.abc import Iterator
from math import hypot

from tatc.state import Box, yaw_sin_cos

TOUCHING_TOLERANCE_METRES = 0.002
"""How far two boxes may reach into each other and still only touch, metres."""

PlanVector = tuple[float, float]


def boxes_overlap(a: Box, b: Box) -> bool:
    """Return whether two boxes overlap by more than a touch."""
    if abs(a.center[1] - b.center[1]) >= (a.size[1] + b.size[1]) / 2 - TOUCHING_TOLERANCE_METRES:
        return False
    offset = b.center[0] - a.center[0], b.center[2] - a.center[2]
    if hypot(*offset) >= _circumradius(a) + _circumradius(b):
        return False  # the common case, and cheaper to find than a separating axis
    return all(_overlap_along(a, b, offset, axis) for axis in _horizontal_axes(a.yaw, b.yaw))


def overlaps_inscribed_ellipse(a: Box, b: Box) -> bool:
    """Return whether box `a` overlaps the elliptic cylinder that fits into box `b`."""
    if not boxes_overlap(a, b):
        return False
    corners = list(_corners_in_ellipse_frame(a, b))
    sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    turns = [px * (qz - pz) - pz * (qx - px) for (px, pz), (qx, qz) in sides]
    within = min(turns) >= 0.0 or max(turns) <= 0.0
    return within or any(_origin_to_segment_distance(p, q) < 1.0 for p, q in sides)


def _corners_in_ellipse_frame(a: Box, b: Box) -> Iterator[PlanVector]:
    """Yield the corners of a's footprint in the frame in which b's ellipse is a unit circle.

    The footprint is shrunk by the depth that only counts as a touch.
    """
    (ux, uz), (vx, vz) = _horizontal_axes(a.yaw)
    half = (
        max(a.size[0] / 2 - TOUCHING_TOLERANCE_METRES, 0.0),
        max(a.size[2] / 2 - TOUCHING_TOLERANCE_METRES, 0.0),
    )
    dx, dz = a.center[0] - b.center[0], a.center[2] - b.center[2]
    for i, j in ((1, 1), (1, -1), (-1, -1), (-1, 1)):
        along, across = i * half[0], j * half[1]
        x, z = dx + along * ux + across * vx, dz + along * uz + across * vz
        (px, pz), (qx, qz) = _horizontal_axes(b.yaw)
        yield (x * px + z * pz) / (b.size[0] / 2), (x * qx + z * qz) / (b.size[2] / 2)


def _origin_to_segment_distance(p: PlanVector, q: PlanVector) -> float:
    """Return the distance of the segment from p to q from the origin."""
    (px, pz), dx, dz = p, q[0] - p[0], q[1] - p[1]
    length = dx * dx + dz * dz
    share = -(px * dx + pz * dz) / length if length else 0.0
    share = min(max(share, 0.0), 1.0)
    return hypot(px + share * dx, pz + share * dz)


def _horizontal_axes(*yaws: float) -> Iterator[PlanVector]:
    for yaw in yaws:
        sine, cosine = yaw_sin_cos(yaw)
        yield (cosine, -sine)
        yield (sine, cosine)


def _circumradius(box: Box) -> float:
    """Return the radius of the circle around a footprint."""
    return hypot(box.size[0], box.size[2]) / 2


def _half_extent_along(box: Box, axis: PlanVector) -> float:
    """Return half the length of a footprint's projection on an axis."""
    (ax, az), (bx, bz) = _horizontal_axes(box.yaw)
    along = abs(ax * axis[0] + az * axis[1]) * box.size[0]
    return (along + abs(bx * axis[0] + bz * axis[1]) * box.size[2]) / 2


def _overlap_along(a: Box, b: Box, offset: tuple[float, float], axis: PlanVector) -> bool:
    distance = abs(offset[0] * axis[0] + offset[1] * axis[1])
    return (
        distance
        < _half_extent_along(a, axis) + _half_extent_along(b, axis) - TOUCHING_TOLERANCE_METRES
    )
