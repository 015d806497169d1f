"""Where a held thing comes to stand: near the click, where it fits among the rest.

A receptacle's surfaces come from `levels`; a thing stands on one where its own box
meets no other.  Points are tried nearest to the clicked one first, over all surfaces,
as AI2-THOR's putNearXY does; how a thing is tried at each is in `spots`.  Points that
the camera does not show count too: TEACh forces the action.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist, inf
from statistics import median

from tatc.sim.embedded.aiming import aimed
from tatc.sim.embedded.house import House
from tatc.sim.embedded.levels import beside, hollows_of, levels_of, shown_on, turn_of
from tatc.sim.embedded.obstacles import Obstacle, in_the_way
from tatc.sim.embedded.spots import Stance, points, stances, within
from tatc.sim.rigid import rotated
from tatc.sim.surfaces import Surface
from tatc.state import Box, ObjectState, Vec3

ONLY = {
    "CoffeeMachine": frozenset({"Mug"}),
    "HandTowelHolder": frozenset({"HandTowel"}),
    "StoveBurner": frozenset({"Kettle", "Pan", "Pot"}),
    "Toaster": frozenset({"BreadSliced"}),
    "ToiletPaperHanger": frozenset({"ToiletPaper"}),
    "TowelHolder": frozenset({"Towel"}),
}
"""Receptacles that take few types (in recorded play nothing else ever went in)."""
MUST_BE_OPEN = frozenset(
    {"Box", "Cabinet", "Drawer", "Fridge", "LaundryHamper", "Microwave"}
)
"""AI2-THOR's MustBeOpenToPlaceObjectsIn."""
HEAPED = frozenset({"Box", "GarbageCan", "LaundryHamper"})
"""Receptacles in which things lie on one another."""
CARRIERS = frozenset({"CoffeeMachine"})
"""Fixed receptacles whose contents are also in what they stand on, as in a plate."""

OVER = 0.03
"""How much higher than the room under a roof a thing may be, metres."""
LOW = 0.45
"""What stands lower than this above the floor also counts as on the floor."""

NO_ROOM = "No valid positions to place object found"


@dataclass(frozen=True, slots=True)
class Mount:
    """The one place in a receptacle, as shares of its box.

    `ahead` leads from its middle to its front, `height` from its lower side up (None:
    to its level); `slotted` says that it is level with the receptacle's position, not
    with the middle of its box.
    """

    ahead: float = 0.0
    height: float | None = None
    slotted: bool = False


MOUNTS = {
    "CoffeeMachine": Mount(ahead=0.3),
    "HandTowelHolder": Mount(),
    "StoveBurner": Mount(),
    # One of two slots, either in different toasters: between them is nearest to both.
    "Toaster": Mount(height=0.44, slotted=True),
    "ToiletPaperHanger": Mount(),
    "TowelHolder": Mount(),
}
"""Receptacles with one fixed place (recorded end states)."""
SEVERAL = dict.fromkeys((*MOUNTS, "Cup", "Mug"), 1)
"""How many things fit where it is not only a question of room."""
CHECKED = "StoveBurner"
"""The only one of them of which AI2-THOR asks whether others are in the way there."""


@dataclass(frozen=True, slots=True)
class Spot:
    """How a thing comes to stand: its box, its rotation and its position."""

    box: Box
    rotation: Vec3
    position: Vec3


def find_spot(
    house: House, held: ObjectState, receptacle: ObjectState, point: Vec3
) -> Spot | str:
    """Return how the held thing comes to stand in a receptacle, or a refusal.

    `point` is the clicked point of the receptacle.
    """
    kind = receptacle.objectType
    if kind in ONLY and held.objectType not in ONLY[kind]:
        return f"{held.objectType} is not a valid Object Type to be placed in {kind}"
    if kind in MUST_BE_OPEN and receptacle.affordances.openable:
        if not receptacle.isOpen:
            return (
                f"Target openable Receptacle is CLOSED, can't place if target is {kind}"
            )
    inside = house.contents(receptacle.objectId)
    if len(inside) >= SEVERAL.get(kind, len(inside) + 1):
        return NO_ROOM
    levels = levels_of(house, receptacle)
    point = aimed(house, receptacle, point, levels)
    if kind in MOUNTS and levels:
        level = levels[0]
        shown = shown_on(house, receptacle, level)
        # What stands beside a burner may be listed in it, too.
        seen = [(x, z) for x, z in shown if beside(level, (x, level.y, z)) == 0.0]
        turn = turn_of(house, receptacle, level)
        mounted = _mounted(held, turn, receptacle, level.y, seen)
        others = in_the_way(house, held, receptacle, level) if kind == CHECKED else ()
        blocked = any(each.meets(mounted.box) for each in others)
        return NO_ROOM if blocked else mounted
    if kind in HEAPED:
        levels = [*levels, *_on_top(levels, inside, receptacle)]
    wider = _rim if receptacle.affordances.pickupable else _unwalled
    return (
        _first_free(house, held, receptacle, levels, point)
        or _first_free(house, held, receptacle, [*map(wider, levels)], point)
        or _first_free(house, held, receptacle, hollows_of(house, receptacle), point)
        or NO_ROOM
    )


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


