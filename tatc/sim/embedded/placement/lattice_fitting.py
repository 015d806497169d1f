"""Fit an area's lattice to the objects that rest on it.

AI2-THOR divides an area into eight parts each way and puts objects on the points of this
lattice, both when it lays out a scene and later.  Boxes show an area to within
centimetres.  The objects that rest on it at the start stand on its lattice points, so two
or more of them show it exactly.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf

import numpy as np

from tatc.home.state import Box, yaw_sin_cos
from tatc.home.type_facts import LATTICE_DIVISIONS
from tatc.sim.embedded.placement.recorded_areas import Floats
from tatc.sim.embedded.placement.surface import Surface

MAX_END_SHIFT_METRES, END_SHIFT_STEP_METRES = 0.12, 0.006
"""How far each end of an area may differ from the one that boxes show, and the step of the
search, metres."""


FIT_TOLERANCE_METRES = 0.006  # how far from its lattice point an object may have settled, metres


SHIFT_PENALTY_PER_METRE = 12.0
"""The penalty for each metre of difference from the boxes, in objects on lattice points."""


SAME_END_METRES = 0.004  # two areas' ends that differ by less are on one line, metres


AREA_MARGIN_METRES = 0.02  # how far beyond an area's end an object still counts as on it, metres


_ROUNDING_METRES = 1e-9


def fit_areas(
    areas: Sequence[Surface], positions: Sequence[tuple[float, float]], case: Box | None = None
) -> Sequence[Surface]:
    """Return areas that boxes show, moved and stretched so that objects stand on lattice points.

    `positions` are the x and z of the resting objects, world, metres.  Of all areas that fit them,
    the most similar to the given one is returned.  An area is unchanged if it has no lattice or
    if there are fewer than two objects.

    Areas in a row, such as those of a counter between a sink and a stove, end at the same
    line in front and behind; the objects on all of them show these two lines.  No end moves out
    of `case`, the receptacle's box, because AI2-THOR's box of a receptacle holds its areas.
    """
    if len(positions) < 2 or not any(area.lattice for area in areas):
        return areas
    return _fit_areas(tuple(areas), tuple(positions), case)


@lru_cache(maxsize=1024)
def _fit_areas(
    areas: tuple[Surface, ...], positions: tuple[tuple[float, float], ...], case: Box | None
) -> tuple[Surface, ...]:
    points = np.array(positions)
    return tuple(_fit_area(area, areas, points, case) if area.lattice else area for area in areas)


def _fit_area(
    surface: Surface, areas: Sequence[Surface], points: Floats, case: Box | None
) -> Surface:
    sine, cosine = yaw_sin_cos(surface.yaw)
    half = surface.size[0] / 2, surface.size[1] / 2
    own = _to_axes(points - (surface.x, surface.z), sine, cosine)
    shows = np.zeros(own.shape, dtype=np.bool_)
    for other in areas:
        if not other.lattice or other.yaw != surface.yaw:
            continue
        offset = np.array([(other.x - surface.x, other.z - surface.z)])
        middle = _to_axes(offset, sine, cosine)[0]
        its_half = np.array(other.size) / 2
        on_other = (np.abs(own - middle) < its_half + AREA_MARGIN_METRES).all(1)
        same_ends = np.abs(middle) + np.abs(its_half - half) < SAME_END_METRES
        shows |= on_other[:, None] & same_ends
    room = _room_within(case, surface)
    (low, high), (near, far) = (_fitted_ends(half[i], own[shows[:, i], i], room[i]) for i in (0, 1))
    dx, dz = (low + high) / 2, (near + far) / 2
    return replace(
        surface,
        x=surface.x + dx * cosine + dz * sine,
        z=surface.z - dx * sine + dz * cosine,
        size=(high - low, far - near),
    )


def _to_axes(offsets: Floats, sine: float, cosine: float) -> Floats:
    """Return offsets along the world's axes as offsets along a surface's own, shape (n, 2)."""
    x, z = offsets[:, 0], offsets[:, 1]
    return np.stack([x * cosine - z * sine, x * sine + z * cosine], 1)


def _room_within(case: Box | None, surface: Surface) -> Sequence[tuple[float, float]]:
    """Return how far the lower and the upper end of each side may move outwards, metres."""
    if case is None or case.yaw != surface.yaw:
        return ((inf, inf), (inf, inf))
    offset = np.array([(surface.x - case.center[0], surface.z - case.center[2])])
    off_x, off_z = (float(v) for v in _to_axes(offset, *yaw_sin_cos(surface.yaw))[0])
    spare_x, spare_z = (case.size[0] - surface.size[0]) / 2, (case.size[2] - surface.size[1]) / 2
    return (
        (max(spare_x + off_x, 0.0), max(spare_x - off_x, 0.0)),
        (max(spare_z + off_z, 0.0), max(spare_z - off_z, 0.0)),
    )


def _fitted_ends(
    half: float, coordinates: Floats, room: tuple[float, float]
) -> tuple[float, float]:
    """Return the best ends near -half and half; each may move outwards by `room` metres."""
    if len(coordinates) < 2:
        return -half, half
    steps, farthest = END_SHIFT_STEP_METRES, MAX_END_SHIFT_METRES
    count = min(int(farthest / steps), int(half / steps))
    shifts = np.arange(-count, count + 1) * END_SHIFT_STEP_METRES
    low, high = shifts[:, None, None] - half, shifts[None, :, None] + half
    cell = np.maximum((high - low) / LATTICE_DIVISIONS, END_SHIFT_STEP_METRES)
    line = (coordinates - (low + high) / 2) / cell
    nearest = np.round(line)
    distance = np.abs(line - nearest) * cell
    fit = np.clip(1.0 - distance / FIT_TOLERANCE_METRES, 0.0, 1.0)
    fit *= np.abs(nearest) < LATTICE_DIVISIONS / 2
    change = np.abs(shifts)[:, None] + np.abs(shifts)[None, :]
    score = fit.sum(-1) - SHIFT_PENALTY_PER_METRE * change
    score[(-shifts > room[0] + _ROUNDING_METRES), :] = -inf
    score[:, (shifts > room[1] + _ROUNDING_METRES)] = -inf
    i, j = divmod(int(score.argmax()), len(shifts))
    return float(shifts[i]) - half, float(shifts[j]) + half
