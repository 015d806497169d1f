"""Find the surfaces of a receptacle in a world, from its box and from what was observed.

`support_surfaces` goes by its type and by boxes.  A world also shows the poses in which objects
stood in it at the start and in other sessions: they show the lattices of its areas
(`recorded_areas`), their yaws, and the height on which cut pieces land.

AI2-THOR divides an area into eight parts each way and puts objects on the points of this lattice,
both when it lays out a scene and later.  Boxes show an area to within centimetres.  Two or more
objects that rest on it at the start stand on its points, so they show it exactly (`fit_areas`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf
from operator import attrgetter

import numpy as np

from tatc.home import type_facts as facts
from tatc.home.state import Box, ObjectState, Vec2, rotate_yaw, yaw_sin_cos
from tatc.sim.embedded.placement import recorded_areas, support_surfaces
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import RestingPose, is_upright, model_name

ON_LEVEL_TOLERANCE_METRES = 0.06
"""An object rests on a surface that is this near to the object's lower side, metres."""
MIN_YAW_OBSERVATIONS = 2  # the least number of objects that show the yaw of a surface
MAX_FALL_METRES = 0.03  # the greatest distance that pieces fall, metres
SAME_HEIGHT_METRES = 0.0015
"""Objects whose heights differ by less than this rest on the same support, metres."""
MIN_LANDING_OBSERVATIONS, MIN_LANDING_SHARE = 2, 0.07
"""The least number of objects on a support, and their least share of the objects near it."""
_fields_of_place = attrgetter("objectId", "box", "position", "rotation", "isOpen", "mass")


def box_without_doors(world: WorldState, obj: ObjectState) -> Box:
    """Return an object's box, without its hinged doors if they are open."""
    closed = world.closed_at_start(obj.objectId)
    is_hinged = obj.objectType in facts.HINGED_DOOR_TYPES
    return closed.box if closed is not None and is_hinged else obj.box


def observed_surfaces(world: WorldState, receptacle: ObjectState) -> Sequence[Surface]:
    """Return the areas of a receptacle's surfaces, in its box without open doors.

    They are kept for each place where it has been, and its mass, by which dishes are known.
    """
    if receptacle.objectType in facts.BASIN_TYPE_BY_SINK:
        return _find_surfaces(world, receptacle)  # where its basins are matters too
    place = _fields_of_place(receptacle)
    if place not in world.surfaces:
        world.surfaces[place] = _find_surfaces(world, receptacle)
    return world.surfaces[place]


def _find_surfaces(world: WorldState, receptacle: ObjectState) -> Sequence[Surface]:
    found: list[Surface] = []
    case = box_without_doors(world, receptacle)
    for surface in _surfaces_by_rule(world, receptacle):
        box_areas = support_surfaces.areas_from_boxes(world, receptacle, surface)
        recorded = _recorded_areas(world, receptacle, surface, box_areas)
        seen = () if recorded else rest_positions(world, receptacle, surface)
        found += recorded or fit_areas(box_areas, seen, case)
    return found


def walled_surfaces(world: WorldState, receptacle: ObjectState) -> Sequence[Surface]:
    """Return the surfaces that have walls around them, extended up to the walls.

    Empty unless other sessions showed objects in it: `observed_surfaces` may have only a part.
    """
    is_recorded = model_name(receptacle) in world.evidence.resting_poses
    surfaces = _surfaces_by_rule(world, receptacle) if is_recorded else ()
    return [replace(surface, wall=0.0) for surface in surfaces if surface.inside]


def _surfaces_by_rule(world: WorldState, receptacle: ObjectState) -> Sequence[Surface]:
    closed = receptacle.with_values(box=box_without_doors(world, receptacle))
    surfaces = support_surfaces.surfaces_of(closed, _resting_heights_on(world, receptacle))
    found: list[Surface] = []
    for surface in surfaces:
        area = support_surfaces.cabinet_area_box(closed)
        area = area or support_surfaces.seat_area_box(closed, surface.size)
        if area is not None:
            (x, _, z), (wide, _, deep) = area.center, area.size
            surface = replace(surface, x=x, z=z, size=(wide, deep))
        found.append(surface)
    return found


