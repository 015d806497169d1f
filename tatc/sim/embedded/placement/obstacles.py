"""Find the obstacles for an object that is put down: boxes, and cylinders within boxes.

AI2-THOR tests the object's box against the colliders of other objects.  The colliders of
round objects do not fill their boxes: in recorded end states, objects stand in the corners
of the boxes of pots, plates and plants.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot

from tatc.home.camera.shapes import MAX_PORTABLE_METRES
from tatc.home.state import Box, ObjectState, Vec3
from tatc.home.types.facts import (
    FIXED_OBSTACLE_TYPES,
    OBSTACLE_WIDTH_SHARES,
    ROUND_OBSTACLE_TYPES,
    SINK_TYPES,
    SPOUT_SHARES,
)
from tatc.sim.embedded.placement.box_overlap import (
    EllipseTest,
    FootprintTest,
    circumradius,
    heights_overlap,
)
from tatc.sim.embedded.placement.observed_surfaces import box_without_doors
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.world_state import WorldState


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
        return Obstacle(box, is_round, circumradius(box.size))

    def footprint_test(self, size: Vec3, yaw: float) -> FootprintTest:
        """Return the test whether boxes of one size and yaw overlap it, seen from above."""
        return (EllipseTest if self.is_round else FootprintTest)(size, yaw, self.box)


class Obstacles:
    """The obstacles on one surface."""

    def __init__(self, obstacles: Sequence[Obstacle]) -> None:
        """Take the obstacles."""
        self._obstacles = obstacles

    def overlap(self, box: Box) -> bool:
        """Return whether a box overlaps any of the obstacles."""
        x, y, z = box.center
        return any(each.overlaps(x, z) for each in self.footprint_tests(y, box.size, box.yaw))

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

    def footprint_tests(self, y: float, size: Vec3, yaw: float) -> list[FootprintTest]:
        """Return the tests of boxes of one size and yaw, whose centres are at height `y`."""
        return [each.footprint_test(size, yaw) for each in self.at_height(y, size[1])]

    def at_height(self, y: float, height: float) -> list[Obstacle]:
        """Return the obstacles that a box of this height, with its centre at `y`, may overlap."""
        return [each for each in self._obstacles if heights_overlap(y, height, each.box)]


def obstacles_on(
    world: WorldState, held: ObjectState, receptacle: ObjectState, *, inside: bool
) -> Obstacles:
    """Return what a held object must not overlap on a surface of a receptacle.

    These are the other contents of the receptacle.  If no walls stand around the surface
    (`inside` is false), they are also all other obstacles of the room, except for the
    receptacle and what it is in.  The contents of the held object are no obstacles.  In a
    sink, the spouts of faucets are in the way too.
    """
    obstacles, supporting = list[Obstacle](), _supporting_ids(receptacle)
    if receptacle.objectType in SINK_TYPES:
        faucets = world.of_type(*SPOUT_SHARES)
        boxes = [_spout_box(faucet, receptacle.box) for faucet in faucets]
        obstacles += [Obstacle.of(box, is_round=False) for box in boxes]
    for obj in world.objects:
        obstacle, parents = _obstacle_of(world, obj), obj.parentReceptacles or ()
        if obstacle is None or held.objectId in parents:
            continue
        if receptacle.objectId in parents or (not inside and obj.objectId not in supporting):
            obstacles.append(obstacle)
    return Obstacles(obstacles)


def _spout_box(faucet: ObjectState, basin: Box) -> Box:
    """Return the part of a faucet's box in which its spout reaches over a basin."""
    wide, high = SPOUT_SHARES[faucet.objectType]
    (x, y, z), (width, height, depth) = faucet.box.center, faucet.box.size
    ahead, aside = basin.center[0] - x, basin.center[2] - z
    if abs(ahead) > abs(aside):
        size = width, high * height, wide * depth
    else:
        size = wide * width, high * height, depth
    return replace(faucet.box, center=(x, y + (height - size[1]) / 2, z), size=size)


def _obstacle_of(world: WorldState, obj: ObjectState) -> Obstacle | None:
    """Return the obstacle that an object is, or None; kept until the object changes."""
    kept = world.obstacles.get(obj.objectId)
    if kept is None or kept[0] is not obj:
        obstacle = _make_obstacle(world, obj) if _is_obstacle(obj) else None
        kept = world.obstacles[obj.objectId] = obj, obstacle
    return kept[1]


def _make_obstacle(world: WorldState, obj: ObjectState) -> Obstacle:
    box, share = (box_without_doors(world, obj), OBSTACLE_WIDTH_SHARES.get(obj.objectType, 1.0))
    if share < 1.0:
        width, height, depth = box.size
        box = replace(box, size=(share * width, height, share * depth))
    return Obstacle.of(box, is_round=obj.objectType in ROUND_OBSTACLE_TYPES)


def _is_obstacle(obj: ObjectState) -> bool:
    able = obj.affordances
    if able.pickupable:
        present = not (obj.isPickedUp or obj.isSliced)
        return present and max(obj.box.size) < MAX_PORTABLE_METRES
    return obj.objectType in FIXED_OBSTACLE_TYPES


def _supporting_ids(receptacle: ObjectState) -> tuple[str, ...]:
    """Return the ids of a receptacle and of what it is in; an object on it overlaps these."""
    return (receptacle.objectId, *(receptacle.parentReceptacles or ()))
