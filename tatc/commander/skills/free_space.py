"""Where a receptacle should have room: the Commander's estimate from boxes alone.

An object is taken to fit where its footprint, aligned with the room or turned by 90
degrees, overlaps no footprint of what stands there.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, combinations

import numpy as np

from tatc.commander.plan_builder import PlanBuilder
from tatc.commander.skills.dish_room import Rectangles, free_places_in_dish
from tatc.commander.skills.placement_points import (
    PLACEMENT_GAP_METRES,
    BoxBounds,
    PlacementPoints,
    blocked_points,
    points_for_footprint,
)
from tatc.home.assets import dish_geometry
from tatc.home.camera.shapes import surface_height
from tatc.home.state import Box, ObjectState, Vec3
from tatc.home.type_facts import (
    BASIN_TYPES,
    BURNER_TYPE,
    FIXED_OBSTACLE_TYPES,
    HOLDS_ONE_TYPES,
    OBSTACLE_WIDTH_SHARES,
    ROOM_NOT_GUESSED_TYPES,
    STRICT_DISH_TYPES,
)

WALL_THICKNESS_METRES = 0.01
"""Thickness of the walls of a hollow receptacle, on each side, metres."""
_MAX_CLEARED_FROM_DISH = 3  # objects that are taken out of a dish at once
_HOLDS_ONE_TYPES = HOLDS_ONE_TYPES - {BURNER_TYPE}  # a burner also lists what is beside it


def footprint_radius(obj: ObjectState) -> float:
    """Return half the larger side of an object's footprint, metres."""
    return max(obj.box.size[0], obj.box.size[2]) / 2


def has_free_room(builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState) -> bool:
    """Return whether an object should fit somewhere on or in a receptacle."""
    if builder.optimistic:
        return True
    if receptacle.objectType in _HOLDS_ONE_TYPES:
        return not _contents_in_the_way(builder, receptacle, obj)
    places = places_in_dish(builder, receptacle, obj)
    if places is not None:
        return len(places) > 0
    points = free_points(builder, receptacle, obj)
    return points is None or len(points) > 0


def places_in_dish(builder: PlanBuilder, dish: ObjectState, obj: ObjectState) -> Rectangles | None:
    """Return where an object fits into a dish; None for anything but a dish of a known asset.

    In a bowl without room beside its contents, these are the places in the empty bowl.
    """
    known = dish_geometry(dish.objectType, dish.mass, dish.box.size)
    if known is None:
        return None
    places = free_places_in_dish(dish, known, obj, objects_taking_room(builder, dish, obj))
    if len(places) or dish.objectType in STRICT_DISH_TYPES:
        return places
    return free_places_in_dish(dish, known, obj, ())


def objects_taking_room(
    builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState
) -> list[ObjectState]:
    """Return the other objects that take room in or on a receptacle.

    An object in the air above an open receptacle counts, even if it stands on another.  One
    that should have been taken away does not.
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
        and not builder.is_taken_away(other)
        and name not in (obj.objectId, builder.held_id, receptacle.objectId)
    ]


def _contents_in_the_way(
    builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState
) -> list[ObjectState]:
    """Return the other objects in a receptacle that takes one thing."""
    inside = {t.objectId for t in builder.known.view.contents_of(receptacle)}
    return [t for t in objects_taking_room(builder, receptacle, obj) if t.objectId in inside]


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


def free_points(
    builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState
) -> PlacementPoints | None:
    """Return the points (n, 2) where an object should fit; None where boxes do not tell."""
    if not _is_single_level(receptacle):
        return None
    others = list(map(_bounds_taken_by, objects_taking_room(builder, receptacle, obj)))
    found: list[PlacementPoints] = []
    for size in _possible_footprints(obj):
        points = points_for_footprint(_usable_bounds(receptacle), size)
        found.append(points[~blocked_points(points, size, others).any(axis=0)])
    return np.concatenate(found)


def fitting_points(receptacle: ObjectState, obj: ObjectState) -> PlacementPoints:
    """Return the points (n, 2) where an object would fit on the emptied receptacle."""
    bounds = _usable_bounds(receptacle)
    return np.concatenate([points_for_footprint(bounds, s) for s in _possible_footprints(obj)])


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
    if receptacle.objectType in _HOLDS_ONE_TYPES:
        inside = _contents_in_the_way(builder, receptacle, obj)
        return () if any(map(must_stay, inside)) else tuple(inside)
    others = objects_taking_room(builder, receptacle, obj)
    if not _is_single_level(receptacle):
        return _fewest_to_clear_from_dish(receptacle, obj, others, must_stay)
    bounds = list(map(_bounds_taken_by, others))
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


def _fewest_to_clear_from_dish(
    dish: ObjectState,
    obj: ObjectState,
    others: list[ObjectState],
    must_stay: Callable[[ObjectState], bool],
) -> tuple[ObjectState, ...]:
    """Return the fewest objects to take out of a dish; () where its asset is not known."""
    known = dish_geometry(dish.objectType, dish.mass, dish.box.size)
    if known is None:
        return ()
    loose = [t for t in others if t.affordances.pickupable and not must_stay(t)]
    loose.sort(key=lambda t: t.box.size[0] * t.box.size[2])
    counts = range(1, _MAX_CLEARED_FROM_DISH + 1)
    for taken in chain.from_iterable(combinations(loose, count) for count in counts):
        left = [t for t in others if t not in taken]
        if len(free_places_in_dish(dish, known, obj, left)):
            return taken
    return ()


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
    """Return whether an object takes room on furniture.

    A chair whose back rises beside a table takes none; AI2-THOR lists furniture as a sink's
    contents.
    """
    return obj.affordances.pickupable or obj.objectType in FIXED_OBSTACLE_TYPES


def _bounds_taken_by(obj: ObjectState) -> BoxBounds:
    """Return the bounds of the room that an object takes, which may have a narrow foot."""
    width, height, depth = obj.box.size
    share = OBSTACLE_WIDTH_SHARES.get(obj.objectType, 1.0)
    return replace(obj.box, size=(share * width, height, share * depth)).bounds()
