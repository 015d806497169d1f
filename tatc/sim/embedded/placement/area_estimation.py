"""AI2-THOR's areas, found from where things stood in many sessions.

Every area is cut in eight each way and things stand on the lines between, so that the
places of some dozen things show where a receptacle's areas lie to some millimetres: two
lines and how many parts are between them make a candidate for a side, and the pair of
sides whose points hold most things, beyond what chance puts there, is an area.  What it
holds is taken away and the next one is sought.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tatc.camera.rects import Rect
from tatc.sim.embedded.placement.lattice_fitting import LATTICE_DIVISIONS

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Point = tuple[float, float]

SETTLING_TOLERANCE_METRES = 0.003
"""How far from its point a thing may have settled, metres."""
LINE_MERGE_METRES = 0.002
"""Lines nearer to each other than this are one, metres."""
MIN_AREA_SIDE_METRES, MAX_AREA_SIDE_METRES = 0.08, 3.4
"""The sides of areas, metres."""
MAX_AREA_OVERHANG_METRES = 0.06
"""How far an area may reach over its receptacle's box, metres."""
MIN_EXCESS_OBJECTS = 6.0
"""An area holds at least so many more things than chance would."""
MIN_EXPLAINED_SHARE = 0.5
"""An area explains at least this share of the things within it."""
CHANCE_SIGMAS = 3.0
"""How many standard deviations are put down to chance."""
OFF_LATTICE_PENALTY = 0.2
"""What a thing within an area but on none of its points counts against it."""
EDGE_PENALTY_PER_METRE, EDGE_PENALTY_RANGE_METRES = 4.0, 0.1
"""What a metre between a side's end and the nearest known edge counts against it, and
from which distance on it is all one."""
MAX_AREAS = 5
"""At most so many areas are found."""
MAX_SIDE_CANDIDATES = 200
"""So many of the best candidates for each side are paired."""
MAX_SHARED_AREA = 0.45
"""No area has more than this share of itself in one that was found before: strips of a
round table that cross each other share 0.44 of theirs."""
MAX_REPEATS_PER_POINT = 2
"""So many things at one point count: what every session starts with tells once."""


@dataclass(frozen=True, slots=True)
class AreaEstimate:
    """Areas, the surest first, and what share of all things tells of them.

    `support_share` counts only the things on their points that chance would not put there.
    """

    areas: tuple[Rect, ...] = ()
    support_share: float = 0.0


@lru_cache(maxsize=64)
def estimate_areas(
    points: tuple[Point, ...], half_size: Point, suggested_areas: tuple[Rect, ...] = ()
) -> AreaEstimate:
    """Return a receptacle's areas; none if the points show none.

    Points and areas run along the receptacle's axes from its middle, metres; `half_size` is
    half its size, `suggested_areas` are areas that boxes suggest.
    """
    kept = Counter[Point]()
    told: list[Point] = []
    for x, z in points:
        spot = (round(x / SETTLING_TOLERANCE_METRES), round(z / SETTLING_TOLERANCE_METRES))
        kept[spot] += 1
        if kept[spot] <= MAX_REPEATS_PER_POINT:
            told.append((x, z))
    if len(told) < MIN_EXCESS_OBJECTS:
        return AreaEstimate()
    at = np.array(told)
    wide = _side_candidates(
        at[:, 0], half_size[0], [x for r in suggested_areas for x in (r.x0, r.x1)]
    )
    deep = _side_candidates(
        at[:, 1], half_size[1], [z for r in suggested_areas for z in (r.z0, r.z1)]
    )
    left = np.ones(len(at), dtype=np.bool_)
    found: list[Rect] = []
    sure = 0.0
    while len(found) < MAX_AREAS and left.sum() >= MIN_EXCESS_OBJECTS:
        best = _best_area(wide, deep, left, found)
        if best is None:
            break
        i, j, held_for_sure = best
        sure += held_for_sure
        held = wide.on_line[i] & deep.on_line[j] & left
        x0, x1 = _refined_ends(at[held, 0], wide.ends[i])
        z0, z1 = _refined_ends(at[held, 1], deep.ends[j])
        found.append(Rect(x0, z0, x1, z1))
        left &= ~held
    return AreaEstimate(tuple(found), sure / len(told))


@dataclass(frozen=True, slots=True)
class _SideCandidates:
    """Candidates for one side of an area, and which things are on and within each.

    `penalty` is what speaks against each; `chance` how often a thing within is on a
    line by chance.
    """

    ends: Floats
    on_line: Bools
    within: Bools
    chance: Floats
    penalty: Floats

    def best_candidates(self, unexplained: Bools) -> NDArray[np.intp]:
        """Return the candidates with most things on their lines among those left."""
        held = self.on_line[:, unexplained].sum(1) - self.chance * self.within[:, unexplained].sum(
            1
        )
        return np.argsort(self.penalty - held, kind="stable")[:MAX_SIDE_CANDIDATES]


