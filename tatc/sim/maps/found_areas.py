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
from tatc.sim.maps.lattice import PARTS

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Point = tuple[float, float]

NEAR = 0.003
"""How far from its point a thing may have settled, metres."""
SAME = 0.002
"""Lines nearer to each other than this are one, metres."""
SMALLEST, LARGEST = 0.08, 3.4
"""The sides of areas, metres."""
OVER = 0.06
"""How far an area may reach over its receptacle's box, metres."""
FEWEST = 6.0
"""An area holds at least so many more things than chance would."""
MOST = 0.5
"""An area explains at least this share of the things within it."""
SURE = 3.0
"""How many standard deviations are put down to chance."""
OFF = 0.2
"""What a thing within an area but on none of its points counts against it."""
PULL, FAR = 4.0, 0.1
"""What a metre between a side's end and the nearest known edge counts against it, and
from which distance on it is all one."""
AREAS = 5
"""At most so many areas are found."""
KEPT = 200
"""So many of the best candidates for each side are paired."""
SHARED = 0.45
"""No area has more than this share of itself in one that was found before: strips of a
round table that cross each other share 0.44 of theirs."""
TWINS = 2
"""So many things at one point count: what every session starts with tells once."""


@dataclass(frozen=True, slots=True)
class Found:
    """Areas, the surest first, and what share of all things tells of them.

    `sure` counts only the things on their points that chance would not put there.
    """

    areas: tuple[Rect, ...] = ()
    sure: float = 0.0


@lru_cache(maxsize=64)
def areas_from(
    points: tuple[Point, ...], half: Point, edges: tuple[Rect, ...] = ()
) -> Found:
    """Return a receptacle's areas; none if the points show none.

    Points and areas run along the receptacle's axes from its middle, metres; `half` is
    half its size, `edges` are areas that boxes suggest.
    """
    kept = Counter[Point]()
    told: list[Point] = []
    for x, z in points:
        spot = round(x / NEAR), round(z / NEAR)
        kept[spot] += 1
        if kept[spot] <= TWINS:
            told.append((x, z))
    if len(told) < FEWEST:
        return Found()
    at = np.array(told)
    wide = _side(at[:, 0], half[0], [x for r in edges for x in (r.x0, r.x1)])
    deep = _side(at[:, 1], half[1], [z for r in edges for z in (r.z0, r.z1)])
    left = np.ones(len(at), dtype=np.bool_)
    found: list[Rect] = []
    sure = 0.0
    while len(found) < AREAS and left.sum() >= FEWEST:
        best = _best(wide, deep, left, found)
        if best is None:
            break
        i, j, held_for_sure = best
        sure += held_for_sure
        held = wide.on[i] & deep.on[j] & left
        x0, x1 = _drawn(at[held, 0], wide.ends[i])
        z0, z1 = _drawn(at[held, 1], deep.ends[j])
        found.append(Rect(x0, z0, x1, z1))
        left &= ~held
    return Found(tuple(found), sure / len(told))


@dataclass(frozen=True, slots=True)
class _Side:
    """Candidates for one side of an area, and which things are on and within each.

    `against` is what speaks against each; `chance` how often a thing within is on a
    line by chance.
    """

    ends: Floats
    on: Bools
    within: Bools
    chance: Floats
    against: Floats

    def foremost(self, left: Bools) -> NDArray[np.intp]:
        """Return the candidates with most things on their lines among those left."""
        held = self.on[:, left].sum(1) - self.chance * self.within[:, left].sum(1)
        return np.argsort(self.against - held, kind="stable")[:KEPT]


def _side(values: Floats, half: float, edges: Sequence[float]) -> _Side:
    ends = _ends(values, half)
    step = (ends[:, 1] - ends[:, 0]) / PARTS
    line = (values[None] - ends[:, :1]) / step[:, None]
    nearest = np.round(line)
    inner = (nearest > 0) & (nearest < PARTS)
    known = np.array([-half, half, *edges])
    apart = np.abs(ends[:, :, None] - known).min(-1)
    return _Side(
        ends,
        (np.abs(line - nearest) * step[:, None] < NEAR) & inner,
        inner,
        np.minimum(2 * NEAR / step, 1.0),
        PULL * np.minimum(apart, FAR).sum(1),
    )


def _ends(values: Floats, half: float) -> Floats:
    """Return the ends of all sides that have two of the things on their lines."""
    lines = _lines(values)
    i, j = np.triu_indices(len(lines), 1)
    found = [np.zeros((0, 2))]
    for apart in range(1, PARTS - 1):
        step = (lines[j] - lines[i]) / apart
        for first in range(1, PARTS - apart):
            low = lines[i] - first * step
            high = low + PARTS * step
            fits = (high - low > SMALLEST) & (high - low < LARGEST)
            fits &= (low > -half - OVER) & (high < half + OVER)
            found.append(np.stack([low[fits], high[fits]], 1))
    steps = np.round(np.concatenate(found) / SAME).astype(np.int64)
    return np.unique(steps, axis=0).astype(np.float64) * SAME


def _lines(values: Floats) -> Floats:
    """Return where things stand in a line with each other."""
    ordered = np.sort(values)
    groups = np.split(ordered, np.flatnonzero(np.diff(ordered) > SAME) + 1)
    return np.array([group.mean() for group in groups])


def _best(
    wide: _Side, deep: _Side, left: Bools, found: Sequence[Rect]
) -> tuple[int, int, float] | None:
    """Return the pair of sides that explains most of what is left, and how much.

    None if no pair explains enough beside what was found before.
    """
    if not (len(wide.ends) and len(deep.ends)):
        return None
    rows, columns = wide.foremost(left), deep.foremost(left)
    on = _both(wide.on[rows], deep.on[columns], left)
    within = _both(wide.within[rows], deep.within[columns], left)
    chance = np.outer(wide.chance[rows], deep.chance[columns])
    luck = within * chance
    sure = on - luck - SURE * np.sqrt(luck * (1.0 - chance))
    for area in found:
        across = _shared(wide.ends[rows], area.x0, area.x1)
        along = _shared(deep.ends[columns], area.z0, area.z1)
        sure[np.outer(across, along) > SHARED] = -np.inf
    score = sure - OFF * (within - on)
    score -= wide.against[rows][:, None] + deep.against[columns][None]
    i, j = divmod(int(score.argmax()), len(columns))
    if sure[i, j] < FEWEST or on[i, j] < MOST * within[i, j]:
        return None
    return int(rows[i]), int(columns[j]), float(sure[i, j])


def _shared(ends: Floats, low: float, high: float) -> Floats:
    """Return what share of each side lies between two points."""
    common = np.minimum(ends[:, 1], high) - np.maximum(ends[:, 0], low)
    return np.maximum(common, 0.0) / (ends[:, 1] - ends[:, 0])


def _both(rows: Bools, columns: Bools, left: Bools) -> Floats:
    """Count the things left that each row and each column have both."""
    return rows[:, left].astype(np.float64) @ columns[:, left].T.astype(np.float64)


def _drawn(values: Floats, ends: Floats) -> Point:
    """Return a side's ends drawn to the things on its lines."""
    low, high = float(ends[0]), float(ends[1])
    line = np.round((values - low) / (high - low) * PARTS)
    if line.min() == line.max():
        return low, high
    step, low = (float(value) for value in np.polyfit(line, values, 1))
    return low, low + PARTS * step
