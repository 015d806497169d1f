"""Test whether two boxes overlap; each box may be turned about its vertical axis.

When an object is put down, boxes of a few sizes and yaws are tried at many places.
`FootprintTest` works out only once what does not depend on the place.  So does `EllipseTest`,
for round objects, which do not fill the corners of their boxes.
"""

from collections.abc import Sequence
from functools import cached_property
from math import hypot

from tatc.home.camera.solids import to_box_axes
from tatc.home.state import Box, Vec2, Vec3, yaw_sin_cos
from tatc.home.type_facts import TOUCHING_TOLERANCE_METRES


class FootprintTest:
    """Tests whether boxes of one size and yaw overlap a fixed box, seen from above."""

    def __init__(self, size: Vec3, yaw: float, fixed: Box) -> None:
        """Take the size and yaw of the boxes, and the fixed box."""
        self._size, self._yaw, self._fixed = size, yaw, fixed
        self._x, _, self._z = fixed.center
        self._apart_squared = (circumradius(size) + circumradius(fixed.size)) ** 2

    def overlaps(self, x: float, z: float) -> bool:
        """Return whether a box with its centre at x, z overlaps the fixed box."""
        dx, dz = self._x - x, self._z - z
        if dx * dx + dz * dz >= self._apart_squared:
            return False  # the common case, and cheaper to find than a separating axis
        # A loop, because this is the innermost test of placing: a generator doubles its time.
        for ax, az, apart in self._axes:
            if abs(dx * ax + dz * az) >= apart:
                return False
        return True

    @cached_property
    def _axes(self) -> tuple[tuple[float, float, float], ...]:
        """Each axis (x, z), and the distance of the centres along it that keeps boxes apart."""
        fixed = self._fixed
        own, its = _horizontal_axes(self._yaw), _horizontal_axes(fixed.yaw)
        axes: list[tuple[float, float, float]] = []
        for axis in own + its:
            half = _half_extent_along(self._size, own, axis)
            reach = half + _half_extent_along(fixed.size, its, axis)
            axes.append((*axis, reach - TOUCHING_TOLERANCE_METRES))
        return tuple(axes)


class EllipseTest(FootprintTest):
    """Tests whether boxes of one size and yaw overlap the ellipse in a fixed box, from above."""

    def overlaps(self, x: float, z: float) -> bool:
        """Return whether a box with its centre at x, z overlaps the ellipse."""
        if not super().overlaps(x, z):
            return False
        along, across = to_box_axes(self._fixed, (x, 0.0, z))
        if hypot(2 * along / self._fixed.size[0], 2 * across / self._fixed.size[2]) < 1.0:
            return True  # the middle is in the ellipse
        corners = self._corners_in_ellipse_frame(x, z)
        sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
        turns = [px * (qz - pz) - pz * (qx - px) for (px, pz), (qx, qz) in sides]
        within = min(turns) >= 0.0 or max(turns) <= 0.0
        return within or any(_origin_to_segment_distance(p, q) < 1.0 for p, q in sides)

    @cached_property
    def _corners(self) -> tuple[tuple[float, float, float, float], ...]:
        """Each corner, less a touch, from the centre: two summands for x and two for z."""
        (ux, uz), (vx, vz) = _horizontal_axes(self._yaw)
        half_width = max(self._size[0] / 2 - TOUCHING_TOLERANCE_METRES, 0.0)
        half_depth = max(self._size[2] / 2 - TOUCHING_TOLERANCE_METRES, 0.0)
        return tuple(
            (i * half_width * ux, j * half_depth * vx, i * half_width * uz, j * half_depth * vz)
            for i, j in ((1, 1), (1, -1), (-1, -1), (-1, 1))
        )

    def _corners_in_ellipse_frame(self, x: float, z: float) -> list[Vec2]:
        """Return a box's corners in the frame in which the ellipse is a unit circle."""
        (px, pz), (qx, qz) = _horizontal_axes(self._fixed.yaw)
        half_width, half_depth = self._fixed.size[0] / 2, self._fixed.size[2] / 2
        dx, dz = x - self._x, z - self._z
        found: list[Vec2] = []
        for along_x, across_x, along_z, across_z in self._corners:
            cx, cz = dx + along_x + across_x, dz + along_z + across_z
            found.append(((cx * px + cz * pz) / half_width, (cx * qx + cz * qz) / half_depth))
        return found


def boxes_overlap(a: Box, b: Box) -> bool:
    """Return whether two boxes overlap by more than a touch."""
    x, y, z = a.center
    return heights_overlap(y, a.size[1], b) and FootprintTest(a.size, a.yaw, b).overlaps(x, z)


def heights_overlap(y: float, height: float, box: Box) -> bool:
    """Return whether a height, with its middle at `y`, overlaps a box's by more than a touch."""
    return abs(y - box.center[1]) < (height + box.size[1]) / 2 - TOUCHING_TOLERANCE_METRES


def _origin_to_segment_distance(p: Vec2, q: Vec2) -> float:
    (px, pz), dx, dz = p, q[0] - p[0], q[1] - p[1]
    length = dx * dx + dz * dz
    share = -(px * dx + pz * dz) / length if length else 0.0
    share = min(max(share, 0.0), 1.0)
    return hypot(px + share * dx, pz + share * dz)


def _horizontal_axes(yaw: float) -> tuple[Vec2, Vec2]:
    sine, cosine = yaw_sin_cos(yaw)
    return (cosine, -sine), (sine, cosine)


def circumradius(size: Vec3) -> float:
    """Return the radius of the circle around a footprint."""
    return hypot(size[0], size[2]) / 2


def _half_extent_along(size: Vec3, axes: Sequence[Vec2], axis: Vec2) -> float:
    (ax, az), (bx, bz) = axes
    along = abs(ax * axis[0] + az * axis[1]) * size[0]
    return (along + abs(bx * axis[0] + bz * axis[1]) * size[2]) / 2
