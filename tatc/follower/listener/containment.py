"""Finds the receptacles that an object is in or on, from boxes alone."""

from collections.abc import Container, Iterable, Mapping
from math import hypot, inf

from tatc.home.camera.shapes import surface_height
from tatc.home.containment import holder_of
from tatc.home.state import Box, ObjectState
from tatc.home.type_facts import FLOOR_TYPE, HEAP_TYPES, SINK_TYPES

MAX_SURFACE_GAP_METRES = 0.3
"""How far the underside of an object may be from the surface that it lies on, metres: boxes of
furniture reach up to 30 cm above its board."""
MAX_OVERHANG_METRES = 0.03
"""How far the middle of an object may lie beyond the edge of what it stands on, metres."""
SAME_GAP_METRES = 0.05
"""Surfaces whose distances from an object differ by less are equally near, metres."""
MIN_ABOVE_DISH_METRES = 0.004
"""How far above the underside of a dish what lies on it is at least, metres: half the thickness of
the thinnest."""
MAX_NESTING = 4
"""Receptacles that stand in one another, at most."""


def receptacles_around(obj: ObjectState, receptacles: Iterable[ObjectState]) -> tuple[str, ...]:
    """Return the ids of the receptacles that an object in view is in or on, the nearest first.

    What is in view is in no closed container.  A receptacle that can be picked up is followed by
    what it stands in or on itself.  Empty where there is none.
    """
    known = tuple(receptacles)
    found: list[str] = []
    current: ObjectState | None = obj
    while current is not None and len(found) < MAX_NESTING:
        holder = holder_of(current, known, _rank)
        if holder is None or holder.objectId in found or holder.objectId == obj.objectId:
            break
        found.append(holder.objectId)
        current = holder if holder.affordances.pickupable else None
    return tuple(found)


def without_cycles(
    parents: Mapping[str, tuple[str, ...]], placed: Container[str]
) -> dict[str, tuple[str, ...]]:
    """Return what each object is in or on, so that nothing is in what is in it.

    Boxes that are guessed can say so of two dishes that touch.  What was `placed` by an own action
    keeps its receptacles then, and the other has none.
    """
    found = dict(parents)
    for name, around in parents.items():
        if name not in placed and any(name in parents.get(holder, ()) for holder in around):
            found[name] = ()
    return found


def _rank(place: ObjectState, obj: ObjectState) -> tuple[bool, int, float] | None:
    """Return a receptacle's rank, lowest first (walls, height, footprint); None if it has none."""
    if place.objectId == obj.objectId or place.isPickedUp or place.isSliced:
        return None
    if place.affordances.openable and not place.isOpen:
        return None
    if place.affordances.pickupable and _footprint(place.box) <= _footprint(obj.box):
        return None
    x, _, z = obj.box.center
    if place.box.horizontal_distance(x, z) > MAX_OVERHANG_METRES:
        return None
    if place.affordances.pickupable and not _is_on_dish(place.box, obj.box):
        return None
    if _has_walls(place):
        low, high = place.box.bottom, place.box.top
        under = obj.box.bottom
        middle = obj.box.center[1]
        inside = low - MAX_OVERHANG_METRES <= under and middle <= high + SAME_GAP_METRES
        return (False, 0, _footprint(place.box)) if inside else None
    gap = surface_gap(place, obj)
    if gap > MAX_SURFACE_GAP_METRES:
        return None
    return True, round(gap / SAME_GAP_METRES), _footprint(place.box)


def _is_on_dish(dish: Box, thing: Box) -> bool:
    """Return whether a thing is on or in a dish, and not beside it where its box has corners."""
    away = hypot(dish.center[0] - thing.center[0], dish.center[2] - thing.center[2])
    above = thing.bottom - dish.bottom
    return away <= max(dish.size[0], dish.size[2]) / 2 and above >= MIN_ABOVE_DISH_METRES


def surface_gap(place: ObjectState, obj: ObjectState) -> float:
    """Return the gap between an object and a receptacle's surface, metres; infinite if below it."""
    low, high = place.box.bottom, place.box.top
    under = obj.box.bottom
    if under < low - MAX_OVERHANG_METRES:
        return inf
    surface = high if place.objectType == FLOOR_TYPE else surface_height(place)
    return abs(under - surface)


def _has_walls(place: ObjectState) -> bool:
    able = place.affordances
    kind = place.objectType
    return able.openable or able.pickupable or kind in SINK_TYPES or kind in HEAP_TYPES


def _footprint(box: Box) -> float:
    return box.size[0] * box.size[2]
