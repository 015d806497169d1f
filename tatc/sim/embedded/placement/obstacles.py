"""Find the obstacles for an object that is put down, and test whether it overlaps them.

AI2-THOR tests the object's box against the colliders of others, each turned about its vertical
axis.  Those of round objects do not fill their boxes: at recorded ends, objects stand in the
corners of the boxes of pots, plates and plants.  What does not depend on the point is worked out
once for each pose.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import hypot, inf

from tatc.home import type_facts as facts
from tatc.home.camera.shapes import MAX_PORTABLE_METRES
from tatc.home.state import Box, ObjectState, Vec3, rotated_footprint, yaw_sin_cos
from tatc.sim.embedded.placement import box_overlap
from tatc.sim.embedded.placement.observed_surfaces import box_without_doors
from tatc.sim.embedded.placement.placement_candidates import CandidatePose
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.world_state import WorldState

HEADROOM_TOLERANCE_METRES = 0.03
"""How much higher than a surface's headroom an object may be, metres."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A box in the way; if `is_round`, only the elliptic cylinder within it is in the way."""

    box: Box
    is_round: bool
    radius: float
    """The radius of the circle around the box, from above, metres."""

    @staticmethod
    def of(box: Box, *, is_round: bool) -> "Obstacle":
        """Return the obstacle that a box is, or the cylinder within it."""
        return Obstacle(box, is_round, box_overlap.circumradius(box.size))

    def footprint_test(self, size: Vec3, yaw: float) -> box_overlap.FootprintTest:
        """Return the test whether boxes of one size and yaw overlap it, seen from above."""
        test = box_overlap.EllipseTest if self.is_round else box_overlap.FootprintTest
        return test(size, yaw, self.box)


class Obstacles:
    """The obstacles on one surface."""

    def __init__(self, obstacles: Sequence[Obstacle]) -> None:
        """Take the obstacles."""
        self._obstacles = obstacles

    def overlap(self, box: Box) -> bool:
        """Return whether a box overlaps any of the obstacles."""
        x, y, z = box.center
        near = self.at_height(y, box.size[1])
        return any(each.footprint_test(box.size, box.yaw).overlaps(x, z) for each in near)

    def near(self, surface: Surface, reach: float) -> "Obstacles":
        """Return the obstacles within `reach` metres of any point of a surface, from above."""
        reach += hypot(*surface.size) / 2
        at_x, at_z = surface.x, surface.z
        return Obstacles(
            [
                each
                for each in self._obstacles
                if hypot(each.box.center[0] - at_x, each.box.center[2] - at_z) < reach + each.radius
            ]
        )

    def at_height(self, y: float, height: float) -> list[Obstacle]:
        """Return the obstacles that a box of this height, with its centre at `y`, may overlap."""
        overlap = box_overlap.heights_overlap
        return [each for each in self._obstacles if overlap(y, height, each.box)]


def obstacles_on(
    world: WorldState, held: ObjectState, receptacle: ObjectState, *, inside: bool
) -> Obstacles:
    """Return what a held object must not overlap on a surface of a receptacle.

    That is the receptacle's other contents, but the held object's own, and, without walls around
    the surface (`inside` is false), all other obstacles of the room except for the receptacle and
    what it is in.  In a sink, the spouts of faucets are in the way too.
    """
    obstacles = list[Obstacle]()
    supporting = (receptacle.objectId, *(receptacle.parentReceptacles or ()))
    if receptacle.objectType in facts.SINK_TYPES:
        faucets = world.of_type(*facts.SPOUT_SHARES)
        spouts = (_spout_box(faucet, receptacle.box) for faucet in faucets)
        obstacles += [Obstacle.of(box, is_round=False) for box in spouts]
    for obj in world.objects:
        obstacle, parents = _obstacle_of(world, obj), obj.parentReceptacles or ()
        if obstacle is None or held.objectId in parents:
            continue
        if receptacle.objectId in parents or (not inside and obj.objectId not in supporting):
            obstacles.append(obstacle)
    return Obstacles(obstacles)


def _spout_box(faucet: ObjectState, basin: Box) -> Box:
    """Return the part of a faucet's box in which its spout reaches over a basin."""
    wide, high = facts.SPOUT_SHARES[faucet.objectType]
    (x, y, z), (width, height, depth) = faucet.box.center, faucet.box.size
    ahead, aside = basin.center[0] - x, basin.center[2] - z
    if abs(ahead) > abs(aside):
        size = width, high * height, wide * depth
    else:
        size = wide * width, high * height, depth
    return Box((x, y + (height - size[1]) / 2, z), size, faucet.box.yaw)


def _obstacle_of(world: WorldState, obj: ObjectState) -> Obstacle | None:
    """Return the obstacle that an object is, or None; kept until the object changes."""
    kept = world.obstacles.get(obj.objectId)
    if kept is None or kept[0] is not obj:
        obstacle = _make_obstacle(world, obj) if _is_obstacle(obj) else None
        kept = world.obstacles[obj.objectId] = obj, obstacle
    return kept[1]


def _is_obstacle(obj: ObjectState) -> bool:
    if obj.affordances.pickupable:
        return not (obj.isPickedUp or obj.isSliced) and max(obj.box.size) < MAX_PORTABLE_METRES
    return obj.objectType in facts.FIXED_OBSTACLE_TYPES


def _make_obstacle(world: WorldState, obj: ObjectState) -> Obstacle:
    box, share = box_without_doors(world, obj), facts.OBSTACLE_WIDTH_SHARES.get(obj.objectType, 1.0)
    if share < 1.0:
        width, height, depth = box.size
        box = Box(box.center, (share * width, height, share * depth), box.yaw)
    return Obstacle.of(box, is_round=obj.objectType in facts.ROUND_OBSTACLE_TYPES)