def _side_candidates(values: Floats, half: float, edges: Sequence[float]) -> _SideCandidates:
    ends = _candidate_ends(values, half)
    step = (ends[:, 1] - ends[:, 0]) / LATTICE_DIVISIONS
    line = (values[None] - ends[:, :1]) / step[:, None]
    nearest = np.round(line)
    inner = (nearest > 0) & (nearest < LATTICE_DIVISIONS)
    known = np.array([-half, half, *edges])
    apart = np.abs(ends[:, :, None] - known).min(-1)
    return _SideCandidates(
        ends,
        (np.abs(line - nearest) * step[:, None] < SETTLING_TOLERANCE_METRES) & inner,
        inner,
        np.minimum(2 * SETTLING_TOLERANCE_METRES / step, 1.0),
        EDGE_PENALTY_PER_METRE * np.minimum(apart, EDGE_PENALTY_RANGE_METRES).sum(1),
    )


def _candidate_ends(values: Floats, half: float) -> Floats:
    """Return the ends of all sides that have two of the things on their lines."""
    lines = _aligned_positions(values)
    i, j = np.triu_indices(len(lines), 1)
    found = [np.zeros((0, 2))]
    for apart in range(1, LATTICE_DIVISIONS - 1):
        step = (lines[j] - lines[i]) / apart
        for first in range(1, LATTICE_DIVISIONS - apart):
            low = lines[i] - first * step
            high = low + LATTICE_DIVISIONS * step
            fits = (high - low > MIN_AREA_SIDE_METRES) & (high - low < MAX_AREA_SIDE_METRES)
            fits &= (low > -half - MAX_AREA_OVERHANG_METRES) & (
                high < half + MAX_AREA_OVERHANG_METRES
            )
            found.append(np.stack([low[fits], high[fits]], 1))
    steps = np.round(np.concatenate(found) / LINE_MERGE_METRES).astype(np.int64)
    return np.unique(steps, axis=0).astype(np.float64) * LINE_MERGE_METRES


def _aligned_positions(values: Floats) -> Floats:
    """Return where things stand in a line with each other."""
    ordered = np.sort(values)
    groups = np.split(ordered, np.flatnonzero(np.diff(ordered) > LINE_MERGE_METRES) + 1)
    return np.array([group.mean() for group in groups])


def _best_area(
    wide: _SideCandidates, deep: _SideCandidates, unexplained: Bools, found_areas: Sequence[Rect]
) -> tuple[int, int, float] | None:
    """Return the pair of sides that explains most of what is left, and how much.

    None if no pair explains enough beside what was found before.
    """
    if not (len(wide.ends) and len(deep.ends)):
        return None
    rows, columns = wide.best_candidates(unexplained), deep.best_candidates(unexplained)
    on = _count_on_both(wide.on_line[rows], deep.on_line[columns], unexplained)
    within = _count_on_both(wide.within[rows], deep.within[columns], unexplained)
    chance = np.outer(wide.chance[rows], deep.chance[columns])
    luck = within * chance
    sure = on - luck - CHANCE_SIGMAS * np.sqrt(luck * (1.0 - chance))
    for area in found_areas:
        across = _overlap_share(wide.ends[rows], area.x0, area.x1)
        along = _overlap_share(deep.ends[columns], area.z0, area.z1)
        sure[np.outer(across, along) > MAX_SHARED_AREA] = -np.inf
    score = sure - OFF_LATTICE_PENALTY * (within - on)
    score -= wide.penalty[rows][:, None] + deep.penalty[columns][None]
    i, j = divmod(int(score.argmax()), len(columns))
    if sure[i, j] < MIN_EXCESS_OBJECTS or on[i, j] < MIN_EXPLAINED_SHARE * within[i, j]:
        return None
    return int(rows[i]), int(columns[j]), float(sure[i, j])


def _overlap_share(ends: Floats, low: float, high: float) -> Floats:
    """Return what share of each side lies between two points."""
    common = np.minimum(ends[:, 1], high) - np.maximum(ends[:, 0], low)
    return np.maximum(common, 0.0) / (ends[:, 1] - ends[:, 0])


def _count_on_both(rows: Bools, columns: Bools, unexplained: Bools) -> Floats:
    """Count the things left that each row and each column have both."""
    return rows[:, unexplained].astype(np.float64) @ columns[:, unexplained].T.astype(np.float64)


def _refined_ends(values: Floats, ends: Floats) -> Point:
    """Return a side's ends drawn to the things on its lines."""
    low, high = float(ends[0]), float(ends[1])
    line = np.round((values - low) / (high - low) * LATTICE_DIVISIONS)
    if line.min() == line.max():
        return low, high
    step, low = (float(value) for value in np.polyfit(line, values, 1))
    return low, low + LATTICE_DIVISIONS * step
