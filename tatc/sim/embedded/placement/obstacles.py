"""What is in the way of a thing that is put down: boxes, and the pillars in them.

AI2-THOR asks whether the thing's box meets the colliders of others, which fill less
than their boxes where they are round (recorded end states: things stand in the corners
of the boxes of pots, plates and plants).
"""

from dataclasses import dataclass, replace

from tatc.camera.shapes import MAX_PORTABLE_METRES
from tatc.sim.embedded.placement.box_overlap import boxes_overlap, overlaps_inscribed_ellipse
from tatc.sim.embedded.placement.observed_surfaces import box_without_doors
from tatc.sim.embedded.placement.support_surfaces import Surface
from tatc.sim.embedded.world_state import WorldState
from tatc.state import Box, ObjectState
from tatc.thor_types.facts import FIXED_OBSTACLE_TYPES, OBSTACLE_WIDTH_SHARES, ROUND_OBSTACLE_TYPES


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The box of what is in the way, and whether only the pillar in it is."""

    box: Box
    is_round: bool

    def overlaps(self, box: Box) -> bool:
        """Say whether a thing with this box would touch it."""
        return (overlaps_inscribed_ellipse if self.is_round else boxes_overlap)(box, self.box)


def obstacles_on(
    world: WorldState, held: ObjectState, receptacle: ObjectState, surface: Surface
) -> list[Obstacle]:
    """Return what a thing on this surface must not touch."""
    obstacles: list[Obstacle] = []
    for obj in world.objects:
        parents = obj.parentReceptacles or ()
        if not _is_obstacle(obj) or held.objectId in parents:
            continue
        if receptacle.objectId in parents:
            obstacles.append(_obstacle_of(world, obj))
        elif not surface.inside and obj.objectId not in _supporting_ids(receptacle):
            obstacles.append(_obstacle_of(world, obj))
    return obstacles


def _obstacle_of(world: WorldState, obj: ObjectState) -> Obstacle:
    box, share = (box_without_doors(world, obj), OBSTACLE_WIDTH_SHARES.get(obj.objectType, 1.0))
    if share < 1.0:
        width, height, depth = box.size
        box = replace(box, size=(share * width, height, share * depth))
    return Obstacle(box, obj.objectType in ROUND_OBSTACLE_TYPES)


def _is_obstacle(obj: ObjectState) -> bool:
    able = obj.affordances
    if able.pickupable:
        present = not (obj.isPickedUp or obj.isSliced)
        return present and max(obj.box.size) < MAX_PORTABLE_METRES
    return obj.objectType in FIXED_OBSTACLE_TYPES


def _supporting_ids(receptacle: ObjectState) -> tuple[str, ...]:
    """Return a receptacle and what it stands in, whose boxes a thing on it meets."""
    return (receptacle.objectId, *(receptacle.parentReceptacles or ()))
