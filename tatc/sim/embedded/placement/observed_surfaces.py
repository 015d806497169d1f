"""The surfaces of a receptacle in a house, with what the room shows of them.

`tatc.sim.embedded.placement.support_surfaces` knows a receptacle's surfaces by its type and box.
A house knows
more: where a counter is free (`areas_from_boxes`), and how things stood in it at the start
and in other sessions, which shows the lattice they stand on (`lattice`, `found_areas`)
and which way it is turned.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from tatc.sim.embedded.placement.areas_from_boxes import areas_from_boxes
from tatc.sim.embedded.placement.lattice_fitting import fit_to_lattice
from tatc.sim.embedded.placement.recorded_areas import (
    ObservedPose,
    areas_from_recordings,
    is_same_yaw,
)
from tatc.sim.embedded.placement.support_surfaces import Surface, surfaces_of
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import RestingPose, is_upright, model_name
from tatc.sim.transforms import rotate_yaw
from tatc.state import Box, ObjectState, Vec3, yaw_sin_cos
from tatc.thor_types.facts import (
    AREA_YAW_OFFSETS_DEGREES,
    FLOOR_TYPE,
    HINGED_DOOR_TYPES,
)

ON_LEVEL_TOLERANCE_METRES = 0.06
"""A thing rests on a level this near to its lower side, metres."""
MIN_YAW_OBSERVATIONS = 2
"""How many things at least show which way a level is turned."""


def box_without_doors(world: WorldState, obj: ObjectState) -> Box:
    """Return an object's box, without its doors where they stand open."""
    shut = world.closed_at_start(obj.objectId)
    return shut.box if shut is not None and obj.objectType in HINGED_DOOR_TYPES else obj.box


def observed_surfaces(world: WorldState, receptacle: ObjectState) -> Sequence[Surface]:
    """Return a receptacle's surfaces in its box without open doors."""
    found: list[Surface] = []
    for surface in _surfaces_by_rule(world, receptacle):
        box_areas = areas_from_boxes(world, receptacle, surface)
        found += _recorded_areas(world, receptacle, surface, box_areas) or [
            fit_to_lattice(area, rest_positions(world, receptacle, area)) for area in box_areas
        ]
    return found


def walled_surfaces(world: WorldState, receptacle: ObjectState) -> Sequence[Surface]:
    """Return the surfaces of what walls stand around, up to its walls.

    Other sessions may have shown but a part of them.
    """
    is_recorded = model_name(receptacle) in world.evidence.resting_poses
    levels = _surfaces_by_rule(world, receptacle) if is_recorded else ()
    return [replace(level, wall=0.0) for level in levels if level.inside]


def _surfaces_by_rule(world: WorldState, receptacle: ObjectState) -> Sequence[Surface]:
    box = box_without_doors(world, receptacle)
    return surfaces_of(replace(receptacle, box=box), _resting_heights_on(world, receptacle))


def _recorded_areas(
    world: WorldState, receptacle: ObjectState, surface: Surface, box_areas: Sequence[Surface]
) -> Sequence[Surface]:
    """Return the areas of a level that other sessions show, none if they do not."""
    others = world.evidence.resting_poses.get(model_name(receptacle))
    if not others or receptacle.objectType == FLOOR_TYPE:
        return []
    turn = receptacle.rotation[1]
    seen = [
        ObservedPose(x, z, seen.rotation[1] + turn)
        for (x, z), seen in _rests_on(world, receptacle, surface)
    ]
    return areas_from_recordings(
        surface, box_without_doors(world, receptacle), turn, seen, box_areas
    )


def _resting_heights_on(world: WorldState, receptacle: ObjectState) -> Sequence[float]:
    """Return the heights at which things stood on a receptacle, where it is now."""
    if not receptacle.affordances.pickupable:
        return world.resting_heights.get(receptacle.objectId, ())
    middle = receptacle.box.center[1]
    return [middle + seen.offset[1] for seen in world.rests_at_start.get(receptacle.objectId, ())]


def placement_yaw(world: WorldState, receptacle: ObjectState, surface: Surface) -> float:
    """Return how things are turned that are put on a level, degrees.

    That is how most of those stood on it at the start that stood upright, of those
    along its axes if there are any; where they do not tell, the receptacle's own turn
    and its type decide.
    """
    turn = receptacle.rotation[1]
    yaws = Counter(
        round(seen.rotation[1] + turn) % 360
        for at, seen in _rests_on(world, receptacle, surface)
        if is_upright(seen.rotation)
        and distance_to_surface(surface, (at[0], surface.y, at[1])) == 0.0
    )
    aligned = Counter({yaw: n for yaw, n in yaws.items() if is_same_yaw(yaw, surface.yaw)})
    yaws = aligned or yaws
    commonest = yaws.most_common(1)
    if commonest and MIN_YAW_OBSERVATIONS <= commonest[0][1] > yaws.total() / 2:
        return float(commonest[0][0])
    return turn + AREA_YAW_OFFSETS_DEGREES.get(receptacle.objectType, 0.0)


def distance_to_surface(surface: Surface, point: Vec3) -> float:
    """Return how far a point is from a surface seen from above, metres."""
    sine, cosine = yaw_sin_cos(surface.yaw)
    dx, dz = point[0] - surface.x, point[2] - surface.z
    along = abs(dx * cosine - dz * sine) - surface.size[0] / 2
    across = abs(dx * sine + dz * cosine) - surface.size[1] / 2
    return hypot(max(along, 0.0), max(across, 0.0))


def rest_positions(
    world: WorldState, receptacle: ObjectState, surface: Surface
) -> list[tuple[float, float]]:
    """Return the x, z where things stood on a level, here or elsewhere."""
    return [at for at, _ in _rests_on(world, receptacle, surface)]


def _rests_on(
    world: WorldState, receptacle: ObjectState, surface: Surface
) -> Iterator[tuple[tuple[float, float], RestingPose]]:
    """Yield what stood on a level, here or elsewhere, with the x, z where that is now.

    That is what stood there at the start, and what did so in other sessions.
    """
    x, y, z = box_without_doors(world, receptacle).center
    here = world.rests_at_start.get(receptacle.objectId, ())
    for seen in (*here, *world.evidence.resting_poses.get(model_name(receptacle), ())):
        if abs(y + seen.offset[1] - surface.y) < ON_LEVEL_TOLERANCE_METRES:
            dx, _, dz = rotate_yaw(seen.offset, receptacle.rotation[1])
            yield (x + dx, z + dz), seen
