"""Where a receptacle should have room: the Commander's estimate from boxes alone.

An object is taken to fit where its footprint, aligned with the room or turned by 90
degrees, overlaps no footprint of what stands there.  AI2-THOR tries points of a lattice,
nearest to the click first, so the Commander looks for a click near a free point.
"""

from collections.abc import Callable
from math import dist, hypot

import numpy as np

from tatc.actions import Verb
from tatc.camera.shapes import surface_height
from tatc.commander.plan_builder import PlanBuilder
from tatc.commander.skills.dish_room import Rectangles, free_places_in_dish, rank_places
from tatc.commander.skills.placement_points import (
    PLACEMENT_GAP_METRES,
    BoxBounds,
    PlacementPoints,
    blocked_points,
    points_for_footprint,
)
from tatc.planners.viewpoints import PointScorer
from tatc.state import Box, ObjectState, Vec3
from tatc.thor_types.assets import dish_geometry
from tatc.thor_types.facts import (
    BASIN_TYPES,
    HOLDS_ONE_TYPES,
    ROOM_NOT_GUESSED_TYPES,
    STRICT_DISH_TYPES,
)

WALL_THICKNESS_METRES = 0.01
"""Thickness of the walls of a hollow receptacle, on each side, metres."""
MAX_CLICK_OFFSET_METRES = 0.5
"""Distance from a free point beyond which a click will hardly lead to it, metres."""
REFUSED_POINT_RADIUS_METRES = 0.2
"""Distance from a refused point within which none is tried again, metres."""
CLEARANCE_METRES = 0.35
"""Distance that an object moved out of another's way keeps from it, metres."""


def footprint_radius(obj: ObjectState) -> float:
    """Return half the larger side of an object's footprint, metres."""
    return max(obj.box.size[0], obj.box.size[2]) / 2


def has_free_room(builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState) -> bool:
    """Return whether an object should fit somewhere on or in a receptacle."""
    if builder.optimistic:
        return True
    if _is_machine_in_use(builder, receptacle, obj):
        return False
    places = _places_in_dish(builder, receptacle, obj)
    if places is not None:
        return len(places) > 0
    points = free_points(builder, receptacle, obj)
    return points is None or len(points) > 0


def _is_machine_in_use(builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState) -> bool:
    """Return whether a toaster or coffee machine, which takes one thing, holds another."""
    if receptacle.objectType not in HOLDS_ONE_TYPES or not receptacle.affordances.toggleable:
        return False
    inside = builder.known.view.contents_of(receptacle)
    mine = (obj.objectId, builder.held_id)
    return any(t.affordances.pickupable and t.objectId not in mine for t in inside)


def free_point_scorer(
    builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState
) -> PointScorer:
    """Return a scorer of points on a receptacle by how near a free point is.

    The score is in metres.  It is below zero too far from any free point, and near a point
    where the object was refused before.
    """
    if receptacle.affordances.pickupable:
        return _dish_scorer(builder, receptacle, obj)
    free = free_points(builder, receptacle, obj)
    action_key = builder.action_key(Verb.PLACE, receptacle)
    refused = builder.known.memory.refused_points.get(action_key, [])

    def score(point: Vec3) -> float:
        if any(dist(point, other) < REFUSED_POINT_RADIUS_METRES for other in refused):
            return -1.0
        if free is None or (builder.optimistic and not len(free)):
            return 0.0
        if not len(free):
            return -1.0
        away = np.abs(free - (point[0], point[2])).max(axis=1)
        return MAX_CLICK_OFFSET_METRES - float(away.min())

    return score


def _places_in_dish(builder: PlanBuilder, dish: ObjectState, obj: ObjectState) -> Rectangles | None:
    """Return where an object fits into a dish; None for anything but a dish of a known asset.

    In a bowl without room beside its contents, these are the places in the empty bowl.
    """
    known = dish_geometry(dish.objectType, dish.mass, dish.box.size)
    if known is None:
        return None
    places = free_places_in_dish(dish, known, obj, _objects_taking_room(builder, dish, obj))
    if len(places) or dish.objectType in STRICT_DISH_TYPES:
        return places
    return free_places_in_dish(dish, known, obj, ())


def _dish_scorer(builder: PlanBuilder, dish: ObjectState, obj: ObjectState) -> PointScorer:
    """Return a scorer that prefers points of a dish from which much of its room is left.

    AI2-THOR tries all of a dish, starting at the click: the first object must not lie in
    the middle of the room that there is.  Where it lies is known only for a dish of a known
    asset; in others, points far from the contents and from the middle are preferred.
    """
    places = _places_in_dish(builder, dish, obj)
    if places is not None and len(places):
        points, rooms = rank_places(dish, places)

        def score_by_place(point: Vec3) -> float:
            away = np.hypot(*(points - (point[0], point[2])).T)
            nearest = int(away.argmin())
            return float(rooms[nearest]) + MAX_CLICK_OFFSET_METRES - float(away[nearest])

        return score_by_place
    others = [t.box.bounds() for t in _objects_taking_room(builder, dish, obj)]
    middle = dish.box.center

    def score(point: Vec3) -> float:
        away = [_horizontal_distance(point, low, high) for low, high in others]
        return min(away, default=0.0) + hypot(point[0] - middle[0], point[2] - middle[2])

    return score


