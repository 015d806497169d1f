"""Find the areas of a surface by the objects that stood on it in other sessions.

AI2-THOR divides every area into eight parts each way and puts objects on the lines between them,
with the yaw of the area or quarter turns on.  About a dozen objects therefore show the areas to
within millimetres.  Two lines on which objects stand, and the number of parts between them, give a
candidate for a side.  The pair of sides with the most objects on its lattice points, beyond what
chance would put there, is an area.  Its objects are then removed, and the search goes on.  Objects
of different yaws are searched apart: the strips of a round table cross each other at several
angles.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tatc.home import state, type_facts
from tatc.home.camera.solids import Rect
from tatc.sim.embedded.placement.surface import Surface

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
PackedBits = NDArray[np.uint64]

SETTLING_TOLERANCE_METRES = 0.003
"""How far from its lattice point an object may have settled, metres."""
LINE_MERGE_METRES = 0.002  # lines that are no farther apart than this count as one line, metres
MIN_AREA_SIDE_METRES, MAX_AREA_SIDE_METRES = 0.08, 3.4
MAX_AREA_OVERHANG_METRES = 0.06  # how far an area may reach beyond its receptacle's box, metres
MIN_EXCESS_OBJECTS = 6.0
"""The least number of objects on an area's points, beyond those expected by chance."""
MIN_EXPLAINED_SHARE = 0.5  # the least share of the objects within an area that are on its points
CHANCE_SIGMAS = 3.0  # the number of standard deviations that chance may account for
OFF_LATTICE_PENALTY = 0.2
"""The penalty for each object that is within an area but on none of its points, in objects."""
EDGE_PENALTY_PER_METRE, EDGE_PENALTY_RANGE_METRES = 4.0, 0.1
"""The penalty for each metre from a side's end to the nearest known edge, in objects, and
the distance beyond which the penalty no longer grows."""
MAX_AREAS = 5  # the greatest number of areas of one receptacle
MAX_SIDE_CANDIDATES = 200  # the number of best candidates for each side that are paired
_CANDIDATES_AT_ONCE = 256  # so that what is computed of them stays in the processor's cache
_MAX_STEPS = 1 << 24  # steps of `LINE_MERGE_METRES` between any two ends
MAX_SHARED_AREA = 0.45
"""The greatest share of an area that may lie in an area found earlier: strips of a round table
that cross each other share 0.44 of themselves."""
MAX_REPEATS_PER_POINT = 2
"""How many objects count at one point: those of every session's start would outweigh all others."""
AXIS_TOLERANCE_DEGREES = 0.1
"""A box turned by less than this out of the world's axes is aligned with them, degrees."""
SAME_YAW_TOLERANCE_DEGREES = 1.0  # two yaws that differ by no more than this are the same, degrees
MIN_SUPPORT_SHARE = 0.25
"""If so large a share of the objects supports the areas along some axes, no others are tried."""


@dataclass(frozen=True, slots=True)
class AreaEstimate:
    """Estimated areas, the best supported first.

    `support_share` of all objects are on lattice points, beyond those that chance would put there.
    """

    areas: tuple[Rect, ...] = ()
    support_share: float = 0.0


@dataclass(frozen=True, slots=True)
class ObservedPose:
    """Where an object stood (world, metres), and its yaw (degrees)."""

    x: float
    z: float
    yaw: float


def areas_from_recordings(
    surface: Surface,
    case: state.Box,
    receptacle_yaw: float,
    observed: Sequence[ObservedPose],
    box_areas: Sequence[Surface],
) -> list[Surface]:
    """Return the areas of a surface that the objects on it show; empty if they show none.

    Many objects with a yaw that is neither the receptacle's nor its box's show areas along
    axes of their own.  All others show areas along the receptacle's axes or along its box's:
    a sink in the corner of a room has areas along the room's axes.

    `case` is the receptacle's box without open doors, `receptacle_yaw` its own yaw (degrees), and
    `box_areas` are the areas that boxes suggest.
    """
    axis_yaws = tuple(dict.fromkeys(map(_yaw_off_axes, (receptacle_yaw, case.yaw))))
    middle = case.center[0], case.center[2]
    areas, unexplained = list[Surface](), list(observed)
    for yaw in _oblique_yaws(observed, axis_yaws):
        aligned = [pose for pose in unexplained if is_same_yaw(pose.yaw, yaw)]
        found = _estimate_along(case, yaw, aligned, box_areas)
        if found.areas:
            areas += [surface.crop(area, middle, yaw) for area in found.areas]
            unexplained = [pose for pose in unexplained if not is_same_yaw(pose.yaw, yaw)]
    best, best_yaw = AreaEstimate(), 0.0
    for yaw in axis_yaws:
        found = _estimate_along(case, yaw, unexplained, box_areas)
        if found.support_share > best.support_share:
            best, best_yaw = found, yaw
        if best.support_share >= MIN_SUPPORT_SHARE:
            break
    return [*(surface.crop(area, middle, best_yaw) for area in best.areas), *areas]


