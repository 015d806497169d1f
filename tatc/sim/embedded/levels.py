"""The surfaces of a receptacle in a house, with what the room shows of them.

`tatc.sim.surfaces` knows a receptacle's surfaces by its type and box.  A house knows
more: where a counter is free (`boxed_areas`), and how things stood in it at the start
and in other sessions, which shows the lattice they stand on (`lattice`, `found_areas`)
and which way it is turned.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from tatc.camera.doors import SWING
from tatc.sim.embedded.boxed_areas import boxed_areas
from tatc.sim.embedded.house import House
from tatc.sim.maps.lattice import fitted
from tatc.sim.maps.shown_areas import Shown, alike, areas_shown
from tatc.sim.maps.traces import Rest, model_of, stands
from tatc.sim.rigid import rotated
from tatc.sim.surfaces import Surface, surfaces_of
from tatc.state import Box, ObjectState, Vec3, turned

TURNED = {"DiningTable": 90.0, "Fridge": 90.0, "Toaster": 270.0}
"""How far areas of a type are turned from their object (most recorded end states)."""
SAME = 0.06
"""A thing rests on a level this near to its lower side, metres."""
FLOOR = "Floor"
WITNESSES = 2
"""How many things at least show which way a level is turned."""


def case_of(house: House, thing: ObjectState) -> Box:
    """Return an object's box, without its doors where they stand open."""
    shut = house.shut(thing.objectId)
    return shut.box if shut is not None and thing.objectType in SWING else thing.box


def levels_of(house: House, receptacle: ObjectState) -> Sequence[Surface]:
    """Return a receptacle's surfaces in its box without open doors."""
    found: list[Surface] = []
    for level in _levels(house, receptacle):
        boxed = boxed_areas(house, receptacle, level)
        found += _shown(house, receptacle, level, boxed) or [
            fitted(each, shown_on(house, receptacle, each)) for each in boxed
        ]
    return found


def hollows_of(house: House, receptacle: ObjectState) -> Sequence[Surface]:
    """Return the surfaces of what walls stand around, up to its walls.

    Other sessions may have shown but a part of them.
    """
    known = model_of(receptacle) in house.traces.rests
    levels = _levels(house, receptacle) if known else ()
    return [replace(level, wall=0.0) for level in levels if level.inside]


def _levels(house: House, receptacle: ObjectState) -> Sequence[Surface]:
    case = case_of(house, receptacle)
    return surfaces_of(replace(receptacle, box=case), _heights(house, receptacle))


def _shown(
    house: House, receptacle: ObjectState, level: Surface, boxed: Sequence[Surface]
) -> Sequence[Surface]:
    """Return the areas of a level that other sessions show, none if they do not."""
    others = house.traces.rests.get(model_of(receptacle))
    if not others or receptacle.objectType == FLOOR:
        return []
    turn = receptacle.rotation[1]
    seen = [
        Shown(x, z, seen.rotation[1] + turn)
        for (x, z), seen in _seen_on(house, receptacle, level)
    ]
    return areas_shown(level, case_of(house, receptacle), turn, seen, boxed)


def _heights(house: House, receptacle: ObjectState) -> Sequence[float]:
    """Return the heights at which things stood on a receptacle, where it is now."""
    if not receptacle.affordances.pickupable:
        return house.resting.get(receptacle.objectId, ())
    middle = receptacle.box.center[1]
    return [middle + seen.at[1] for seen in house.seen.get(receptacle.objectId, ())]


def turn_of(house: House, receptacle: ObjectState, level: Surface) -> float:
    """Return how things are turned that are put on a level, degrees.

    That is how most of those stood on it at the start that stood upright, of those
    along its axes if there are any; where they do not tell, the receptacle's own turn
    and its type decide.
    """
    turn = receptacle.rotation[1]
    yaws = Counter(
        round(seen.rotation[1] + turn) % 360
        for at, seen in _seen_on(house, receptacle, level)
        if stands(seen.rotation) and beside(level, (at[0], level.y, at[1])) == 0.0
    )
    squared = Counter({yaw: n for yaw, n in yaws.items() if alike(yaw, level.yaw)})
    yaws = squared or yaws
    commonest = yaws.most_common(1)
    if commonest and WITNESSES <= commonest[0][1] > yaws.total() / 2:
        return float(commonest[0][0])
    return turn + TURNED.get(receptacle.objectType, 0.0)


def beside(surface: Surface, point: Vec3) -> float:
    """Return how far a point is from a surface seen from above, metres."""
    sine, cosine = turned(surface.yaw)
    dx, dz = point[0] - surface.x, point[2] - surface.z
    along = abs(dx * cosine - dz * sine) - surface.size[0] / 2
    across = abs(dx * sine + dz * cosine) - surface.size[1] / 2
    return hypot(max(along, 0.0), max(across, 0.0))


def shown_on(
    house: House, receptacle: ObjectState, level: Surface
) -> list[tuple[float, float]]:
    """Return the x, z where things stood on a level, here or elsewhere."""
    return [at for at, _ in _seen_on(house, receptacle, level)]


def _seen_on(
    house: House, receptacle: ObjectState, level: Surface
) -> Iterator[tuple[tuple[float, float], Rest]]:
    """Yield what stood on a level, here or elsewhere, with the x, z where that is now.

    That is what stood there at the start, and what did so in other sessions.
    """
    x, y, z = case_of(house, receptacle).center
    here = house.seen.get(receptacle.objectId, ())
    for seen in (*here, *house.traces.rests.get(model_of(receptacle), ())):
        if abs(y + seen.at[1] - level.y) < SAME:
            dx, _, dz = rotated(seen.at, receptacle.rotation[1])
            yield (x + dx, z + dz), seen