_NearObstacle = tuple[float, float, float, Obstacle]
"""An obstacle after the x and z of its middle, and after the square of the distance between its
middle and that of a pose at which the circles around both part, metres."""


class SurfacePoses:
    """The poses of an object on one surface, in the order in which they are tried."""

    def __init__(
        self, poses: Sequence[CandidatePose], surface: Surface, obstacles: Obstacles
    ) -> None:
        """Take the poses, the surface, and what is in the way on it."""
        headroom = surface.headroom + HEADROOM_TOLERANCE_METRES
        self._poses = [pose for pose in poses if pose.size[1] <= headroom]
        self._surface, self._obstacles = surface, obstacles
        self._walled = surface if surface.inside else None
        if surface.inside and surface.trigger_box and surface.radius < inf:
            # A round rim stands in the way even where the surface reaches beyond it.
            self._walled = replace(surface, size=(inf, inf), wall=0.0)
        self._tests: list[_PoseTest] = []
        self._near_sizes: dict[Vec3, list[_NearObstacle]] = {}

    def first_clear(
        self, x: float, z: float, *, is_within: bool = False
    ) -> "tuple[CandidatePose, bool] | None":
        """Return the first pose that meets neither an obstacle nor a wall, or None.

        The object's position is at x and z.  The second value says whether it lies within the
        edges; with `is_within`, poses that stick out are left out.
        """
        for i, pose in enumerate(self._poses):
            if i == len(self._tests):
                size = _bounding_size(self._surface, pose.size)
                near = self._obstacles_near(pose, size)
                self._tests.append(_PoseTest(pose, size, self._surface, self._walled, near))
            test = self._tests[i]
            if test.is_clear(x, z):
                is_inside = test.is_within_edges(x, z)
                if is_inside or not is_within:
                    return pose, is_inside
        return None

    def _obstacles_near(self, pose: CandidatePose, size: Vec3) -> "list[_NearObstacle]":
        """Return what a pose may meet; poses of one size share the list and its order."""
        found = self._near_sizes.get(size)
        if found is None:
            radius, middle = box_overlap.circumradius(size), self._surface.y + pose.size[1] / 2
            found = self._near_sizes[size] = [
                (each.box.center[0], each.box.center[2], (radius + each.radius) ** 2, each)
                for each in self._obstacles.at_height(middle, size[1])
            ]
        return found


class _PoseTest:
    def __init__(
        self,
        pose: CandidatePose,
        size: Vec3,
        surface: Surface,
        walled: Surface | None,
        near: "list[_NearObstacle]",
    ) -> None:
        """Take the pose, the size of its box with a margin, the surface, and what is in the way.

        `walled` is the surface as far as its walls, None without walls.
        """
        self._dx, _, self._dz = pose.offset
        self._surface, self._size, self._yaw = surface, size, pose.yaw
        self._walls = None if walled is None else EdgeTest(walled, size, pose.yaw, walled.wall)
        self._near = near
        self._tests: dict[int, box_overlap.FootprintTest] = {}

    def is_clear(self, x: float, z: float) -> bool:
        x, z = x + self._dx, z + self._dz
        if self._walls is not None and not self._walls.contains(x, z):
            return False
        # A loop, because this is the innermost one of placing: a generator doubles its time.
        for i, (other_x, other_z, apart_squared, obstacle) in enumerate(self._near):
            dx, dz = other_x - x, other_z - z
            if dx * dx + dz * dz < apart_squared and self._test_of(obstacle).overlaps(x, z):
                if i:  # what is in the way here is likely to be in the way at the next point
                    self._near.insert(0, self._near.pop(i))
                return False
        return True

    def _test_of(self, obstacle: Obstacle) -> box_overlap.FootprintTest:
        test = self._tests.get(id(obstacle))
        if test is None:
            test = self._tests[id(obstacle)] = obstacle.footprint_test(self._size, self._yaw)
        return test

    def is_within_edges(self, x: float, z: float) -> bool:
        return self._edges.contains(x + self._dx, z + self._dz)

    @cached_property
    def _edges(self) -> "EdgeTest":
        return EdgeTest(replace(self._surface, radius=inf), self._size, self._yaw)


class EdgeTest:
    """Tells whether boxes of one size and yaw lie within a surface, seen from above."""

    def __init__(self, surface: Surface, size: Vec3, yaw: float, wall: float = 0.0) -> None:
        """Take the surface, the boxes' size and yaw, and the thickness of its walls, metres."""
        wide, deep = rotated_footprint(size, (yaw - surface.yaw) % 360.0)
        self._along, self._across = wide / 2, deep / 2
        self._most_along = surface.size[0] / 2 - wall + facts.EDGE_TOLERANCE_METRES
        self._most_across = surface.size[1] / 2 - wall + facts.EDGE_TOLERANCE_METRES
        self._x, self._z, self._radius = surface.x, surface.z, surface.radius
        self._axes, self._box_axes = yaw_sin_cos(surface.yaw), yaw_sin_cos(yaw)
        self._half_width, self._half_depth = size[0] / 2, size[2] / 2

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


def _bounding_size(surface: Surface, size: Vec3) -> Vec3:
    """Return the size of the box that AI2-THOR tests in place of an object's own."""
    if not surface.trigger_box:
        return size
    width, height, depth = (side + 2 * facts.BOUNDING_BOX_MARGIN_METRES for side in size)
    return width, height, depth