def is_same_yaw(a: float, b: float) -> bool:
    """Return whether two yaws (degrees) are the same, up to quarter turns."""
    return abs(state.yaw_off_axis_degrees(a - b)) <= SAME_YAW_TOLERANCE_DEGREES


def _oblique_yaws(observed: Sequence[ObservedPose], axis_yaws: Sequence[float]) -> Iterator[float]:
    """Yield the yaws, from 0 to 89, that many objects have and that match none of the axes."""
    for yaw, count in sorted(Counter(round(pose.yaw) % 90 for pose in observed).items()):
        if count >= MIN_EXCESS_OBJECTS and not any(is_same_yaw(yaw, axis) for axis in axis_yaws):
            yield float(yaw)


def _estimate_along(
    case: state.Box, yaw: float, observed: Sequence[ObservedPose], box_areas: Sequence[Surface]
) -> AreaEstimate:
    """Return the areas along axes with a yaw and with their origin at the middle of a box."""
    x, _, z = case.center
    wide, deep = state.rotated_footprint(case.size, (case.yaw - yaw) % 180.0)
    points = tuple(_rotate_offset(pose.x - x, pose.z - z, yaw) for pose in observed)
    suggested = tuple(_suggested_areas(box_areas, (x, z), yaw))
    return estimate_areas(points, (wide / 2, deep / 2), suggested)


def _suggested_areas(areas: Sequence[Surface], middle: state.Vec2, yaw: float) -> Iterator[Rect]:
    """Yield the areas that are aligned with axes, as rectangles along these axes."""
    for area in areas:
        off = (area.yaw - yaw) % 180.0
        is_along = min(off, 180.0 - off) < AXIS_TOLERANCE_DEGREES
        wide, deep = area.size if is_along else area.size[::-1]
        if _yaw_off_axes(off) == 0.0:
            x, z = _rotate_offset(area.x - middle[0], area.z - middle[1], yaw)
            yield Rect(x - wide / 2, z - deep / 2, x + wide / 2, z + deep / 2)


def _rotate_offset(dx: float, dz: float, yaw: float) -> state.Vec2:
    """Return an offset along the world's axes as an offset along axes with a yaw."""
    x, _, z = state.rotate_yaw((dx, 0.0, dz), -yaw)
    return x, z


def _yaw_off_axes(yaw: float) -> float:
    """Return a yaw, or 0 if it is a quarter turn or several (degrees)."""
    return 0.0 if abs(state.yaw_off_axis_degrees(yaw)) < AXIS_TOLERANCE_DEGREES else yaw


@lru_cache(maxsize=64)
def estimate_areas(
    points: tuple[state.Vec2, ...], half_size: state.Vec2, suggested_areas: tuple[Rect, ...] = ()
) -> AreaEstimate:
    """Return a receptacle's areas; none if the points do not show any.

    Points, where objects stood, and areas are in the receptacle's own axes, with their origin at
    its middle, metres.  `half_size` is half its size along each axis.  Sides that end at the edges
    of the `suggested_areas`, which boxes show, are preferred.
    """
    counted = _limit_repeats(points)
    if len(counted) < MIN_EXCESS_OBJECTS:
        return AreaEstimate()
    positions = np.array(counted)
    x_edges = [x for area in suggested_areas for x in (area.x0, area.x1)]
    z_edges = [z for area in suggested_areas for z in (area.z0, area.z1)]
    x_sides = _side_candidates(positions[:, 0], half_size[0], x_edges)
    z_sides = _side_candidates(positions[:, 1], half_size[1], z_edges)
    unexplained = np.ones(len(positions), dtype=np.bool_)
    found: list[Rect] = []
    total_excess = 0.0
    while len(found) < MAX_AREAS and unexplained.sum() >= MIN_EXCESS_OBJECTS:
        best = _best_area(x_sides, z_sides, unexplained, found)
        if best is None:
            break
        i, j, excess = best
        total_excess += excess
        on_both = (x_sides.on_line[i] & z_sides.on_line[j]).view(np.uint8)
        on_both = np.unpackbits(on_both, count=len(positions))
        on_points = on_both.astype(np.bool_) & unexplained
        x0, x1 = _refined_ends(positions[on_points, 0], x_sides.ends[i])
        z0, z1 = _refined_ends(positions[on_points, 1], z_sides.ends[j])
        found.append(Rect(x0, z0, x1, z1))
        unexplained &= ~on_points
    return AreaEstimate(tuple(found), total_excess / len(counted))


