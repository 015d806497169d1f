"""Where a held thing comes to stand: near the click, where it fits among the rest.

A receptacle's surfaces come from `tatc.sim.surfaces`; a thing stands on one where its
own box meets no other.  Points are tried nearest to the clicked one first, as
AI2-THOR's putNearXY does, with the thing squared to the receptacle and then turned by a
quarter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import ceil

from tatc.doors import SWING
from tatc.sim.embedded.footing import LONGEST
from tatc.sim.embedded.house import House
from tatc.sim.surfaces import Surface, surfaces_of
from tatc.state import Box, ObjectState, Vec3, turned

ONLY = {
    "CoffeeMachine": "Mug",
    "HandTowelHolder": "HandTowel",
    "Toaster": "BreadSliced",
    "ToiletPaperHanger": "ToiletPaper",
    "TowelHolder": "Towel",
}
"""Receptacles that take one type only (in recorded play nothing else ever went in)."""
MUST_BE_OPEN = frozenset(
    {"Box", "Cabinet", "Drawer", "Fridge", "LaundryHamper", "Microwave"}
)
"""AI2-THOR's MustBeOpenToPlaceObjectsIn."""
SEVERAL = {"CoffeeMachine": 1, "Cup": 1, "Mug": 1, "Toaster": 2}
"""How many things fit where it is not only a question of room."""
HEAPED = frozenset({"Box", "GarbageCan", "LaundryHamper"})
"""Receptacles in which things lie on one another."""
BULKY = frozenset(
    {
        "CoffeeMachine",
        "Desktop",
        "DeskLamp",
        "HousePlant",
        "Microwave",
        "RoomDecor",
        "Television",
        "Toaster",
    }
)
"""What stands on furniture and cannot be carried, yet takes its room."""
CARRIERS = frozenset({"CoffeeMachine"})
"""Fixed receptacles whose contents are also in what they stand on, as in a plate."""

FINE, COARSE = 0.02, 0.05
"""Spacing of the points tried on a small and on a large receptacle, metres."""
SMALL = 0.6
FAR = 0.6
"""No thing lands farther from the clicked point along each axis, metres."""
GAP = 0.002
OVER = 0.03
"""How much higher than the room under a roof a thing may be, metres."""
SLACK = 0.01
"""How much wider than the room between the walls a thing may be, metres."""
LOW = 0.45
"""What stands lower than this above the floor also counts as on the floor."""

NO_ROOM = "No valid positions to place object found"


def find_spot(
    house: House, held: ObjectState, receptacle: ObjectState, point: Vec3
) -> Box | str:
    """Return the box of the held thing standing in a receptacle, or a refusal.

    `point` is the clicked point of the receptacle.
    """
    kind = receptacle.objectType
    if ONLY.get(kind, held.objectType) != held.objectType:
        return f"{held.objectType} is not a valid Object Type to be placed in {kind}"
    if kind in MUST_BE_OPEN and receptacle.affordances.openable:
        if not receptacle.isOpen:
            return (
                f"Target openable Receptacle is CLOSED, can't place if target is {kind}"
            )
    inside = house.contents(receptacle.objectId)
    if len(inside) >= SEVERAL.get(kind, len(inside) + 1):
        return NO_ROOM
    levels = _levels(house, receptacle, point)
    if kind in HEAPED:
        levels = [*levels, *_on_top(levels, inside, receptacle)]
    for surface in levels:
        near = _in_the_way(house, held, receptacle, surface)
        spot = _first_free(held.box, surface, point, near)
        if spot is not None:
            return spot
    return NO_ROOM


def parents_at(house: House, receptacle: ObjectState, box: Box) -> tuple[str, ...]:
    """Return the receptacles that a thing standing in this one is in, as THOR lists.

    Those that a dish or another carrier is in count too (in recorded end states in 99
    of 100 cases), those of furniture do not; what stands low is on the floor as well.
    """
    above = receptacle.parentReceptacles or ()
    carried = receptacle.affordances.pickupable or receptacle.objectType in CARRIERS
    found = {receptacle.objectId, *(above if carried else ())}
    for floor in house.of_type("Floor"):
        under = box.center[1] - box.size[1] / 2
        if floor.objectId in above and under - floor.position[1] < LOW:
            found.add(floor.objectId)
    return tuple(sorted(found))


def overlap(a: Box, b: Box) -> bool:
    """Return whether two boxes share room, apart from touching."""
    if abs(a.center[1] - b.center[1]) >= (a.size[1] + b.size[1]) / 2 - GAP:
        return False
    apart = b.center[0] - a.center[0], b.center[2] - a.center[2]
    return all(_meet(a, b, apart, axis) for axis in _axes(a.yaw, b.yaw))


def _levels(house: House, receptacle: ObjectState, point: Vec3) -> Sequence[Surface]:
    """Return the receptacle's surfaces, the nearest in height to the click first."""
    resting = house.resting.get(receptacle.objectId, ())
    case = replace(receptacle, box=_case_of(house, receptacle))
    levels = surfaces_of(case, resting)
    return sorted(levels, key=lambda level: abs(level.y - point[1]))


