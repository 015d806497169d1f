"""Find where a held object is put down: the one place there is, or the nearest to the click.

The object stands on one of the surfaces of `observed_surfaces`, where its box overlaps no
obstacle.  Points are tried over all surfaces together, the nearest to the clicked point first, as
AI2-THOR's putNearXY does; the poses at each come from `placement_candidates`.  Points that the
camera does not show count too, because TEACh forces the action.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf

from tatc.home import containment, type_facts as facts
from tatc.home.state import Box, ObjectState, Vec3
from tatc.sim.embedded.placement import (
    click_points,
    dish_surfaces,
    observed_surfaces as observed,
    placement_candidates,
)
from tatc.sim.embedded.placement.fixed_places import attached_pose, fixed_point
from tatc.sim.embedded.placement.obstacles import SurfacePoses, obstacles_on
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.world_state import WorldState

ON_FLOOR_HEIGHT_METRES = 0.45
"""An object less than this above the floor is also listed as on the floor."""

NO_VALID_POSITION_MESSAGE = "No valid positions to place object found"


@dataclass(frozen=True, slots=True)
class Placement:
    """Where an object is put down: its box, its rotation (degrees) and position (metres)."""

    box: Box
    rotation: Vec3
    position: Vec3


def find_placement(
    world: WorldState, held: ObjectState, place: ObjectState, point: Vec3, body: Vec3 | None = None
) -> Placement | str:
    """Return where the held object is put in or on a receptacle, or AI2-THOR's refusal.

    `point` is the clicked point of the receptacle (world, metres).  Points beyond
    `world.placing_reach_metres` of `body` are not tried; it is None if no body puts the object
    down, as when a room is furnished.
    """
    kind = place.objectType
    contents = world.contents(place.objectId)
    refusal = _reason_against(world, held, place, contents)
    if refusal is not None:
        return refusal
    surfaces = observed.observed_surfaces(world, place)
    point = click_points.place_ray_end(world, place, point, surfaces)
    if kind in facts.ACCEPTED_TYPES and surfaces:
        return _only_placement(world, held, place, surfaces[0])
    if kind in facts.HEAP_TYPES:
        surfaces = [*surfaces, *_surfaces_on_contents(surfaces, contents, place)]
    is_exact = _is_exact(surfaces)
    is_strict = kind in facts.STRICT_DISH_TYPES
    is_strict |= kind in facts.STRICT_WHILE_EMPTY_TYPES and not contents
    if is_exact and is_strict:
        # AI2-THOR looks nowhere beyond the trigger boxes of a dish.
        exact = _first_free_placement(world, held, place, surfaces, point, body)
        rim = () if exact else dish_surfaces.surfaces_on_rim(place)
        on_rim = _first_free_placement(world, held, place, rim, point, body)
        return exact or on_rim or NO_VALID_POSITION_MESSAGE
    for each in _widening_attempts(world, place, surfaces, is_exact=is_exact):
        found = _first_free_placement(world, held, place, each, point, body)
        if found is not None:
            return found
    if kind not in facts.WALL_SIDE_TYPES:
        return NO_VALID_POSITION_MESSAGE
    found = _first_free_placement(world, held, place, surfaces, point, body, is_within=True)
    return found or NO_VALID_POSITION_MESSAGE


def _widening_attempts(
    world: WorldState, receptacle: ObjectState, surfaces: Sequence[Surface], *, is_exact: bool
) -> Iterator[Sequence[Surface]]:
    """Yield the surfaces to try one after the other: the known ones, then wider and wider ones."""
    wider = dish_surfaces.areas_by_shares(receptacle) if is_exact else ()
    # Where nothing fits between the walls, up to the edge of the surface.
    widen = _extended_to_rim if receptacle.affordances.pickupable else partial(replace, wall=0.0)
    widened = tuple(widen(surface) for surface in wider or surfaces)
    walled = tuple(observed.walled_surfaces(world, receptacle))
    yield from filter(None, dict.fromkeys((tuple(surfaces), tuple(wider), widened, walled)))


def _reason_against(
    world: WorldState, held: ObjectState, receptacle: ObjectState, contents: Sequence[ObjectState]
) -> str | None:
    kind = receptacle.objectType
    if held.objectId in (receptacle.objectId, *(receptacle.parentReceptacles or ())):
        return NO_VALID_POSITION_MESSAGE  # it moves with what holds it
    if kind in facts.ACCEPTED_TYPES and held.objectType not in facts.ACCEPTED_TYPES[kind]:
        return f"{held.objectType} is not a valid Object Type to be placed in {kind}"
    is_closed = receptacle.affordances.openable and not receptacle.isOpen
    if is_closed and kind in facts.MUST_BE_OPEN_TYPES:
        return f"Target openable Receptacle is CLOSED, can't place if target is {kind}"
    is_full = contents and kind in facts.HOLDS_ONE_TYPES
    if is_full or containment.is_under_water(receptacle, world.snapshot(), world.ran_at_start):
        return NO_VALID_POSITION_MESSAGE
    return None


def forced_placement(
    world: WorldState, held: ObjectState, receptacle: ObjectState, point: Vec3
) -> Placement | None:
    """Return where AI2-THOR most likely put an object that finds no place here.

    It is the free point nearest to the click, however far from the body; where none is free, the
    point nearest to the click, whatever is in the way.  None for a receptacle without surfaces.
    """
    found = find_placement(world, held, receptacle, point)
    if isinstance(found, Placement):
        return found
    surfaces = observed.observed_surfaces(world, receptacle)
    point = click_points.place_ray_end(world, receptacle, point, surfaces)
    for i, x, z in placement_candidates.points_nearest_first(surfaces, point):
        yaw = observed.placement_yaw(world, receptacle, surfaces[i])
        pose = placement_candidates.candidate_poses(held, yaw)[0]
        return _placement(pose, pose.box_at(x, surfaces[i].y, z), x, z)
    return None


def parent_receptacles_at(world: WorldState, receptacle: ObjectState, box: Box) -> tuple[str, ...]:
    """Return the ids of the receptacles that AI2-THOR lists for an object with this box, sorted.

    They are it, its outer ones and, for a low box, the floor on which the receptacle stands.
    """
    found = set(containment.with_outer(receptacle))
    for floor in world.of_type(facts.FLOOR_TYPE):
        is_low = box.bottom - floor.position[1] < ON_FLOOR_HEIGHT_METRES
        if is_low and floor.objectId in (receptacle.parentReceptacles or ()):
            found.add(floor.objectId)
    return tuple(sorted(found))


def _surfaces_on_contents(
    surfaces: Sequence[Surface], contents: Sequence[ObjectState], receptacle: ObjectState
) -> Iterator[Surface]:
    """Yield the surface on top of a receptacle's contents, if they are below its rim."""
    highest = max((obj.box.top for obj in contents), default=inf)
    if surfaces and highest < receptacle.box.top:
        yield replace(surfaces[0], y=highest)