def _limit_repeats(points: Sequence[state.Vec2]) -> list[state.Vec2]:
    repeats = Counter[state.Vec2]()
    counted: list[state.Vec2] = []
    for x, z in points:
        rounded = (round(x / SETTLING_TOLERANCE_METRES), round(z / SETTLING_TOLERANCE_METRES))
        repeats[rounded] += 1
        if repeats[rounded] <= MAX_REPEATS_PER_POINT:
            counted.append((x, z))
    return counted


@dataclass(frozen=True, slots=True)
class _SideCandidates:
    """Candidates for one side of an area; the rows of all arrays are the candidates.

    `ends` has the shape (candidates, 2): the lower and the upper end, metres.  `on_line` and
    `within` have a bit for each object, (candidates, words): whether an object is on one of the
    inner lattice lines, and whether the line nearest to it is an inner one.  `chance` is the
    probability that an object within is on a line by chance.  `penalty` (in objects) is
    greater the farther the ends are from known edges.
    """

    ends: Floats
    on_line: PackedBits
    within: PackedBits
    chance: Floats
    penalty: Floats

    def best_candidates(self, unexplained: PackedBits) -> NDArray[np.intp]:
        """Return the indices of the candidates with the most unexplained objects on lines."""
        expected = self.chance * np.bitwise_count(self.within & unexplained).sum(1)
        excess = np.bitwise_count(self.on_line & unexplained).sum(1) - expected
        return np.argsort(self.penalty - excess, kind="stable")[:MAX_SIDE_CANDIDATES]


def _side_candidates(values: Floats, half: float, edges: Sequence[float]) -> _SideCandidates:
    ends = _candidate_ends(values, half)
    step = (ends[:, 1] - ends[:, 0]) / type_facts.LATTICE_DIVISIONS
    on_line, within = list[PackedBits](), list[PackedBits]()
    for first in range(0, max(len(ends), 1), _CANDIDATES_AT_ONCE):
        part = slice(first, first + _CANDIDATES_AT_ONCE)
        line = values[None] - ends[part, :1]
        line /= step[part, None]
        nearest = np.round(line)
        inner = (nearest > 0) & (nearest < type_facts.LATTICE_DIVISIONS)
        line -= nearest
        off = np.abs(line, out=line)
        off *= step[part, None]
        within.append(_packed(inner))
        on_line.append(_packed((off < SETTLING_TOLERANCE_METRES) & inner))
    edge_distances = np.abs(ends[:, :, None] - np.array([-half, half, *edges])).min(-1)
    return _SideCandidates(
        ends,
        np.concatenate(on_line),
        np.concatenate(within),
        np.minimum(2 * SETTLING_TOLERANCE_METRES / step, 1.0),
        EDGE_PENALTY_PER_METRE * np.minimum(edge_distances, EDGE_PENALTY_RANGE_METRES).sum(1),
    )


