"""Where a receptacle should have room: the Commander's estimate from boxes alone.

An object is taken to fit where its footprint, aligned with the room or turned by 90 degrees,
overlaps no footprint of what stands there.  As AI2-THOR does (found in the recordings of version
3.1.0), a receptacle is divided by eight in each direction, and an object goes to one of the points
between.

In a dish, its asset's receptacle trigger boxes decide: the footprint must lie within one of them,
off the rim and off what lies in the dish.  Most food is also tried lying on each side.  A large
slice may still find no place beside a few others that lie in the middle.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations
from math import fsum

import numpy as np
from numpy.typing import NDArray

from tatc.commander.plan_builder import PlanBuilder
from tatc.home import assets, type_facts
from tatc.home.camera.shapes import surface_height
from tatc.home.state import Box, ObjectState, Vec2, Vec3, yaw_sin_cos

PlacementPoints = NDArray[np.float64]  # points on the floor plan, shape (n, 2): x, z in metres
BoxBounds = tuple[Vec3, Vec3]  # the lowest and the highest corner of an axis-aligned box, metres
Rectangles = NDArray[np.float64]
"""Rectangles in a dish's own axes: (n, 4), middle x and z, half width and half depth, metres."""
ObjectTest = Callable[[ObjectState], bool]
WALL_THICKNESS_METRES = 0.01  # thickness of the walls of a hollow receptacle, on each side, metres
PLACEMENT_GAP_METRES = 0.002  # distance kept from the objects that stand there, metres
FOOTPRINT_SLACK_METRES = 0.01
"""Distance by which an object may stick out, because boxes are rough, metres."""
_MAX_CLEARED_FROM_DISH = 3  # objects that are taken out of a dish at once
# A burner also lists what is beside it.
_HOLDS_ONE_TYPES = type_facts.HOLDS_ONE_TYPES - {type_facts.BURNER_TYPE}


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
    """Return where an object fits into a dish; None if its asset is unknown."""
    known = assets.dish_geometry(dish.objectType, dish.mass, dish.box.size)
    if known is None:
        return None
    places = free_places_in_dish(dish, known, obj, objects_taking_room(builder, dish, obj))
    if len(places) or dish.objectType in type_facts.STRICT_DISH_TYPES:
        return places
    # In a dish that is no plate, boxes tell too little of the contents: it is taken to be empty.
    return free_places_in_dish(dish, known, obj, ())


