"""A level's areas as other sessions show them: by where and how things stood on it.

AI2-THOR turns what it puts on an area like the area, and on by quarters.  What stood
turned alike therefore shows where the areas with these axes lie: a round table has
strips that cross each other at several angles, a counter may go around a corner.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tatc.camera.rects import Rect
from tatc.sim.embedded.placement.area_estimation import (
    MIN_EXCESS_OBJECTS,
    AreaEstimate,
    estimate_areas,
)
from tatc.sim.embedded.placement.support_surfaces import Surface, crop_surface
from tatc.sim.transforms import rotate_yaw
from tatc.state import Box, yaw_off_axis_degrees, yaw_sin_cos

AXIS_TOLERANCE_DEGREES = 0.1
"""What is turned by less than this out of the world's axes runs along them, degrees."""
SAME_YAW_TOLERANCE_DEGREES = 1.0
"""Two turns are the same within this, degrees."""
MIN_SUPPORT_SHARE = 0.25
"""Areas that this share of what was seen tells of lie along the axes they were sought
along."""


@dataclass(frozen=True, slots=True)
class ObservedPose:
    """Where a thing stood, metres, and how it was turned, degrees."""

    x: float
    z: float
    yaw: float


def areas_from_recordings(
    level: Surface,
    case: Box,
    receptacle_yaw: float,
    observed: Sequence[ObservedPose],
    box_areas: Sequence[Surface],
) -> list[Surface]:
    """Return the areas of a level that things on it show, none if they do not.

    `case` is the receptacle's box and `receptacle_yaw` its yaw; `box_areas` are its areas as boxes
    tell of them.  What is turned otherwise than both shows areas along axes of its own;
    the rest shows those along the receptacle's axes, or along its box's: a sink in a
    room's corner has them along the room's.
    """
    straight = tuple(dict.fromkeys(map(_yaw_off_axes, (receptacle_yaw, case.yaw))))
    areas, left = list[Surface](), list(observed)
    for yaw in _oblique_yaws(observed, straight):
        turned_so = [each for each in left if is_same_yaw(each.yaw, yaw)]
        found = _estimate_along(case, yaw, turned_so, box_areas)
        if found.areas:
            areas += _areas_as_surfaces(level, case, yaw, found)
            left = [each for each in left if not is_same_yaw(each.yaw, yaw)]
    best, axes = AreaEstimate(), 0.0
    for yaw in straight:
        found = _estimate_along(case, yaw, left, box_areas)
        if found.support_share > best.support_share:
            best, axes = found, yaw
        if best.support_share >= MIN_SUPPORT_SHARE:
            break
    return [*_areas_as_surfaces(level, case, axes, best), *areas]


def is_same_yaw(a: float, b: float) -> bool:
    """Say whether two turns are the same but for quarters."""
    return abs(yaw_off_axis_degrees(a - b)) <= SAME_YAW_TOLERANCE_DEGREES


def _oblique_yaws(observed: Sequence[ObservedPose], axis_yaws: Sequence[float]) -> Iterator[float]:
    """Yield the turns, below a quarter, of many things that are off all these axes."""
    turns = Counter(round(each.yaw) % 90 for each in observed)
    for turn, count in sorted(turns.items()):
        if count >= MIN_EXCESS_OBJECTS and not any(is_same_yaw(turn, yaw) for yaw in axis_yaws):
            yield float(turn)


def _estimate_along(
    case: Box, yaw: float, observed: Sequence[ObservedPose], box_areas: Sequence[Surface]
) -> AreaEstimate:
    """Return the areas along axes turned by yaw around the middle of a box."""
    (x, _, z), (width, _, depth) = case.center, case.size
    wide, deep = _rotated_extent(width, depth, (case.yaw - yaw) % 180.0)
    points = tuple(_rotate_offset(each.x - x, each.z - z, yaw) for each in observed)
    edges = tuple(_suggested_areas(box_areas, (x, z), yaw))
    return estimate_areas(points, (wide / 2, deep / 2), edges)


def _areas_as_surfaces(
    level: Surface, case: Box, yaw: float, estimate: AreaEstimate
) -> list[Surface]:
    x, _, z = case.center
    return [crop_surface(level, area, (x, z), yaw) for area in estimate.areas]


def _rotated_extent(width: float, depth: float, yaw: float) -> tuple[float, float]:
    """Return how wide and deep a rectangle reaches that is turned by yaw."""
    sine, cosine = (abs(each) for each in yaw_sin_cos(yaw))
    return width * cosine + depth * sine, width * sine + depth * cosine


def _suggested_areas(
    box_areas: Sequence[Surface], middle: tuple[float, float], yaw: float
) -> Iterator[Rect]:
    """Yield areas along axes turned by yaw around a middle, those squared to them."""
    for area in box_areas:
        off = (area.yaw - yaw) % 180.0
        wide, deep = (
            area.size if min(off, 180.0 - off) < AXIS_TOLERANCE_DEGREES else area.size[::-1]
        )
        if _yaw_off_axes(off) == 0.0:
            x, z = _rotate_offset(area.x - middle[0], area.z - middle[1], yaw)
            yield Rect(x - wide / 2, z - deep / 2, x + wide / 2, z + deep / 2)


def _rotate_offset(dx: float, dz: float, yaw: float) -> tuple[float, float]:
    """Return a way along the world's axes along axes turned by yaw."""
    x, _, z = rotate_yaw((dx, 0.0, dz), -yaw)
    return x, z


def _yaw_off_axes(yaw: float) -> float:
    """Return how far a box is turned out of the world's axes, 0 for quarters."""
    return 0.0 if abs(yaw_off_axis_degrees(yaw)) < AXIS_TOLERANCE_DEGREES else yaw
