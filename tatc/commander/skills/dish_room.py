"""Where a dish has room, by its asset's receptacle trigger boxes.

AI2-THOR puts an object only where its footprint lies within a trigger box of the dish, off
the rim and off what lies in the dish.  It tries the points of a lattice, nearest to the click
first, at quarter turns and, for most food, on all sides.  So a large slice may find no place
beside a few others that lie in the middle.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tatc.commander.skills.placement_points import PlacementPoints
from tatc.home.assets import DishArea, DishGeometry, radius_of_round_dish, wall_in_square_dish
from tatc.home.state import Box, ObjectState, yaw_sin_cos
from tatc.home.type_facts import (
    BOUNDING_BOX_MARGIN_METRES,
    EDGE_TOLERANCE_METRES,
    LATTICE_DIVISIONS,
    LYING_TYPES,
    TOUCHING_TOLERANCE_METRES,
)

Rectangles = NDArray[np.float64]
"""Rectangles in a dish's own axes: (n, 4), middle x and z, half width and half depth, metres."""


def free_places_in_dish(
    dish: ObjectState, known: DishGeometry, obj: ObjectState, contents: Sequence[ObjectState]
) -> Rectangles:
    """Return the footprints in which an object fits into a dish beside its contents."""
    taken = np.array([_rectangle_in(dish, other.box) for other in contents]).reshape(-1, 4)
    return np.concatenate([_places_on(dish, known, area, obj, taken) for area in known.areas])


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
    dish: ObjectState, known: DishGeometry, area: DishArea, obj: ObjectState, taken: Rectangles
) -> Rectangles:
    """Return the footprints that are taken on the lattice of one area, at most one a point.

    At each point the first footprint that is off the rim and off the contents decides: it must
    not stick out of the area.
    """
    is_crosswise = abs(yaw_sin_cos(area.yaw)[0]) > 0.5
    wide, deep = area.size[::-1] if is_crosswise else area.size
    shares = np.arange(1, LATTICE_DIVISIONS) / LATTICE_DIVISIONS - 0.5
    x, z = (each.ravel() for each in np.meshgrid(shares * wide, shares * deep, indexing="ij"))
    left, found = np.arange(len(x)), list[Rectangles]()
    footprints = _footprints(obj)
    for width, depth in (each[::-1] for each in footprints) if is_crosswise else footprints:
        size = width / 2 + BOUNDING_BOX_MARGIN_METRES, depth / 2 + BOUNDING_BOX_MARGIN_METRES
        places = np.stack(np.broadcast_arrays(x[left] + area.x, z[left] + area.z, *size), axis=-1)
        over_x = abs(x[left]) + size[0] - wide / 2 - EDGE_TOLERANCE_METRES
        over_z = abs(z[left]) + size[1] - deep / 2 - EDGE_TOLERANCE_METRES
        clear = ~_overlaps(places, taken).any(axis=1)
        if len({each.yaw for each in known.areas}) > 1:  # a round dish
            broad = min(dish.box.size[::2])
            rim = radius_of_round_dish(dish.objectType, broad, known.areas)
            clear &= np.hypot(abs(places[:, 0]) + size[0], abs(places[:, 1]) + size[1]) <= rim
        else:
            wall = wall_in_square_dish(dish.objectType, min(dish.box.size[::2]), area)
            clear &= (over_x <= -wall) & (over_z <= -wall)
        found.append(places[clear & (over_x <= 0.0) & (over_z <= 0.0)])
        left = left[~clear]
    return np.concatenate(found)


def _footprints(obj: ObjectState) -> list[tuple[float, float]]:
    """Return the widths and depths of an object at quarter turns, upright ones first."""
    width, height, depth = obj.box.size
    found = [(width, depth), (depth, width)]
    if obj.objectType in LYING_TYPES:
        found += [(width, height), (height, depth), (height, width), (depth, height)]
    return list(dict.fromkeys(found))


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
    most = some[:, None, 2:] + others[None, :, 2:] - TOUCHING_TOLERANCE_METRES
    return np.all(abs(apart) < most, axis=-1)
