"""Where a held thing comes to stand: near the click, where it fits among the rest.

A receptacle's surfaces come from `observed_surfaces`; a thing stands on one where its own box
meets no other.  Points are tried nearest to the clicked one first, over all surfaces,
as AI2-THOR's putNearXY does; how a thing is tried at each is in `placement_candidates`.  Points
that
the camera does not show count too: TEACh forces the action.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist, inf
from statistics import median

from tatc.sim.embedded.placement.click_points import place_ray_end
from tatc.sim.embedded.placement.observed_surfaces import (
    distance_to_surface,
    observed_surfaces,
    placement_yaw,
    rest_positions,
    walled_surfaces,
)
from tatc.sim.embedded.placement.obstacles import Obstacle, obstacles_on
from tatc.sim.embedded.placement.placement_candidates import (
    CandidatePose,
    candidate_points,
    candidate_poses,
    is_within_surface,
)
from tatc.sim.embedded.placement.support_surfaces import Surface
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.transforms import rotate_yaw
from tatc.state import Box, ObjectState, Vec3
from tatc.thor_types.facts import (
    ACCEPTED_TYPES,
    BURNER_TYPE,
    FLOOR_TYPE,
    HEAP_TYPES,
    HOLDS_ONE_TYPES,
    MUST_BE_OPEN_TYPES,
    NESTING_TYPES,
)

HEADROOM_TOLERANCE_METRES = 0.03
"""How much higher than the room under a roof a thing may be, metres."""
ON_FLOOR_HEIGHT_METRES = 0.45
"""What stands lower than this above the floor also counts as on the floor."""

NO_VALID_POSITION_MESSAGE = "No valid positions to place object found"


@dataclass(frozen=True, slots=True)
class FixedPlace:
    """The one place in a receptacle, as shares of its box.

    `forward_ratio` leads from its middle to its front, `height_ratio` from its lower side up (None:
    to its level); `at_object_position` says that it is level with the receptacle's position, not
    with the middle of its box.
    """

    forward_ratio: float = 0.0
    height_ratio: float | None = None
    at_object_position: bool = False


FIXED_PLACES = {
    "CoffeeMachine": FixedPlace(forward_ratio=0.3),
    # One of two slots, either in different toasters: between them is nearest to both.
    "Toaster": FixedPlace(height_ratio=0.44, at_object_position=True),
}
"""Where the fixed place is in those of `ACCEPTED_TYPES` where it is not the middle (ends)."""


@dataclass(frozen=True, slots=True)
class Placement:
    """How a thing comes to stand: its box, its rotation and its position."""

    box: Box
    rotation: Vec3
    position: Vec3


def find_placement(
    world: WorldState, held: ObjectState, receptacle: ObjectState, point: Vec3
) -> Placement | str:
    """Return how the held thing comes to stand in a receptacle, or a refusal.

    `point` is the clicked point of the receptacle.
    """
    kind = receptacle.objectType
    if kind in ACCEPTED_TYPES and held.objectType not in ACCEPTED_TYPES[kind]:
        return f"{held.objectType} is not a valid Object Type to be placed in {kind}"
    if kind in MUST_BE_OPEN_TYPES and receptacle.affordances.openable:
        if not receptacle.isOpen:
            return f"Target openable Receptacle is CLOSED, can't place if target is {kind}"
    contents = world.contents(receptacle.objectId)
    if contents and kind in HOLDS_ONE_TYPES:
        return NO_VALID_POSITION_MESSAGE
    surfaces = observed_surfaces(world, receptacle)
    point = place_ray_end(world, receptacle, point, surfaces)
    if kind in ACCEPTED_TYPES and surfaces:
        surface = surfaces[0]
        rest_points = rest_positions(world, receptacle, surface)
        # What stands beside a burner may be listed in it, too.
        on_surface = [
            (x, z) for x, z in rest_points if distance_to_surface(surface, (x, surface.y, z)) == 0.0
        ]
        turn = placement_yaw(world, receptacle, surface)
        fixed = _fixed_placement(held, turn, receptacle, surface.y, on_surface)
        others = obstacles_on(world, held, receptacle, surface) if kind == BURNER_TYPE else ()
        blocked = any(each.overlaps(fixed.box) for each in others)
        return NO_VALID_POSITION_MESSAGE if blocked else fixed
    if kind in HEAP_TYPES:
        surfaces = [*surfaces, *_surfaces_on_contents(surfaces, contents, receptacle)]
    widen = _extended_to_rim if receptacle.affordances.pickupable else _without_walls
    return (
        _first_free_placement(world, held, receptacle, surfaces, point)
        or _first_free_placement(world, held, receptacle, [*map(widen, surfaces)], point)
        or _first_free_placement(world, held, receptacle, walled_surfaces(world, receptacle), point)
        or NO_VALID_POSITION_MESSAGE
    )


def parent_receptacles_at(world: WorldState, receptacle: ObjectState, box: Box) -> tuple[str, ...]:
    """Return the receptacles that a thing standing in this one is in, as THOR lists.

    Those that a dish or another carrier is in count too (in recorded end states in 99
    of 100 cases), those of furniture do not; what stands low is on the floor as well.
    """
    parents = receptacle.parentReceptacles or ()
    is_nesting = receptacle.affordances.pickupable or receptacle.objectType in NESTING_TYPES
    found = {receptacle.objectId, *(parents if is_nesting else ())}
    for floor in world.of_type(FLOOR_TYPE):
        under = box.center[1] - box.size[1] / 2
        if floor.objectId in parents and under - floor.position[1] < ON_FLOOR_HEIGHT_METRES:
            found.add(floor.objectId)
    return tuple(sorted(found))


def _surfaces_on_contents(
    surfaces: Sequence[Surface], contents: Sequence[ObjectState], receptacle: ObjectState
) -> Iterator[Surface]:
    """Yield the level on top of what lies in a receptacle, if it is not full."""
    tops = [obj.box.center[1] + obj.box.size[1] / 2 for obj in contents]
    rim = receptacle.box.center[1] + receptacle.box.size[1] / 2
    if surfaces and tops and max(tops) < rim:
        yield replace(surfaces[0], y=max(tops))


def _extended_to_rim(surface: Surface) -> Surface:
    """Return a dish's level for what fits nowhere in it: up to its rim and beyond."""
    wide = 2 * surface.radius
    size = (wide, wide) if wide < inf else surface.size
    return replace(surface, size=size, inside=False, radius=inf)


