"""Test the poses of a held object at many points of one surface.

What does not depend on the point is worked out once for each pose, when the pose is first
tried.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import hypot, inf

from tatc.sim.embedded.placement.obstacles import Obstacles
from tatc.sim.embedded.placement.placement_candidates import CandidatePose
from tatc.sim.embedded.placement.surface import Surface
from tatc.state import Vec3, yaw_sin_cos
from tatc.thor_types.placing_facts import BOUNDING_BOX_MARGIN_METRES, EDGE_TOLERANCE_METRES

HEADROOM_TOLERANCE_METRES = 0.03
"""How much higher than a surface's headroom an object may be, metres."""


class SurfacePoses:
    """The poses of an object on one surface, in the order in which they are tried."""

    def __init__(
        self, poses: Sequence[CandidatePose], surface: Surface, obstacles: Obstacles
    ) -> None:
        """Take the poses, the surface, and what is in the way on it."""
        headroom = surface.headroom + HEADROOM_TOLERANCE_METRES
        self._poses = [pose for pose in poses if pose.size[1] <= headroom]
        self._surface, self._obstacles = surface, obstacles
        self._tests: list[_PoseTest] = []

    def first_clear(self, x: float, z: float) -> "tuple[CandidatePose, bool] | None":
        """Return the first pose that meets neither an obstacle nor a wall, or None.

        The object's position is at x and z.  The second value says whether the object lies
        within the surface's edges, or sticks out over one.
        """
        for i, pose in enumerate(self._poses):
            if i == len(self._tests):
                self._tests.append(_PoseTest(pose, self._surface, self._obstacles))
            test = self._tests[i]
            if test.is_clear(x, z):
                return pose, test.is_within_edges(x, z)
        return None


class _PoseTest:
    """Tests one pose at the points of a surface."""

    def __init__(self, pose: CandidatePose, surface: Surface, obstacles: Obstacles) -> None:
        self._dx, _, self._dz = pose.offset
        size = _bounding_size(surface, pose.size)
        middle = surface.y + pose.size[1] / 2
        self._surface, self._size, self._yaw = surface, size, pose.yaw
        self._walls = _walls_test(surface, size, pose.yaw) if surface.inside else None
        self._obstacles = [
            (test.x, test.z, test.apart_squared, test.overlaps)
            for test in obstacles.footprint_tests(middle, size, pose.yaw)
        ]

    def is_clear(self, x: float, z: float) -> bool:
        x, z = x + self._dx, z + self._dz
        if self._walls is not None and not self._walls.contains(x, z):
            return False
        # A loop, because this is the innermost one of placing: a generator doubles its time.
        for i, (other_x, other_z, apart_squared, overlaps) in enumerate(self._obstacles):
            dx, dz = other_x - x, other_z - z
            if dx * dx + dz * dz < apart_squared and overlaps(x, z):
                if i:  # what is in the way here is likely to be in the way at the next point
                    self._obstacles.insert(0, self._obstacles.pop(i))
                return False
        return True

    def is_within_edges(self, x: float, z: float) -> bool:
        return self._edges.contains(x + self._dx, z + self._dz)

    @cached_property
    def _edges(self) -> "EdgeTest":
        return EdgeTest(replace(self._surface, radius=inf), self._size, self._yaw)


class EdgeTest:
    """Tells whether boxes of one size and yaw lie within a surface, seen from above."""

    def __init__(self, surface: Surface, size: Vec3, yaw: float, wall: float = 0.0) -> None:
        """Take the surface, the boxes' size and yaw, and the walls on the surface's edges.

        `wall` is the walls' thickness, metres.
        """
        sine, cosine = yaw_sin_cos((yaw - surface.yaw) % 360.0)
        width, _, depth = size
        self._along = (abs(cosine) * width + abs(sine) * depth) / 2
        self._across = (abs(sine) * width + abs(cosine) * depth) / 2
        self._most_along = surface.size[0] / 2 - wall + EDGE_TOLERANCE_METRES
        self._most_across = surface.size[1] / 2 - wall + EDGE_TOLERANCE_METRES
        self._x, self._z, self._radius = surface.x, surface.z, surface.radius
        self._axes, self._box_axes = yaw_sin_cos(surface.yaw), yaw_sin_cos(yaw)
        self._half_width, self._half_depth = width / 2, depth / 2

    def contains(self, x: float, z: float) -> bool:
        """Return whether a box with its centre at x, z lies within the surface."""
        if self._radius < inf and self._farthest_corner_distance(x, z) > self._radius:
            return False
        sine, cosine = self._axes
        dx, dz = x - self._x, z - self._z
        return (
            abs(dx * cosine - dz * sine) + self._along <= self._most_along
            and abs(dx * sine + dz * cosine) + self._across <= self._most_across
        )

    def _farthest_corner_distance(self, x: float, z: float) -> float:
        """Return the horizontal distance from the surface's middle to the farthest corner."""
        sine, cosine = self._box_axes
        dx, dz = self._x - x, self._z - z
        along, across = dx * cosine - dz * sine, dx * sine + dz * cosine
        return hypot(abs(along) + self._half_width, abs(across) + self._half_depth)


def _walls_test(surface: Surface, size: Vec3, yaw: float) -> EdgeTest:
    """Return the test whether a box meets none of the walls around a surface.

    A round rim stands in the way even where the surface reaches beyond it.
    """
    if surface.trigger_box and surface.radius < inf:
        return EdgeTest(replace(surface, size=(inf, inf)), size, yaw)
    return EdgeTest(surface, size, yaw, surface.wall)


def _bounding_size(surface: Surface, size: Vec3) -> Vec3:
    """Return the size of the box that AI2-THOR tests in place of an object's own."""
    if not surface.trigger_box:
        return size
    width, height, depth = (side + 2 * BOUNDING_BOX_MARGIN_METRES for side in size)
    return width, height, depth
