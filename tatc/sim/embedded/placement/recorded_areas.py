"""Derive a surface's areas from the poses of objects on it in other sessions.

AI2-THOR gives an object the yaw of its area, or one that is quarter turns on.  Objects
with the same yaw, up to quarter turns, therefore show the areas with these axes.  A round
table has strips that cross each other at several angles, and a counter may go around a
corner.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tatc.home.camera.rects import Rect
from tatc.home.state import Box, yaw_off_axis_degrees, yaw_sin_cos
from tatc.sim.embedded.placement.area_estimation import (
    MIN_EXCESS_OBJECTS,
    AreaEstimate,
    estimate_areas,
)
from tatc.sim.embedded.placement.surface import Surface, crop_surface
from tatc.sim.transforms import rotate_yaw

AXIS_TOLERANCE_DEGREES = 0.1
"""A box turned by less than this out of the world's axes is aligned with them, degrees."""
SAME_YAW_TOLERANCE_DEGREES = 1.0
"""Two yaws that differ by no more than this are the same, degrees."""
MIN_SUPPORT_SHARE = 0.25
"""If at least this share of the objects supports the areas along some axes, no other axes
are tried."""


@dataclass(frozen=True, slots=True)
class ObservedPose:
    """Where an object stood (world, metres), and its yaw (degrees)."""

    x: float
    z: float
    yaw: float


def areas_from_recordings(
    surface: Surface,
    case: Box,
    receptacle_yaw: float,
    observed: Sequence[ObservedPose],
    box_areas: Sequence[Surface],
) -> list[Surface]:
    """Return the areas of a surface that the objects on it show; empty if they show none.

    Many objects with a yaw that is neither the receptacle's nor its box's show areas along
    axes of their own.  All others show areas along the receptacle's axes or along its box's:
    a sink in the corner of a room has areas along the room's axes.

    Args:
        surface: the surface that the areas are parts of.
        case: the receptacle's box without open doors.
        receptacle_yaw: the receptacle's own yaw, degrees.
        observed: the poses of the objects on the surface.
        box_areas: the areas that boxes suggest.

    """
    axis_yaws = tuple(dict.fromkeys(map(_yaw_off_axes, (receptacle_yaw, case.yaw))))
    areas, unexplained = list[Surface](), list(observed)
    for yaw in _oblique_yaws(observed, axis_yaws):
        aligned = [pose for pose in unexplained if is_same_yaw(pose.yaw, yaw)]
        found = _estimate_along(case, yaw, aligned, box_areas)
        if found.areas:
            areas += _areas_as_surfaces(surface, case, yaw, found)
            unexplained = [pose for pose in unexplained if not is_same_yaw(pose.yaw, yaw)]
    best, best_yaw = AreaEstimate(), 0.0
    for yaw in axis_yaws:
        found = _estimate_along(case, yaw, unexplained, box_areas)
        if found.support_share > best.support_share:
            best, best_yaw = found, yaw
        if best.support_share >= MIN_SUPPORT_SHARE:
            break
    return [*_areas_as_surfaces(surface, case, best_yaw, best), *areas]


def is_same_yaw(a: float, b: float) -> bool:
    """Return whether two yaws (degrees) are the same, up to quarter turns."""
    return abs(yaw_off_axis_degrees(a - b)) <= SAME_YAW_TOLERANCE_DEGREES


def _oblique_yaws(observed: Sequence[ObservedPose], axis_yaws: Sequence[float]) -> Iterator[float]:
    """Yield the yaws, from 0 to 89, that many objects have and that match none of the axes."""
    counts = Counter(round(pose.yaw) % 90 for pose in observed)
    for yaw, count in sorted(counts.items()):
        if count >= MIN_EXCESS_OBJECTS and not any(is_same_yaw(yaw, axis) for axis in axis_yaws):
            yield float(yaw)


def _estimate_along(
    case: Box, yaw: float, observed: Sequence[ObservedPose], box_areas: Sequence[Surface]
) -> AreaEstimate:
    """Return the areas along axes with a yaw and with their origin at the middle of a box."""
    (x, _, z), (width, _, depth) = case.center, case.size
    wide, deep = _rotated_extent(width, depth, (case.yaw - yaw) % 180.0)
    points = tuple(_rotate_offset(pose.x - x, pose.z - z, yaw) for pose in observed)
    suggested = tuple(_suggested_areas(box_areas, (x, z), yaw))
    return estimate_areas(points, (wide / 2, deep / 2), suggested)


def _areas_as_surfaces(
    surface: Surface, case: Box, yaw: float, estimate: AreaEstimate
) -> list[Surface]:
    x, _, z = case.center
    return [crop_surface(surface, area, (x, z), yaw) for area in estimate.areas]


def _rotated_extent(width: float, depth: float, yaw: float) -> tuple[float, float]:
    """Return the width and depth of the bounds of a rectangle with a yaw."""
    sine, cosine = (abs(value) for value in yaw_sin_cos(yaw))
    return width * cosine + depth * sine, width * sine + depth * cosine


def _suggested_areas(
    box_areas: Sequence[Surface], middle: tuple[float, float], yaw: float
) -> Iterator[Rect]:
    """Yield the areas that are aligned with axes, as rectangles along these axes."""
    for area in box_areas:
        off = (area.yaw - yaw) % 180.0
        wide, deep = (
            area.size if min(off, 180.0 - off) < AXIS_TOLERANCE_DEGREES else area.size[::-1]
        )
        if _yaw_off_axes(off) == 0.0:
            x, z = _rotate_offset(area.x - middle[0], area.z - middle[1], yaw)
            yield Rect(x - wide / 2, z - deep / 2, x + wide / 2, z + deep / 2)


def _rotate_offset(dx: float, dz: float, yaw: float) -> tuple[float, float]:
    """Return an offset along the world's axes as an offset along axes with a yaw."""
    x, _, z = rotate_yaw((dx, 0.0, dz), -yaw)
    return x, z


def _yaw_off_axes(yaw: float) -> float:
    """Return a yaw, or 0 if it is a quarter turn or several (degrees)."""
    return 0.0 if abs(yaw_off_axis_degrees(yaw)) < AXIS_TOLERANCE_DEGREES else yaw
