"""Where to stand and where to click: the views from which an object can be acted on.

A two-decimal click is a pixel of a lattice of 100 x 100 over the frame.  From each
pose, nearest first, the part of the lattice around the object is traced, so that a
click is checked exactly as it will be said: its very pixel shows the object, and the
point it shows is within the Follower's reach (spec section 2.3, step 4).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import dist

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Click
from tatc.camera.geometry import Geometry
from tatc.camera.rays import EYE_HEIGHT, FRAME, Eye
from tatc.state import ObjectState, Pose, Vec3

REACH = 1.45
"""Metres from the agent to a clicked point: TEACh's 1.5, less what boxes leave open."""
FARTHEST = 1.5
"""Metres from the agent to a clicked point at most (spec section 2.3)."""
DEEP = 4
"""Steps of the lattice inside an object's outline from which a click is deep enough."""
MOST = 48
"""Clicks of one pose that `prefer` is asked about."""

STEPS = 100
LATTICE = np.array([round(i / STEPS * FRAME) for i in range(STEPS)])
_INNER = 2  # steps inside the outline that a preferred click should be
_THIN = 4  # lattice lines across an object that is too broad to hide between them
EDGE = 2  # lattice lines along the frame's border that are not clicked

Prefer = Callable[[Vec3], float]
"""Scores a point to click on; higher is better, below zero is out of the question."""
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A pose, a two-decimal click that means the object there, and the way's cost."""

    pose: Pose
    click: Click
    cost: int


def find(
    geometry: Geometry,
    objects: Sequence[ObjectState],
    target: int,
    accepts: Callable[[int], bool],
    poses: Iterable[tuple[Pose, int]],
    agent_y: float,
    *,
    prefer: Prefer | None = None,
    reach: float = REACH,
) -> Iterator[Viewpoint]:
    """Yield the poses from which object `target` can be clicked, in the order given.

    Args:
        geometry: the solids of `objects`; indices are those of this list.
        objects: the objects as they are now.
        target: the object to click on.
        accepts: whether the verb may resolve to an object (spec section 2.5); nothing
            is found for a target that it does not take.
        poses: where the body may be, each with the cost of getting there.
        agent_y: the height of the body's position, metres.
        prefer: scores the point clicked on; the best click of a pose is taken, by
            default the one farthest from the object's outline.
        reach: metres from the body's position to the clicked point.

    """
    extent = to_be_seen(geometry, objects, target, accepts)
    if extent is None:
        return
    blind: set[tuple[float, float]] = set()
    for pose, cost in poses:
        cell = pose.x, pose.z
        if cell in blind or not may_show(pose, agent_y, extent, reach):
            continue
        eye = Eye((pose.x, agent_y + EYE_HEIGHT, pose.z), pose.yaw, pose.horizon)
        glimpse = _Glimpse.of(geometry, eye, target)
        if glimpse is None:
            continue
        if glimpse.whole and not glimpse.shown.any():
            # A thin thing may show between the lattice's lines, and on them elsewhere.
            if not glimpse.thin or not geometry.mask_pixels(eye, target):
                blind.add(cell)
        click = glimpse.click((pose.x, agent_y, pose.z), reach, prefer)
        if click is not None:
            yield Viewpoint(pose, click, cost)


def to_be_seen(
    geometry: Geometry,
    objects: Sequence[ObjectState],
    target: int,
    accepts: Callable[[int], bool],
) -> tuple[Vec3, Vec3] | None:
    """Return the bounds of an object, or None where no view of it can serve."""
    if objects[target].isPickedUp or not accepts(target) or geometry.enclosed(target):
        return None
    return geometry.extent(target)