def _on_top(
    levels: Sequence[Surface], inside: Sequence[ObjectState], receptacle: ObjectState
) -> Iterator[Surface]:
    """Yield the level on top of what lies in a receptacle, if it is not full."""
    tops = [thing.box.center[1] + thing.box.size[1] / 2 for thing in inside]
    rim = receptacle.box.center[1] + receptacle.box.size[1] / 2
    if levels and tops and max(tops) < rim:
        yield replace(levels[0], y=max(tops))


def _rim(level: Surface) -> Surface:
    """Return a dish's level for what fits nowhere in it: up to its rim and beyond."""
    wide = 2 * level.radius
    size = (wide, wide) if wide < inf else level.size
    return replace(level, size=size, inside=False, radius=inf)


def _unwalled(level: Surface) -> Surface:
    """Return a level up to its edge, for what fits nowhere between its walls."""
    return replace(level, wall=0.0)


def _mounted(
    held: ObjectState,
    turn: float,
    receptacle: ObjectState,
    level: float,
    seen: Sequence[tuple[float, float]],
) -> Spot:
    """Return the spot in a receptacle with a fixed place, where others were seen."""
    mount = MOUNTS[receptacle.objectType]
    (x, y, z), (_, height, depth) = receptacle.box.center, receptacle.box.size
    if mount.slotted:
        x, _, z = receptacle.position
    dx, _, dz = rotated((0.0, 0.0, mount.ahead * depth), receptacle.rotation[1])
    x, z = x + dx, z + dz
    if seen:
        x, z = median(each[0] for each in seen), median(each[1] for each in seen)
    if mount.height is not None:
        level = y + (mount.height - 0.5) * height
    way = stances(held, turn % 360.0)[0]
    box = way.box_at(x, level, z)
    return Spot(box, way.rotation, (x, box.center[1] - way.offset[1], z))


def _first_free(
    house: House,
    held: ObjectState,
    receptacle: ObjectState,
    levels: Sequence[Surface],
    point: Vec3,
) -> Spot | None:
    """Return the first spot that is clear, the points nearest to the click first.

    On what can be carried a thing may stick out over an edge where it cannot else.
    """
    others = [in_the_way(house, held, receptacle, surface) for surface in levels]
    ways = [stances(held, turn_of(house, receptacle, each)) for each in levels]
    jutting: Spot | None = None
    for i, x, z in _points(levels, point):
        surface = levels[i]
        found = _clear(ways[i], surface, x, z, others[i])
        if found is None:
            continue
        way, box = found
        spot = Spot(box, way.rotation, (x, box.center[1] - way.offset[1], z))
        if not surface.lattice or within(surface, box):
            return spot
        jutting = jutting or spot
    return jutting if receptacle.affordances.pickupable else None


def _points(
    levels: Sequence[Surface], click: Vec3
) -> Iterator[tuple[int, float, float]]:
    """Yield level, x and z of where a thing's position may go, nearest first."""
    for i, level in enumerate(levels):
        if not level.lattice:
            for x, z in points(level, click):
                yield i, x, z
    lattice = [
        (dist((x, level.y, z), click), i, x, z)
        for i, level in enumerate(levels)
        if level.lattice
        for x, z in points(level, click)
    ]
    for _, i, x, z in sorted(lattice):
        yield i, x, z


def _clear(
    ways: Sequence[Stance],
    surface: Surface,
    x: float,
    z: float,
    others: Sequence[Obstacle],
) -> tuple[Stance, Box] | None:
    """Return the first stance at a point that meets nothing, walls included."""
    for way in ways:
        box = way.box_at(x, surface.y, z)
        if way.size[1] > surface.headroom + OVER:
            continue
        if surface.inside and not within(surface, box, surface.wall):
            continue
        if not any(other.meets(box) for other in others):
            return way, box
    return None
