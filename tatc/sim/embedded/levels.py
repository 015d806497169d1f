"""The surfaces of a receptacle in a house, with what the room shows of them.

`tatc.sim.surfaces` knows a receptacle's surfaces by its type and box.  A house knows
more: where a counter is free (`areas`), and how things stood in it at the start, which
shows the lattice they stand on (`lattice`) and which way it is turned.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from tatc.camera.boards import Rect
from tatc.sim.embedded.house import House, Seen
from tatc.sim.embedded.lattice import fitted
from tatc.sim.surfaces import Surface, surfaces_of
from tatc.state import Box, ObjectState, Vec3, turned

TURNED = {"DiningTable": 90.0, "Fridge": 90.0}
"""How far areas of a type are turned from their object (most recorded end states)."""
SAME = 0.06
"""A thing rests on a level this near to its lower side, metres."""
UPRIGHT = 5.0
"""How far a thing that stands upright may lean, degrees."""
WITNESSES = 2
"""How many things at least show which way a level is turned."""


def levels_of(house: House, receptacle: ObjectState, case: Box) -> Sequence[Surface]:
    """Return a receptacle's surfaces; `case` is its box without open doors."""
    levels = surfaces_of(replace(receptacle, box=case), _heights(house, receptacle))
    areas = house.areas.get(receptacle.objectId)
    if areas and levels:
        levels = tuple(_cut_to(levels[0], area) for area in areas)
    return [
        fitted(level, [at for at, _ in _seen_on(house, receptacle, level)])
        for level in levels
    ]


def _heights(house: House, receptacle: ObjectState) -> Sequence[float]:
    """Return the heights at which things stood on a receptacle, where it is now."""
    if not receptacle.affordances.pickupable:
        return house.resting.get(receptacle.objectId, ())
    middle = receptacle.box.center[1]
    return [middle + seen.at[1] for seen in house.seen.get(receptacle.objectId, ())]


def turn_of(house: House, receptacle: ObjectState, level: Surface) -> float:
    """Return how things are turned that are put on a level, degrees.

    That is how most of those stood on it at the start that stood upright; where they do
    not tell, the receptacle's own turn and its type decide.
    """
    yaws = Counter(
        round(seen.rotation[1]) % 360
        for at, seen in _seen_on(house, receptacle, level)
        if _stands(seen) and beside(level, (at[0], level.y, at[1])) == 0.0
    )
    commonest = yaws.most_common(1)
    if commonest and WITNESSES <= commonest[0][1] > yaws.total() / 2:
        return float(commonest[0][0])
    return receptacle.rotation[1] + TURNED.get(receptacle.objectType, 0.0)


def beside(surface: Surface, point: Vec3) -> float:
    """Return how far a point is from a surface seen from above, metres."""
    sine, cosine = turned(surface.yaw)
    dx, dz = point[0] - surface.x, point[2] - surface.z
    along = abs(dx * cosine - dz * sine) - surface.size[0] / 2
    across = abs(dx * sine + dz * cosine) - surface.size[1] / 2
    return hypot(max(along, 0.0), max(across, 0.0))


def _seen_on(
    house: House, receptacle: ObjectState, level: Surface
) -> Iterator[tuple[tuple[float, float], Seen]]:
    """Yield what stood on a level at the start, with the x, z where that is now."""
    x, y, z = receptacle.box.center
    for seen in house.seen.get(receptacle.objectId, ()):
        if abs(y + seen.at[1] - level.y) < SAME:
            yield (x + seen.at[0], z + seen.at[2]), seen


def _stands(seen: Seen) -> bool:
    lean = (abs((angle + 180.0) % 360.0 - 180.0) for angle in seen.rotation[::2])
    return max(lean) < UPRIGHT


def _cut_to(level: Surface, area: Rect) -> Surface:
    """Return a level of a counter cut down to one of its areas."""
    return replace(
        level,
        x=(area.x0 + area.x1) / 2,
        z=(area.z0 + area.z1) / 2,
        size=(area.x1 - area.x0, area.z1 - area.z0),
        yaw=0.0,
        lattice=True,
    )