def _recorded_areas(
    world: WorldState, receptacle: ObjectState, surface: Surface, box_areas: Sequence[Surface]
) -> Sequence[Surface]:
    recorded = world.evidence.resting_poses.get(model_name(receptacle))
    if not recorded or receptacle.objectType == facts.FLOOR_TYPE:
        return []
    case, turn = box_without_doors(world, receptacle), receptacle.rotation[1]
    rests = _rests_on(world, receptacle, surface)
    seen = [recorded_areas.ObservedPose(x, z, rest.rotation[1] + turn) for (x, z), rest in rests]
    return recorded_areas.areas_from_recordings(surface, case, turn, seen, box_areas)


def _resting_heights_on(world: WorldState, receptacle: ObjectState) -> Sequence[float]:
    """Return the heights at which objects stood on a receptacle, where it is now, metres."""
    if not receptacle.affordances.pickupable:
        return world.resting_heights.get(receptacle.objectId, ())
    middle = receptacle.box.center[1]
    return [middle + seen.offset[1] for seen in world.rests_at_start.get(receptacle.objectId, ())]


def placement_yaw(world: WorldState, receptacle: ObjectState, surface: Surface) -> float:
    """Return the yaw of objects that are put on a surface, degrees.

    It is the yaw of more than half of the upright objects, at least two, that stood on the
    surface at the start or in other sessions.  If any of them are aligned with the surface's
    axes, only these count.  Without a majority, the receptacle's yaw and type decide.
    """
    if surface.trigger_box:
        return surface.yaw
    place = receptacle.objectId, box_without_doors(world, receptacle).center, receptacle.rotation
    if (*place, surface) not in world.yaws_of_surfaces:
        world.yaws_of_surfaces[*place, surface] = _observed_yaw(world, receptacle, surface)
    return world.yaws_of_surfaces[*place, surface]


def _observed_yaw(world: WorldState, receptacle: ObjectState, surface: Surface) -> float:
    turn = receptacle.rotation[1]
    yaws = Counter(
        round(seen.rotation[1] + turn) % 360
        for (x, z), seen in _rests_on(world, receptacle, surface)
        if is_upright(seen.rotation) and surface.distance_to((x, surface.y, z)) == 0.0
    )
    is_same_yaw = recorded_areas.is_same_yaw
    yaws = Counter({yaw: n for yaw, n in yaws.items() if is_same_yaw(yaw, surface.yaw)}) or yaws
    commonest = yaws.most_common(1)
    if commonest and MIN_YAW_OBSERVATIONS <= commonest[0][1] > yaws.total() / 2:
        return float(commonest[0][0])
    return turn + facts.AREA_YAW_OFFSETS_DEGREES.get(receptacle.objectType, 0.0)


def rest_positions(world: WorldState, receptacle: ObjectState, surface: Surface) -> list[Vec2]:
    """Return the x and z at which objects stood on a surface at any time, world, metres."""
    return [position for position, _ in _rests_on(world, receptacle, surface)]


def _rests_on(
    world: WorldState, receptacle: ObjectState, surface: Surface
) -> Sequence[tuple[Vec2, RestingPose]]:
    """Return the poses at the start and in other sessions, each with its x and z in this world."""
    (x, y, z), turn = box_without_doors(world, receptacle).center, receptacle.rotation[1]
    place = receptacle.objectId, (x, y, z), turn, surface.y
    if place not in world.rests_on_surfaces:
        at_start = world.rests_at_start.get(receptacle.objectId, ())
        found: list[tuple[Vec2, RestingPose]] = []
        for seen in (*at_start, *world.evidence.resting_poses.get(model_name(receptacle), ())):
            if abs(y + seen.offset[1] - surface.y) < ON_LEVEL_TOLERANCE_METRES:
                dx, _, dz = rotate_yaw(seen.offset, turn)
                found.append(((x + dx, z + dz), seen))
        world.rests_on_surfaces[place] = tuple(found)
    return world.rests_on_surfaces[place]