def _without_walls(surface: Surface) -> Surface:
    """Return a level up to its edge, for what fits nowhere between its walls."""
    return replace(surface, wall=0.0)


def _fixed_placement(
    held: ObjectState,
    turn: float,
    receptacle: ObjectState,
    height_y: float,
    rest_points: Sequence[tuple[float, float]],
) -> Placement:
    """Return the spot in a receptacle with a fixed place, where others were seen."""
    place = FIXED_PLACES.get(receptacle.objectType, FixedPlace())
    (x, y, z), (_, height, depth) = receptacle.box.center, receptacle.box.size
    if place.at_object_position:
        x, _, z = receptacle.position
    dx, _, dz = rotate_yaw((0.0, 0.0, place.forward_ratio * depth), receptacle.rotation[1])
    x, z = x + dx, z + dz
    if rest_points:
        x, z = (median(each[0] for each in rest_points), median(each[1] for each in rest_points))
    if place.height_ratio is not None:
        height_y = y + (place.height_ratio - 0.5) * height
    pose = candidate_poses(held, turn % 360.0)[0]
    box = pose.box_at(x, height_y, z)
    return Placement(box, pose.rotation, (x, box.center[1] - pose.offset[1], z))


def _first_free_placement(
    world: WorldState,
    held: ObjectState,
    receptacle: ObjectState,
    surfaces: Sequence[Surface],
    point: Vec3,
) -> Placement | None:
    """Return the first spot that is clear, the points nearest to the click first.

    On what can be carried a thing may stick out over an edge where it cannot else.
    """
    others = [obstacles_on(world, held, receptacle, surface) for surface in surfaces]
    poses = [candidate_poses(held, placement_yaw(world, receptacle, each)) for each in surfaces]
    overhanging: Placement | None = None
    for i, x, z in _points_nearest_first(surfaces, point):
        surface = surfaces[i]
        found = _first_clear_pose(poses[i], surface, x, z, others[i])
        if found is None:
            continue
        pose, box = found
        placement = Placement(box, pose.rotation, (x, box.center[1] - pose.offset[1], z))
        if not surface.lattice or is_within_surface(surface, box):
            return placement
        overhanging = overhanging or placement
    return overhanging if receptacle.affordances.pickupable else None


def _points_nearest_first(
    surfaces: Sequence[Surface], click: Vec3
) -> Iterator[tuple[int, float, float]]:
    """Yield level, x and z of where a thing's position may go, nearest first."""
    for i, surface in enumerate(surfaces):
        if not surface.lattice:
            for x, z in candidate_points(surface, click):
                yield i, x, z
    lattice = [
        (dist((x, level.y, z), click), i, x, z)
        for i, level in enumerate(surfaces)
        if level.lattice
        for x, z in candidate_points(level, click)
    ]
    for _, i, x, z in sorted(lattice):
        yield i, x, z


def _first_clear_pose(
    poses: Sequence[CandidatePose], surface: Surface, x: float, z: float, others: Sequence[Obstacle]
) -> tuple[CandidatePose, Box] | None:
    """Return the first stance at a point that meets nothing, walls included."""
    for pose in poses:
        box = pose.box_at(x, surface.y, z)
        if pose.size[1] > surface.headroom + HEADROOM_TOLERANCE_METRES:
            continue
        if surface.inside and not is_within_surface(surface, box, surface.wall):
            continue
        if not any(other.overlaps(box) for other in others):
            return pose, box
    return None