def _extended_to_rim(surface: Surface) -> Surface:
    """Return a surface extended to its rim and beyond, for objects that fit nowhere on it."""
    wide = 2 * surface.radius
    size = (wide, wide) if wide < inf else surface.size
    return replace(surface, size=size, inside=False, radius=inf)


def _only_placement(
    world: WorldState, held: ObjectState, receptacle: ObjectState, surface: Surface
) -> Placement | str:
    """Return the placement in a receptacle that has one place, or AI2-THOR's refusal."""
    attached = attached_pose(receptacle)
    if attached is not None:
        (x, y, z), yaw = attached
        pose = placement_candidates.candidate_poses(held, yaw)[0]
        return _placement(pose, pose.box_at(x, y + pose.offset[1] - pose.size[1] / 2, z), x, z)
    # AI2-THOR also lists objects beside a burner as in it.
    seen = [
        (x, z)
        for x, z in observed.rest_positions(world, receptacle, surface)
        if surface.distance_to((x, surface.y, z)) == 0.0
    ]
    x, y, z = fixed_point(receptacle, surface.y, seen)
    yaw = observed.placement_yaw(world, receptacle, surface) % 360.0
    pose = placement_candidates.candidate_poses(held, yaw)[0]
    placement = _placement(pose, pose.box_at(x, y, z), x, z)
    is_blocked = receptacle.objectType == facts.BURNER_TYPE and obstacles_on(
        world, held, receptacle, inside=surface.inside
    ).overlap(placement.box)
    return NO_VALID_POSITION_MESSAGE if is_blocked else placement


def _placement(pose: placement_candidates.CandidatePose, box: Box, x: float, z: float) -> Placement:
    return Placement(box, pose.rotation, (x, box.center[1] - pose.offset[1], z))


def _first_free_placement(
    world: WorldState,
    held: ObjectState,
    receptacle: ObjectState,
    surfaces: Sequence[Surface],
    point: Vec3,
    body: Vec3 | None,
    *,
    is_within: bool = False,
) -> Placement | None:
    """Return the first free placement, trying the points nearest to the click first.

    If the receptacle can be picked up, and the object fits within none of its areas, the
    object may stick out over an edge.  With `is_within`, a pose that sticks out decides about
    no point; the next one is tried there.  Return None if nothing is free.
    """
    obstacles = {
        inside: obstacles_on(world, held, receptacle, inside=inside)
        for inside in {surface.inside for surface in surfaces}
    }
    extent = placement_candidates.farthest_point_metres(held)
    poses: dict[int, SurfacePoses] = {}
    overhanging: Placement | None = None
    reach = world.placing_reach_metres
    for i, x, z in placement_candidates.points_in_reach(surfaces, point, body, reach):
        if i not in poses:
            surface = surfaces[i]
            yaw = observed.placement_yaw(world, receptacle, surface)
            turned = placement_candidates.candidate_poses(held, yaw)
            near = obstacles[surface.inside].near(surface, extent)
            poses[i] = SurfacePoses(turned, surface, near)
        found = poses[i].first_clear(x, z, is_within=is_within)
        if found is None:
            continue
        pose, is_within_edges = found
        placement = _placement(pose, pose.box_at(x, surfaces[i].y, z), x, z)
        if is_within_edges or not surfaces[i].lattice:
            return placement
        overhanging = overhanging or placement
    return overhanging if receptacle.affordances.pickupable and not _is_exact(surfaces) else None


def _is_exact(surfaces: Sequence[Surface]) -> bool:
    """Whether surfaces are AI2-THOR's own trigger boxes, over whose edges nothing sticks out."""
    return any(surface.trigger_box for surface in surfaces)