def landing_height_near(
    world: WorldState, receptacles: Iterable[ObjectState], height: float
) -> float | None:
    """Return the median height of recorded landings near a height, metres, or None."""
    seen = world.evidence.landing_heights
    landed = (
        box_without_doors(world, each).center[1] + y
        for each in receptacles
        for y in seen.get(model_name(each), ())
    )
    heights = _within_fall(height, landed)
    return heights[len(heights) // 2] if heights else None


def landing_height_under(world: WorldState, whole: ObjectState) -> float | None:
    """Return the height of the support below an object, metres; None if it is not known.

    It is not known for an object in a dish, because objects rest in dishes at all heights.
    AI2-THOR places a whole object a little above its support and leaves it there.  Pieces fall
    onto the support, and so do objects that physics has moved.  If no session shows pieces in
    a receptacle, its support is therefore at the lowest height at which several objects rest.
    """
    parents = [world.find(parent_id) for parent_id in whole.parentReceptacles or ()]
    if any(parent is None or parent.affordances.pickupable for parent in parents):
        return None
    receptacles = [parent for parent in parents if parent is not None]
    under = whole.box.bottom
    landing_height = landing_height_near(world, receptacles, under)
    if landing_height is not None:
        return landing_height
    seen = world.evidence.resting_poses
    rested = (
        box_without_doors(world, each).center[1] + rest.offset[1]
        for each in receptacles
        for rest in seen.get(model_name(each), ())
    )
    heights = _within_fall(under, rested)
    least = max(MIN_LANDING_OBSERVATIONS, MIN_LANDING_SHARE * len(heights))
    for i, height in enumerate(heights):
        near = [other for other in heights[i:] if other - height < SAME_HEIGHT_METRES]
        if height < under + SAME_HEIGHT_METRES and len(near) >= least:
            return near[len(near) // 2]
    return None


def _within_fall(under: float, heights: Iterable[float]) -> list[float]:
    """Return, ascending, the heights to which an object with its lower side at `under` may fall."""
    return sorted(y for y in heights if -MAX_FALL_METRES < y - under < MAX_FALL_METRES / 2)


MAX_END_SHIFT_METRES, END_SHIFT_STEP_METRES = 0.12, 0.006
"""How far, metres, an area's end may differ from the one that boxes show, and the search's step."""
FIT_TOLERANCE_METRES = 0.006  # how far from its lattice point an object may have settled, metres
SHIFT_PENALTY_PER_METRE = 12.0
"""The penalty for each metre of difference from the boxes, in objects on lattice points."""
SAME_END_METRES = 0.004  # two areas' ends that differ by less are on one line, metres
AREA_MARGIN_METRES = 0.02  # how far beyond an area's end an object still counts as on it, metres
_ROUNDING_METRES = 1e-9


def fit_areas(
    areas: Sequence[Surface], positions: Sequence[Vec2], case: Box | None = None
) -> Sequence[Surface]:
    """Return areas that boxes show, moved and stretched so that objects stand on lattice points.

    `positions` are the x and z of the resting objects, world, metres.  Of all areas that fit them,
    the most similar to the given one is returned.  An area is unchanged if it has no lattice or
    if there are fewer than two objects.

    Areas in a row, such as those of a counter between a sink and a stove, end at the same
    line in front and behind; the objects on all of them show these two lines.  No end moves out
    of `case`, the receptacle's box, because AI2-THOR's box of a receptacle holds its areas.
    """
    if len(positions) < 2 or not any(area.lattice for area in areas):
        return areas
    return _fit_areas(tuple(areas), tuple(positions), case)


@lru_cache(maxsize=1024)
def _fit_areas(
    areas: tuple[Surface, ...], positions: tuple[Vec2, ...], case: Box | None
) -> tuple[Surface, ...]:
    points = np.array(positions)
    return tuple(_fit_area(area, areas, points, case) if area.lattice else area for area in areas)


def _fit_area(
    surface: Surface, areas: Sequence[Surface], points: recorded_areas.Floats, case: Box | None
) -> Surface:
    sine, cosine = yaw_sin_cos(surface.yaw)
    half = surface.size[0] / 2, surface.size[1] / 2
    own = _to_axes(points - (surface.x, surface.z), sine, cosine)
    shows = np.zeros(own.shape, dtype=np.bool_)
    for other in areas:
        if not other.lattice or other.yaw != surface.yaw:
            continue
        middle = _to_axes(np.array([(other.x - surface.x, other.z - surface.z)]), sine, cosine)[0]
        its_half = np.array(other.size) / 2
        on_other = (np.abs(own - middle) < its_half + AREA_MARGIN_METRES).all(1)
        same_ends = np.abs(middle) + np.abs(its_half - half) < SAME_END_METRES
        shows |= on_other[:, None] & same_ends
    room = _room_within(case, surface)
    (low, high), (near, far) = (_fitted_ends(half[i], own[shows[:, i], i], room[i]) for i in (0, 1))
    dx, dz = (low + high) / 2, (near + far) / 2
    return replace(
        surface,
        x=surface.x + dx * cosine + dz * sine,
        z=surface.z - dx * sine + dz * cosine,
        size=(high - low, far - near),
    )


def _to_axes(offsets: recorded_areas.Floats, sine: float, cosine: float) -> recorded_areas.Floats:
    """Return offsets along the world's axes as offsets along a surface's own, shape (n, 2)."""
    x, z = offsets[:, 0], offsets[:, 1]
    return np.stack([x * cosine - z * sine, x * sine + z * cosine], 1)


def _room_within(case: Box | None, surface: Surface) -> Sequence[Vec2]:
    """Return how far the lower and the upper end of each side may move outwards, metres."""
    if case is None or case.yaw != surface.yaw:
        return ((inf, inf), (inf, inf))
    offset = np.array([(surface.x - case.center[0], surface.z - case.center[2])])
    off_x, off_z = (float(v) for v in _to_axes(offset, *yaw_sin_cos(surface.yaw))[0])
    spare_x, spare_z = (case.size[0] - surface.size[0]) / 2, (case.size[2] - surface.size[1]) / 2
    return (
        (max(spare_x + off_x, 0.0), max(spare_x - off_x, 0.0)),
        (max(spare_z + off_z, 0.0), max(spare_z - off_z, 0.0)),
    )


def _fitted_ends(half: float, coordinates: recorded_areas.Floats, room: Vec2) -> Vec2:
    """Return the best ends near -half and half; each may move outwards by `room` metres."""
    if len(coordinates) < 2:
        return -half, half
    steps, farthest = END_SHIFT_STEP_METRES, MAX_END_SHIFT_METRES
    count = min(int(farthest / steps), int(half / steps))
    shifts = np.arange(-count, count + 1) * END_SHIFT_STEP_METRES
    low, high = shifts[:, None, None] - half, shifts[None, :, None] + half
    cell = np.maximum((high - low) / facts.LATTICE_DIVISIONS, END_SHIFT_STEP_METRES)
    line = (coordinates - (low + high) / 2) / cell
    nearest = np.round(line)
    fit = np.clip(1.0 - np.abs(line - nearest) * cell / FIT_TOLERANCE_METRES, 0.0, 1.0)
    fit *= np.abs(nearest) < facts.LATTICE_DIVISIONS / 2
    change = np.abs(shifts)[:, None] + np.abs(shifts)[None, :]
    score = fit.sum(-1) - SHIFT_PENALTY_PER_METRE * change
    score[(-shifts > room[0] + _ROUNDING_METRES), :] = -inf
    score[:, (shifts > room[1] + _ROUNDING_METRES)] = -inf
    i, j = divmod(int(score.argmax()), len(shifts))
    return float(shifts[i]) - half, float(shifts[j]) + half