def objects_taking_room(
    builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState
) -> list[ObjectState]:
    """Return the others that take room on (or above) a receptacle and should still be there."""
    known = builder.known
    others = {t.objectId: t for t in known.view.contents_of(receptacle)}
    if not _has_walls(receptacle):
        low, high = _space_above(receptacle, obj)
        others |= {t.objectId: t for t in known.view.objects_within(low, high)}
    return [
        other
        for name, other in others.items()
        # A chair beside a table takes no room on it.
        if (other.affordances.pickupable or other.objectType in type_facts.FIXED_OBSTACLE_TYPES)
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


def _has_walls(receptacle: ObjectState) -> bool:
    able = receptacle.affordances
    return able.openable or able.pickupable or receptacle.objectType in type_facts.BASIN_TYPES


def free_points(
    builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState
) -> PlacementPoints | None:
    """Return the points (n, 2) where an object should fit; None where boxes do not tell."""
    if not _is_single_level(receptacle):
        return None
    others = tuple(map(_bounds_taken_by, objects_taking_room(builder, receptacle, obj)))
    return _points_beside(_usable_bounds(receptacle), _possible_footprints(obj), others)


@lru_cache(maxsize=512)
def _points_beside(
    place: BoxBounds, footprints: tuple[Vec2, ...], others: tuple[BoxBounds, ...]
) -> PlacementPoints:
    """Return the points (read-only) where footprints overlap none of the others' bounds."""
    found: list[PlacementPoints] = []
    for size in footprints:
        points = points_for_footprint(place, size)
        found.append(points[~blocked_points(points, size, others).any(axis=0)])
    return _read_only(np.concatenate(found))


def _read_only(values: PlacementPoints) -> PlacementPoints:
    values.setflags(write=False)
    return values


def fitting_points(receptacle: ObjectState, obj: ObjectState) -> PlacementPoints:
    """Return the points (n, 2) where an object would fit on the emptied receptacle."""
    bounds = _usable_bounds(receptacle)
    return np.concatenate([points_for_footprint(bounds, s) for s in _possible_footprints(obj)])


def fewest_to_clear(
    builder: PlanBuilder, receptacle: ObjectState, obj: ObjectState, must_stay: ObjectTest
) -> tuple[ObjectState, ...]:
    """Return the fewest, then smallest, portable objects to remove so that another fits, or ()."""
    if receptacle.objectType in _HOLDS_ONE_TYPES:
        inside = _contents_in_the_way(builder, receptacle, obj)
        return () if any(map(must_stay, inside)) else tuple(inside)
    others = objects_taking_room(builder, receptacle, obj)
    if not _is_single_level(receptacle):
        return _fewest_to_clear_from_dish(receptacle, obj, others, must_stay)
    bounds = list(map(_bounds_taken_by, others))
    area = [other.box.area for other in others]
    immovable = np.array([not o.affordances.pickupable or must_stay(o) for o in others], bool)
    options: list[tuple[int, float, tuple[int, ...]]] = []
    for size in _possible_footprints(obj):
        points = points_for_footprint(_usable_bounds(receptacle), size)
        for met in blocked_points(points, size, bounds).T:
            if not met[immovable].any():
                rows = tuple(np.flatnonzero(met).tolist())
                options.append((len(rows), fsum(area[i] for i in rows), rows))
    _, _, fewest = min(options, default=(0, 0.0, ()))
    return tuple(others[i] for i in fewest)


def _fewest_to_clear_from_dish(
    dish: ObjectState, obj: ObjectState, others: list[ObjectState], must_stay: ObjectTest
) -> tuple[ObjectState, ...]:
    """Return the fewest objects to take out of a dish; () where its asset is not known."""
    known = assets.dish_geometry(dish.objectType, dish.mass, dish.box.size)
    if known is None:
        return ()
    loose = [t for t in others if t.affordances.pickupable and not must_stay(t)]
    loose.sort(key=lambda t: t.box.area)
    counts = range(1, _MAX_CLEARED_FROM_DISH + 1)
    for taken in chain.from_iterable(combinations(loose, count) for count in counts):
        if len(free_places_in_dish(dish, known, obj, [t for t in others if t not in taken])):
            return taken
    return ()


def _is_single_level(receptacle: ObjectState) -> bool:
    """Return whether boxes tell where a receptacle has room: side by side on one level."""
    loose = receptacle.affordances.pickupable
    return not loose and receptacle.objectType not in type_facts.ROOM_NOT_GUESSED_TYPES


def _usable_bounds(receptacle: ObjectState) -> BoxBounds:
    """Return a receptacle's bounds, inside its walls if it has any."""
    (x, y, z), (to_x, to_y, to_z) = receptacle.box.bounds()
    wall = WALL_THICKNESS_METRES if _has_walls(receptacle) else 0.0
    return (x + wall, y, z + wall), (to_x - wall, to_y, to_z - wall)


def _possible_footprints(obj: ObjectState) -> tuple[Vec2, ...]:
    width, _, depth = obj.box.size
    return (width, depth), (depth, width)


def _bounds_taken_by(obj: ObjectState) -> BoxBounds:
    """Return the bounds of the room that an object takes, which may have a narrow foot."""
    width, height, depth = obj.box.size
    share = type_facts.OBSTACLE_WIDTH_SHARES.get(obj.objectType, 1.0)
    return replace(obj.box, size=(share * width, height, share * depth)).bounds()


@lru_cache(maxsize=512)
def points_for_footprint(place: BoxBounds, size: Vec2) -> PlacementPoints:
    """Return the points (read-only) where a footprint (width, depth, metres) does not stick out."""
    low, high = place
    half = np.array(size) / 2
    start, stop = np.array((low[0], low[2])), np.array((high[0], high[2]))
    shares = np.arange(1, type_facts.LATTICE_DIVISIONS)[:, None] / type_facts.LATTICE_DIVISIONS
    lattice = start + shares * (stop - start)
    fits = (lattice >= start + half - FOOTPRINT_SLACK_METRES) & (
        lattice <= stop - half + FOOTPRINT_SLACK_METRES
    )
    xs, zs = lattice[fits[:, 0], 0], lattice[fits[:, 1], 1]
    return _read_only(np.stack(np.meshgrid(xs, zs, indexing="ij"), axis=-1).reshape(-1, 2))


def blocked_points(
    points: PlacementPoints, size: Vec2, other_bounds: Sequence[BoxBounds]
) -> NDArray[np.bool_]:
    """Return which of the others (rows) block which points (columns)."""
    half = np.array(size) / 2 + PLACEMENT_GAP_METRES
    lows = np.array([(low[0], low[2]) for low, _ in other_bounds]).reshape(-1, 1, 2)
    highs = np.array([(high[0], high[2]) for _, high in other_bounds]).reshape(-1, 1, 2)
    meets = (points > lows - half) & (points < highs + half)
    return meets[..., 0] & meets[..., 1]


def points_beyond(points: PlacementPoints, stands: Sequence[Vec2], reach: float) -> PlacementPoints:
    """Return the points that are more than `reach` metres, level, from every stand (x, z)."""
    away = points[:, None, :] - np.array(stands).reshape(1, -1, 2)
    return points[(np.hypot(away[..., 0], away[..., 1]) > reach).all(axis=1)]


def free_places_in_dish(
    dish: ObjectState, known: assets.DishGeometry, obj: ObjectState, contents: Sequence[ObjectState]
) -> Rectangles:
    """Return the footprints (read-only) in which an object fits into a dish beside its contents."""
    kind = dish.objectType, min(dish.box.size[::2])
    taken = tuple(_rectangle_in(dish, other.box) for other in contents)
    return _places_beside(kind, known, _footprints(obj), taken)


@lru_cache(maxsize=512)
def _places_beside(
    kind: tuple[str, float],
    known: assets.DishGeometry,
    footprints: tuple[Vec2, ...],
    taken: tuple[tuple[float, float, float, float], ...],
) -> Rectangles:
    others = np.array(taken).reshape(-1, 4)
    found = [_places_on(kind, known, area, footprints, others) for area in known.areas]
    return _read_only(np.concatenate(found))


def world_points(dish: ObjectState, places: Rectangles) -> PlacementPoints:
    """Return the middles of places in a dish (n, 2): world x and z, metres."""
    sine, cosine = yaw_sin_cos(dish.rotation[1])
    x, z = places[:, 0], places[:, 1]
    points = np.stack([x * cosine + z * sine, z * cosine - x * sine], axis=-1)
    return points + np.array(dish.position[::2])


def count_free_beside(places: Rectangles, others: Rectangles) -> NDArray[np.int64]:
    """Return how many other places each of some places leaves free."""
    return (~_overlaps(places, others)).sum(axis=1)


def _places_on(
    kind: tuple[str, float],
    known: assets.DishGeometry,
    area: assets.DishArea,
    footprints: tuple[Vec2, ...],
    taken: Rectangles,
) -> Rectangles:
    """Return the footprints that an object may take in one area, at most one at each lattice point.

    At each point the first footprint that is off the rim and off the contents decides: it must
    not stick out of the area.  `kind` is the dish's type and the narrower side of its box, metres.
    """
    is_crosswise = abs(yaw_sin_cos(area.yaw)[0]) > 0.5
    wide, deep = area.size[::-1] if is_crosswise else area.size
    shares = np.arange(1, type_facts.LATTICE_DIVISIONS) / type_facts.LATTICE_DIVISIONS - 0.5
    x, z = (each.ravel() for each in np.meshgrid(shares * wide, shares * deep, indexing="ij"))
    left, found = np.arange(len(x)), list[Rectangles]()
    for width, depth in (each[::-1] for each in footprints) if is_crosswise else footprints:
        size = (
            width / 2 + type_facts.BOUNDING_BOX_MARGIN_METRES,
            depth / 2 + type_facts.BOUNDING_BOX_MARGIN_METRES,
        )
        places = np.stack(np.broadcast_arrays(x[left] + area.x, z[left] + area.z, *size), axis=-1)
        over_x = abs(x[left]) + size[0] - wide / 2 - type_facts.EDGE_TOLERANCE_METRES
        over_z = abs(z[left]) + size[1] - deep / 2 - type_facts.EDGE_TOLERANCE_METRES
        clear = ~_overlaps(places, taken).any(axis=1)
        if len({each.yaw for each in known.areas}) > 1:  # a round dish
            rim = assets.radius_of_round_dish(*kind, known.areas)
            clear &= np.hypot(abs(places[:, 0]) + size[0], abs(places[:, 1]) + size[1]) <= rim
        else:
            wall = assets.wall_in_square_dish(*kind, area)
            clear &= (over_x <= -wall) & (over_z <= -wall)
        found.append(places[clear & (over_x <= 0.0) & (over_z <= 0.0)])
        left = left[~clear]
    return np.concatenate(found)


def _footprints(obj: ObjectState) -> tuple[Vec2, ...]:
    """Return the widths and depths of an object at quarter turns, upright ones first."""
    width, height, depth = obj.box.size
    found = [(width, depth), (depth, width)]
    if obj.objectType in type_facts.LYING_TYPES:
        found += [(width, height), (height, depth), (height, width), (depth, height)]
    return tuple(dict.fromkeys(found))


def _rectangle_in(dish: ObjectState, box: Box) -> tuple[float, float, float, float]:
    """Return the bounds of a box in a dish's own axes, as a row of `Rectangles`."""
    sine, cosine = yaw_sin_cos(dish.rotation[1])
    dx, dz = box.center[0] - dish.position[0], box.center[2] - dish.position[2]
    (turn_sine, turn_cosine), (width, _, depth) = yaw_sin_cos(box.yaw - dish.rotation[1]), box.size
    half_width = (abs(turn_cosine) * width + abs(turn_sine) * depth) / 2
    half_depth = (abs(turn_sine) * width + abs(turn_cosine) * depth) / 2
    return dx * cosine - dz * sine, dx * sine + dz * cosine, half_width, half_depth


def _overlaps(some: Rectangles, others: Rectangles) -> NDArray[np.bool_]:
    """Return which rectangles (rows) overlap which others (columns)."""
    apart = some[:, None, :2] - others[None, :, :2]
    most = some[:, None, 2:] + others[None, :, 2:] - type_facts.TOUCHING_TOLERANCE_METRES
    return np.all(abs(apart) < most, axis=-1)