def _packed(each: Bools) -> PackedBits:
    """Return the bits of each row in whole words."""
    rows, count = each.shape
    found = np.zeros((rows, -(-count // 64) * 8), dtype=np.uint8)
    found[:, : -(-count // 8)] = np.packbits(each, axis=1)
    return found.view(np.uint64)


def _candidate_ends(values: Floats, half: float) -> Floats:
    """Return the ends of all sides with two of the objects on their lines, shape (n, 2)."""
    lines = _aligned_positions(values)
    i, j = np.triu_indices(len(lines), 1)
    found = [np.zeros((0, 2))]
    for parts in range(1, type_facts.LATTICE_DIVISIONS - 1):
        step = (lines[j] - lines[i]) / parts
        for first in range(1, type_facts.LATTICE_DIVISIONS - parts):
            low = lines[i] - first * step
            high = low + type_facts.LATTICE_DIVISIONS * step
            fits = (high - low > MIN_AREA_SIDE_METRES) & (high - low < MAX_AREA_SIDE_METRES)
            fits &= low > -half - MAX_AREA_OVERHANG_METRES
            fits &= high < half + MAX_AREA_OVERHANG_METRES
            found.append(np.stack([low[fits], high[fits]], 1))
    low, high = np.round(np.concatenate(found) / LINE_MERGE_METRES).astype(np.int64).T
    both = np.unique(low * _MAX_STEPS + high)  # by the lower end, then by the upper
    high = (both + _MAX_STEPS // 2) % _MAX_STEPS - _MAX_STEPS // 2
    return np.stack([(both - high) // _MAX_STEPS, high], 1).astype(np.float64) * LINE_MERGE_METRES


def _aligned_positions(values: Floats) -> Floats:
    """Return the mean of each group of nearly equal coordinates, ascending."""
    ordered = np.sort(values)
    groups = np.split(ordered, np.flatnonzero(np.diff(ordered) > LINE_MERGE_METRES) + 1)
    return np.array([group.mean() for group in groups])


def _best_area(
    x_sides: _SideCandidates, z_sides: _SideCandidates, unexplained: Bools, found: Sequence[Rect]
) -> tuple[int, int, float] | None:
    """Return the indices of the two sides that explain most objects, and their excess.

    The excess is the number of unexplained objects on lattice points beyond what chance puts there.
    None if no pair explains enough, or if all that do overlap an area found earlier.
    """
    if not (len(x_sides.ends) and len(z_sides.ends)):
        return None
    left = _packed(unexplained[None])[0]
    rows, columns = x_sides.best_candidates(left), z_sides.best_candidates(left)
    on_points = _count_on_both(x_sides.on_line[rows] & left, z_sides.on_line[columns])
    within = _count_on_both(x_sides.within[rows] & left, z_sides.within[columns])
    chance = np.outer(x_sides.chance[rows], z_sides.chance[columns])
    expected = within * chance
    excess = on_points - expected - CHANCE_SIGMAS * np.sqrt(expected * (1.0 - chance))
    for area in found:
        x_share = _overlap_share(x_sides.ends[rows], area.x0, area.x1)
        z_share = _overlap_share(z_sides.ends[columns], area.z0, area.z1)
        excess[np.outer(x_share, z_share) > MAX_SHARED_AREA] = -np.inf
    score = excess - OFF_LATTICE_PENALTY * (within - on_points)
    score -= x_sides.penalty[rows][:, None] + z_sides.penalty[columns][None]
    i, j = divmod(int(score.argmax()), len(columns))
    if excess[i, j] < MIN_EXCESS_OBJECTS or on_points[i, j] < MIN_EXPLAINED_SHARE * within[i, j]:
        return None
    return int(rows[i]), int(columns[j]), float(excess[i, j])


def _overlap_share(ends: Floats, low: float, high: float) -> Floats:
    common = np.minimum(ends[:, 1], high) - np.maximum(ends[:, 0], low)
    return np.maximum(common, 0.0) / (ends[:, 1] - ends[:, 0])


def _count_on_both(rows: PackedBits, columns: PackedBits) -> Floats:
    """Count the objects for which a row and a column are both true: (rows, columns)."""
    counts = np.zeros((len(rows), len(columns)))
    for row, column in zip(rows.T, columns.T, strict=True):  # matrix products keep all cores busy
        counts += np.bitwise_count(row[:, None] & column)
    return counts


def _refined_ends(values: Floats, ends: Floats) -> state.Vec2:
    low, high = float(ends[0]), float(ends[1])
    line = np.round((values - low) / (high - low) * type_facts.LATTICE_DIVISIONS)
    if line.min() == line.max():
        return low, high
    step, low = (float(value) for value in np.polyfit(line, values, 1))
    return low, low + type_facts.LATTICE_DIVISIONS * step