@dataclass(frozen=True, slots=True)
class _Glimpse:
    """The lattice around an object as one eye sees it.

    `shown` says where it is the object that shows, `points` (rows, columns, 3) where
    the rays end; `whole` whether all of the object lies in the frame, `thin` whether it
    could show between few lines of the lattice only.
    """

    left: int
    top: int
    shown: Bools
    points: NDArray[np.float64]
    whole: bool
    thin: bool

    @staticmethod
    def of(geometry: Geometry, eye: Eye, target: int) -> "_Glimpse | None":
        """Trace the lattice around an object; None where that holds no click."""
        window = geometry.rectangle(eye, target)
        left, right = np.searchsorted(LATTICE, (window.left, window.right)).tolist()
        top, bottom = np.searchsorted(LATTICE, (window.top, window.bottom)).tolist()
        left, top = max(left, EDGE), max(top, EDGE)
        right, bottom = min(right, STEPS - EDGE), min(bottom, STEPS - EDGE)
        if left >= right or top >= bottom:
            return None
        columns, rows = LATTICE[left:right], LATTICE[top:bottom]
        ids, depths = geometry.pixels(eye, columns, rows)
        shown = ids == target
        rays = np.broadcast_arrays(*eye.rays(columns, rows))
        origin = np.array(eye.position)
        depths = np.where(shown, depths, 0.0)
        points = origin + np.stack(rays, axis=-1) * depths[..., None]
        inside = 0 < window.left and window.right < FRAME
        whole = inside and 0 < window.top and window.bottom < FRAME
        thin = min(ids.shape) < _THIN
        return _Glimpse(left, top, shown, points, whole, thin)

    def click(self, body: Vec3, reach: float, prefer: Prefer | None) -> Click | None:
        """Return the best click on the object within reach of a body, or None."""
        away = ((self.points - np.array(body)) ** 2).sum(-1)
        rows, columns = np.nonzero(self.shown & (away <= reach * reach))
        if not len(rows):
            return None
        middle_row, middle_column = rows.mean(), columns.mean()
        off = (rows - middle_row) ** 2 + (columns - middle_column) ** 2
        scores = _inwards(self.shown)[rows, columns] - off / (off.max() + 1.0)
        best: int | None = int(scores.argmax())
        if prefer is not None:
            points = self.points[rows, columns]
            best = _preferred(points, scores, prefer)
        if best is None:
            return None
        column, row = self.left + int(columns[best]), self.top + int(rows[best])
        return Click(column / STEPS, row / STEPS)


def _preferred(
    points: NDArray[np.float64], scores: NDArray[np.float64], prefer: Prefer
) -> int | None:
    """Return which of the points is liked best; of equals the best by score."""
    inner = np.flatnonzero(scores >= min(scores.max(), float(_INNER)))
    tried = inner[:: -(-len(inner) // MOST)].tolist()
    liked = [(prefer(_vector(points[i])), float(scores[i]), -i) for i in tried]
    value, _, best = max(liked)
    return None if value < 0 else -best


def _vector(point: NDArray[np.float64]) -> Vec3:
    x, y, z = point.tolist()
    return x, y, z


def _inwards(shown: Bools) -> NDArray[np.int64]:
    """Return how many steps each place lies inside the outline, up to `DEEP`."""
    left = np.pad(shown, 1)
    depth = shown.astype(np.int64)
    for _ in range(DEEP):
        across = left[1:-1, :-2] & left[1:-1, 1:-1] & left[1:-1, 2:]
        tall = np.pad(across, ((1, 1), (0, 0)))
        inner = tall[:-2] & tall[1:-1] & tall[2:]
        depth += inner
        left = np.pad(inner, 1)
    return depth


def may_show(
    pose: Pose, agent_y: float, extent: tuple[Vec3, Vec3], reach: float
) -> bool:
    """Whether an object's bounds come within reach and, roughly, into the frame."""
    body = (pose.x, agent_y, pose.z)
    low, high = extent
    nearest = [
        min(max(at, least), most)
        for at, least, most in zip(body, low, high, strict=True)
    ]
    if dist(nearest, body) > reach:
        return False
    x, z = pose.x, pose.z
    y = agent_y + EYE_HEIGHT
    for nx, ny, nz in _frustum(pose.yaw, pose.horizon):
        ahead = nx * ((high[0] if nx > 0 else low[0]) - x)
        ahead += ny * ((high[1] if ny > 0 else low[1]) - y)
        ahead += nz * ((high[2] if nz > 0 else low[2]) - z)
        if ahead < 0:
            return False
    return True


@lru_cache(maxsize=256)
def _frustum(yaw: float, horizon: float) -> tuple[Vec3, ...]:
    """Return the inward normals of the view's four sides."""
    forward, right, up = Eye((0.0, 0.0, 0.0), yaw, horizon).axes
    return tuple(
        (
            forward[0] + sign * side[0],
            forward[1] + sign * side[1],
            forward[2] + sign * side[2],
        )
        for side in (right, up)
        for sign in (1.0, -1.0)
    )