def _on_top(
    levels: Sequence[Surface], inside: Sequence[ObjectState], receptacle: ObjectState
) -> Iterator[Surface]:
    """Yield the level on top of what lies in a receptacle, if it is not full."""
    tops = [thing.box.center[1] + thing.box.size[1] / 2 for thing in inside]
    rim = receptacle.box.center[1] + receptacle.box.size[1] / 2
    if levels and tops and max(tops) < rim:
        yield replace(levels[0], y=max(tops))


def _in_the_way(
    house: House, held: ObjectState, receptacle: ObjectState, surface: Surface
) -> list[Box]:
    """Return the boxes that a thing on this surface must not touch."""
    boxes: list[Box] = []
    for thing in house.things:
        parents = thing.parentReceptacles or ()
        if not _takes_room(thing) or held.objectId in parents:
            continue
        if receptacle.objectId in parents:
            boxes.append(_case_of(house, thing))
        elif not surface.inside and thing.objectId not in _stack(receptacle):
            boxes.append(_case_of(house, thing))
    return boxes


def _case_of(house: House, thing: ObjectState) -> Box:
    """Return an object's box, without its doors where they stand open."""
    shut = house.shut(thing.objectId)
    return shut.box if shut is not None and thing.objectType in SWING else thing.box


def _takes_room(thing: ObjectState) -> bool:
    able = thing.affordances
    if able.pickupable:
        present = not (thing.isPickedUp or thing.isSliced)
        return present and max(thing.box.size) < LONGEST
    return thing.objectType in BULKY


def _stack(receptacle: ObjectState) -> tuple[str, ...]:
    """Return a receptacle and what it stands in, whose boxes a thing on it meets."""
    return (receptacle.objectId, *(receptacle.parentReceptacles or ()))


def _first_free(
    box: Box, surface: Surface, point: Vec3, others: Sequence[Box]
) -> Box | None:
    width, height, depth = box.size
    if height > surface.headroom + OVER:
        return None
    y = surface.y + height / 2
    near = [o for o in others if _near(o, point, box, y)]
    for turn in (0.0, 90.0):
        size = (width, depth) if turn == 0.0 else (depth, width)
        for x, z in _points(surface, point, size):
            yaw = (surface.yaw + turn) % 360.0
            tried = Box((x, y, z), box.size, yaw)
            if not any(overlap(tried, other) for other in near):
                return tried
    return None


def _near(other: Box, point: Vec3, box: Box, y: float) -> bool:
    if abs(other.center[1] - y) >= (other.size[1] + box.size[1]) / 2 - GAP:
        return False
    reach = FAR + (max(box.size[::2]) + max(other.size[::2]))
    apart = abs(other.center[0] - point[0]), abs(other.center[2] - point[2])
    return max(apart) < reach


def _points(
    surface: Surface, point: Vec3, footprint: tuple[float, float]
) -> Iterator[tuple[float, float]]:
    """Yield where a footprint's middle may be, nearest to the click first: world x, z.

    Within walls the whole footprint must lie on the surface, else only its middle.
    """
    half = surface.size[0] / 2, surface.size[1] / 2
    if surface.inside:
        half = half[0] - footprint[0] / 2, half[1] - footprint[1] / 2
        if min(half) < -SLACK:
            return
        half = max(half[0], 0.0), max(half[1], 0.0)
    sine, cosine = turned(surface.yaw)
    dx, dz = point[0] - surface.x, point[2] - surface.z
    along = _clamp(dx * cosine - dz * sine, half[0])
    across = _clamp(dx * sine + dz * cosine, half[1])
    step = FINE if max(surface.size) < SMALL else COARSE
    for i, j in _offsets(ceil(FAR / step)):
        a, b = along + i * step, across + j * step
        if abs(a) <= half[0] and abs(b) <= half[1]:
            yield (
                surface.x + a * cosine + b * sine,
                surface.z - a * sine + b * cosine,
            )


@cache
def _offsets(reach: int) -> tuple[tuple[int, int], ...]:
    """Return grid offsets up to a reach, nearest first, in one fixed order."""
    span = range(-reach, reach + 1)
    return tuple(
        sorted(
            ((i, j) for i in span for j in span),
            key=lambda o: (o[0] * o[0] + o[1] * o[1], o),
        )
    )


Axis = tuple[float, float]


def _axes(*yaws: float) -> Iterator[Axis]:
    for yaw in yaws:
        sine, cosine = turned(yaw)
        yield (cosine, -sine)
        yield (sine, cosine)


def _extent(box: Box, axis: Axis) -> float:
    """Return half the length of a footprint's shadow on an axis."""
    (ax, az), (bx, bz) = _axes(box.yaw)
    along = abs(ax * axis[0] + az * axis[1]) * box.size[0]
    return (along + abs(bx * axis[0] + bz * axis[1]) * box.size[2]) / 2


def _meet(a: Box, b: Box, apart: tuple[float, float], axis: Axis) -> bool:
    off = abs(apart[0] * axis[0] + apart[1] * axis[1])
    return off < _extent(a, axis) + _extent(b, axis) - GAP


def _clamp(value: float, half: float) -> float:
    return min(max(value, -half), half)