def _horizontal_distance(point: Vec3, low: Vec3, high: Vec3) -> float:
    """Return the horizontal distance of a point from a box, metres."""
    x, _, z = point
    return hypot(max(low[0] - x, 0.0, x - high[0]), max(low[2] - z, 0.0, z - high[2]))


def _objects_taking_room(
    builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState
) -> list[ObjectState]:
    """Return the other objects that take room in or on a receptacle.

    An object in the air above an open receptacle counts, even if it stands on another.
    """
    known = builder.known
    others = {t.objectId: t for t in known.view.contents_of(receptacle)}
    if not _has_walls(receptacle):
        low, high = _space_above(receptacle, obj)
        near = known.view.find_objects(where=lambda t: _reaches_into(t.box, low, high))
        others |= {t.objectId: t for t in near}
    return [
        other
        for name, other in others.items()
        if _occupies_space(other)
        and not other.isPickedUp
        and name not in (obj.objectId, builder.held_id, receptacle.objectId)
    ]


def _space_above(receptacle: ObjectState, obj: ObjectState) -> tuple[Vec3, Vec3]:
    """Return the bounds of the space that an object might take on a receptacle, metres."""
    low, high = receptacle.box.bounds()
    level = surface_height(receptacle) + PLACEMENT_GAP_METRES
    return (low[0], level, low[2]), (high[0], level + obj.box.size[1], high[2])


def _reaches_into(box: Box, low: Vec3, high: Vec3) -> bool:
    """Whether a box reaches into a space; most stand at another height, which is tested first."""
    middle, half = box.center[1], box.size[1] / 2
    if middle - half >= high[1] or middle + half <= low[1]:
        return False
    below, above = box.bounds()
    return all(below[i] < high[i] and above[i] > low[i] for i in (0, 2))


def _has_walls(receptacle: ObjectState) -> bool:
    """Return whether a receptacle has walls around its contents."""
    able = receptacle.affordances
    return able.openable or able.pickupable or receptacle.objectType in BASIN_TYPES


def scorer_avoiding(obj: ObjectState, scorer: PointScorer) -> PointScorer:
    """Return a scorer that rules out points too near to an object."""
    x, _, z = obj.box.center
    apart = CLEARANCE_METRES + footprint_radius(obj)

    def score(point: Vec3) -> float:
        near = hypot(point[0] - x, point[2] - z) < apart
        return -1.0 if near else scorer(point)

    return score


def free_points(
    builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState
) -> PlacementPoints | None:
    """Return the points (n, 2) where an object should fit; None where boxes do not tell."""
    if not _is_single_level(receptacle):
        return None
    others = [other.box.bounds() for other in _objects_taking_room(builder, receptacle, obj)]
    found: list[PlacementPoints] = []
    for size in _possible_footprints(obj):
        points = points_for_footprint(_usable_bounds(receptacle), size)
        found.append(points[~blocked_points(points, size, others).any(axis=0)])
    return np.concatenate(found)


def fewest_to_clear(
    builder: PlanBuilder,
    receptacle: ObjectState,
    obj: ObjectState,
    must_stay: Callable[[ObjectState], bool],
) -> tuple[ObjectState, ...]:
    """Return the fewest objects to remove so that another fits; () if nothing helps.

    Only portable objects that need not stay (`must_stay`) are removed.  Among equally many,
    those with the smaller footprints are.
    """
    if not _is_single_level(receptacle):
        return ()
    others = _objects_taking_room(builder, receptacle, obj)
    bounds = [other.box.bounds() for other in others]
    area = [other.box.size[0] * other.box.size[2] for other in others]
    immovable = np.array([not o.affordances.pickupable or must_stay(o) for o in others], bool)
    options: list[tuple[int, float, tuple[int, ...]]] = []
    for size in _possible_footprints(obj):
        points = points_for_footprint(_usable_bounds(receptacle), size)
        for met in blocked_points(points, size, bounds).T:
            if not met[immovable].any():
                rows = tuple(np.flatnonzero(met).tolist())
                options.append((len(rows), sum(area[i] for i in rows), rows))
    _, _, fewest = min(options, default=(0, 0.0, ()))
    return tuple(others[i] for i in fewest)


def _is_single_level(receptacle: ObjectState) -> bool:
    """Return whether boxes tell where a receptacle has room: side by side on one level."""
    loose = receptacle.affordances.pickupable
    return not loose and receptacle.objectType not in ROOM_NOT_GUESSED_TYPES


def _usable_bounds(receptacle: ObjectState) -> BoxBounds:
    """Return a receptacle's bounds, inside its walls if it has any."""
    (x, y, z), (to_x, to_y, to_z) = receptacle.box.bounds()
    wall = WALL_THICKNESS_METRES if _has_walls(receptacle) else 0.0
    return (x + wall, y, z + wall), (to_x - wall, to_y, to_z - wall)


def _possible_footprints(obj: ObjectState) -> tuple[tuple[float, float], ...]:
    width, _, depth = obj.box.size
    return (width, depth), (depth, width)


def _occupies_space(obj: ObjectState) -> bool:
    """Return whether an object takes room; AI2-THOR lists furniture as a sink's contents."""
    return obj.affordances.pickupable or obj.affordances.moveable
