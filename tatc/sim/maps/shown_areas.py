"""A level's areas as other sessions show them: by where and how things stood on it.

AI2-THOR turns what it puts on an area like the area, and on by quarters.  What stood
turned alike therefore shows where the areas with these axes lie: a round table has
strips that cross each other at several angles, a counter may go around a corner.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tatc.camera.rects import Rect
from tatc.sim.maps.found_areas import FEWEST, Found, areas_from
from tatc.sim.rigid import rotated
from tatc.sim.surfaces import Surface, cut_to
from tatc.state import Box, off_quarters, turned

SQUARE = 0.1
"""What is turned by less than this out of the world's axes runs along them, degrees."""
ALIKE = 1.0
"""Two turns are the same within this, degrees."""
ENOUGH = 0.25
"""Areas that this share of what was seen tells of lie along the axes they were sought
along."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Where a thing stood, metres, and how it was turned, degrees."""

    x: float
    z: float
    yaw: float


def areas_shown(
    level: Surface,
    case: Box,
    turn: float,
    seen: Sequence[Shown],
    boxed: Sequence[Surface],
) -> list[Surface]:
    """Return the areas of a level that things on it show, none if they do not.

    `case` is the receptacle's box and `turn` its yaw; `boxed` are its areas as boxes
    tell of them.  What is turned otherwise than both shows areas along axes of its own;
    the rest shows those along the receptacle's axes, or along its box's: a sink in a
    room's corner has them along the room's.
    """
    straight = tuple(dict.fromkeys(map(_off_axes, (turn, case.yaw))))
    areas, left = list[Surface](), list(seen)
    for yaw in _other_turns(seen, straight):
        turned_so = [each for each in left if alike(each.yaw, yaw)]
        found = _found(case, yaw, turned_so, boxed)
        if found.areas:
            areas += _cut(level, case, yaw, found)
            left = [each for each in left if not alike(each.yaw, yaw)]
    best, axes = Found(), 0.0
    for yaw in straight:
        found = _found(case, yaw, left, boxed)
        if found.sure > best.sure:
            best, axes = found, yaw
        if best.sure >= ENOUGH:
            break
    return [*_cut(level, case, axes, best), *areas]


def alike(a: float, b: float) -> bool:
    """Say whether two turns are the same but for quarters."""
    return abs(off_quarters(a - b)) <= ALIKE


def _other_turns(seen: Sequence[Shown], straight: Sequence[float]) -> Iterator[float]:
    """Yield the turns, below a quarter, of many things that are off all these axes."""
    turns = Counter(round(each.yaw) % 90 for each in seen)
    for turn, count in sorted(turns.items()):
        if count >= FEWEST and not any(alike(turn, yaw) for yaw in straight):
            yield float(turn)


def _found(
    case: Box, yaw: float, seen: Sequence[Shown], boxed: Sequence[Surface]
) -> Found:
    """Return the areas along axes turned by yaw around the middle of a box."""
    (x, _, z), (width, _, depth) = case.center, case.size
    wide, deep = _spread(width, depth, (case.yaw - yaw) % 180.0)
    points = tuple(_along(each.x - x, each.z - z, yaw) for each in seen)
    edges = tuple(_edges(boxed, (x, z), yaw))
    return areas_from(points, (wide / 2, deep / 2), edges)


def _cut(level: Surface, case: Box, yaw: float, found: Found) -> list[Surface]:
    x, _, z = case.center
    return [cut_to(level, area, (x, z), yaw) for area in found.areas]


def _spread(width: float, depth: float, yaw: float) -> tuple[float, float]:
    """Return how wide and deep a rectangle reaches that is turned by yaw."""
    sine, cosine = (abs(each) for each in turned(yaw))
    return width * cosine + depth * sine, width * sine + depth * cosine


def _edges(
    boxed: Sequence[Surface], middle: tuple[float, float], yaw: float
) -> Iterator[Rect]:
    """Yield areas along axes turned by yaw around a middle, those squared to them."""
    for area in boxed:
        off = (area.yaw - yaw) % 180.0
        wide, deep = area.size if min(off, 180.0 - off) < SQUARE else area.size[::-1]
        if _off_axes(off) == 0.0:
            x, z = _along(area.x - middle[0], area.z - middle[1], yaw)
            yield Rect(x - wide / 2, z - deep / 2, x + wide / 2, z + deep / 2)


def _along(dx: float, dz: float, yaw: float) -> tuple[float, float]:
    """Return a way along the world's axes along axes turned by yaw."""
    x, _, z = rotated((dx, 0.0, dz), -yaw)
    return x, z


def _off_axes(yaw: float) -> float:
    """Return how far a box is turned out of the world's axes, 0 for quarters."""
    return 0.0 if abs(off_quarters(yaw)) < SQUARE else yaw
