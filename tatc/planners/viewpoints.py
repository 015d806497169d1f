"""Where to stand and where to click: the viewpoints from which an object can be acted on.

A two-decimal click names a pixel of a 100 x 100 lattice over the frame.  From each pose,
cheapest first, rays are traced through the lattice around the object.  So a click is
checked exactly as it will be said: its own pixel shows the object, and the point there is
within the Follower's reach (spec section 2.3, step 4).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import dist

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Click
from tatc.camera.geometry import Geometry
from tatc.camera.rays import EYE_HEIGHT_METRES, FRAME_PIXELS, Eye
from tatc.state import ObjectState, Pose, Vec3

PLANNED_REACH_METRES = 1.45
"""Metres from the agent to a clicked point: TEACh's 1.5, less the error of boxes."""
MAX_CLICK_DEPTH_STEPS = 4
"""Lattice steps inside an object's outline beyond which a click gains nothing."""
MAX_SCORED_CLICKS = 48
"""Clicks of one pose that a scorer is asked about, at most."""

CLICK_LATTICE_STEPS = 100
CLICK_LATTICE_PIXELS = np.array(
    [round(i / CLICK_LATTICE_STEPS * FRAME_PIXELS) for i in range(CLICK_LATTICE_STEPS)]
)
_PREFERRED_DEPTH_STEPS = 2  # lattice steps inside the outline that a scored click should be
_THIN_OBJECT_LINES = 4  # an object across fewer lattice lines may show between them only
UNCLICKED_BORDER_STEPS = 2  # lattice lines along the frame's border that are never clicked

PointScorer = Callable[[Vec3], float]
"""Scores a point to click on, in world metres: higher is better, below zero is ruled out."""
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A pose, a two-decimal click on the object from there, and the path's cost in actions."""

    pose: Pose
    click: Click
    cost: int


def find_viewpoints(
    geometry: Geometry,
    objects: Sequence[ObjectState],
    target: int,
    accepts: Callable[[int], bool],
    poses: Iterable[tuple[Pose, int]],
    agent_y: float,
    *,
    scorer: PointScorer | None = None,
    reach: float = PLANNED_REACH_METRES,
) -> Iterator[Viewpoint]:
    """Yield the poses from which object `target` can be clicked, in the order given.

    Args:
        geometry: the solids of `objects`; indices are those of this list.
        objects: the objects as they are now.
        target: the object to click on.
        accepts: whether the verb may resolve to the object with an index (spec section
            2.5); a target that it refuses has no viewpoint.
        poses: where the body may be, each with the cost of getting there.
        agent_y: the height of the body's position, metres.
        scorer: scores the clicked point, and the best click of a pose is taken; without
            it the click farthest from the object's outline is.
        reach: metres from the body's position to the clicked point.

    """
    extent = clickable_bounds(geometry, objects, target, accepts)
    if extent is None:
        return
    cells_without_view: set[tuple[float, float]] = set()
    for pose, cost in poses:
        cell = pose.x, pose.z
        if cell in cells_without_view or not can_be_visible(pose, agent_y, extent, reach):
            continue
        eye = Eye((pose.x, agent_y + EYE_HEIGHT_METRES, pose.z), pose.yaw, pose.horizon)
        lattice_view = _LatticeView.of(geometry, eye, target)
        if lattice_view is None:
            continue
        if lattice_view.is_fully_in_frame and not lattice_view.target_mask.any():
            # A thin object may show only between lattice lines here, and on one elsewhere.
            if not lattice_view.is_thin or not geometry.count_visible_pixels(eye, target):
                cells_without_view.add(cell)
        click = lattice_view.best_click((pose.x, agent_y, pose.z), reach, scorer)
        if click is not None:
            yield Viewpoint(pose, click, cost)


def clickable_bounds(
    geometry: Geometry, objects: Sequence[ObjectState], target: int, accepts: Callable[[int], bool]
) -> tuple[Vec3, Vec3] | None:
    """Return the bounds of an object; None where it cannot be clicked from anywhere."""
    if objects[target].isPickedUp or not accepts(target) or geometry.is_enclosed(target):
        return None
    return geometry.object_bounds(target)


@dataclass(frozen=True, slots=True)
class _LatticeView:
    """The part of the click lattice around an object, as one eye sees it.

    `target_mask` (rows, columns) is True where the object shows, and `points` (rows,
    columns, 3) are the ends of the rays there, in world metres.  `is_fully_in_frame` says
    whether the whole object lies in the frame, `is_thin` whether so few lattice lines
    cross it that it may show between them only.
    """

    left: int
    top: int
    target_mask: BoolArray
    points: NDArray[np.float64]
    is_fully_in_frame: bool
    is_thin: bool

    @staticmethod
    def of(geometry: Geometry, eye: Eye, target: int) -> "_LatticeView | None":
        """Trace the lattice around an object; None where no click lies there."""
        window = geometry.bounding_window(eye, target)
        left, right = np.searchsorted(CLICK_LATTICE_PIXELS, (window.left, window.right)).tolist()
        top, bottom = np.searchsorted(CLICK_LATTICE_PIXELS, (window.top, window.bottom)).tolist()
        left, top = max(left, UNCLICKED_BORDER_STEPS), max(top, UNCLICKED_BORDER_STEPS)
        end = CLICK_LATTICE_STEPS - UNCLICKED_BORDER_STEPS
        right, bottom = min(right, end), min(bottom, end)
        if left >= right or top >= bottom:
            return None
        columns, rows = (CLICK_LATTICE_PIXELS[left:right], CLICK_LATTICE_PIXELS[top:bottom])
        ids, depths = geometry.trace_object_pixels(eye, columns, rows)
        target_mask = ids == target
        rays = np.broadcast_arrays(*eye.rays(columns, rows))
        origin = np.array(eye.position)
        depths = np.where(target_mask, depths, 0.0)
        points = origin + np.stack(rays, axis=-1) * depths[..., None]
        inside = 0 < window.left and window.right < FRAME_PIXELS
        whole = inside and 0 < window.top and window.bottom < FRAME_PIXELS
        thin = min(ids.shape) < _THIN_OBJECT_LINES
        return _LatticeView(left, top, target_mask, points, whole, thin)

    def best_click(self, body: Vec3, reach: float, scorer: PointScorer | None) -> Click | None:
        """Return the best click on the object within reach (metres) of a body, or None."""
        away = ((self.points - np.array(body)) ** 2).sum(-1)
        rows, columns = np.nonzero(self.target_mask & (away <= reach * reach))
        if not len(rows):
            return None
        middle_row, middle_column = rows.mean(), columns.mean()
        off = (rows - middle_row) ** 2 + (columns - middle_column) ** 2
        scores = _depth_inside_outline(self.target_mask)[rows, columns] - off / (off.max() + 1.0)
        best: int | None = int(scores.argmax())
        if scorer is not None:
            points = self.points[rows, columns]
            best = _best_scored_point(points, scores, scorer)
        if best is None:
            return None
        column, row = self.left + int(columns[best]), self.top + int(rows[best])
        return Click(column / CLICK_LATTICE_STEPS, row / CLICK_LATTICE_STEPS)


def _best_scored_point(
    points: NDArray[np.float64], scores: NDArray[np.float64], scorer: PointScorer
) -> int | None:
    """Return the index of the point that the scorer likes best, or None.

    Among equals the one with the highest of `scores` wins.
    """
    inner = np.flatnonzero(scores >= min(scores.max(), float(_PREFERRED_DEPTH_STEPS)))
    tried = inner[:: -(-len(inner) // MAX_SCORED_CLICKS)].tolist()
    liked = [(scorer(_as_vec3(points[i])), float(scores[i]), -i) for i in tried]
    value, _, best = max(liked)
    return None if value < 0 else -best


def _as_vec3(point: NDArray[np.float64]) -> Vec3:
    x, y, z = point.tolist()
    return x, y, z


def _depth_inside_outline(mask: BoolArray) -> NDArray[np.int64]:
    """Return how many steps each pixel lies inside the outline, up to `MAX_CLICK_DEPTH_STEPS`."""
    left = np.pad(mask, 1)
    depth = mask.astype(np.int64)
    for _ in range(MAX_CLICK_DEPTH_STEPS):
        across = left[1:-1, :-2] & left[1:-1, 1:-1] & left[1:-1, 2:]
        tall = np.pad(across, ((1, 1), (0, 0)))
        inner = tall[:-2] & tall[1:-1] & tall[2:]
        depth += inner
        left = np.pad(inner, 1)
    return depth


def can_be_visible(pose: Pose, agent_y: float, extent: tuple[Vec3, Vec3], reach: float) -> bool:
    """Return whether an object's bounds are within reach and, roughly, in the frame."""
    body = (pose.x, agent_y, pose.z)
    low, high = extent
    nearest = [min(max(at, least), most) for at, least, most in zip(body, low, high, strict=True)]
    if dist(nearest, body) > reach:
        return False
    x, z = pose.x, pose.z
    y = agent_y + EYE_HEIGHT_METRES
    for nx, ny, nz in _frustum_normals(pose.yaw, pose.horizon):
        ahead = nx * ((high[0] if nx > 0 else low[0]) - x)
        ahead += ny * ((high[1] if ny > 0 else low[1]) - y)
        ahead += nz * ((high[2] if nz > 0 else low[2]) - z)
        if ahead < 0:
            return False
    return True


@lru_cache(maxsize=256)
def _frustum_normals(yaw: float, horizon: float) -> tuple[Vec3, ...]:
    """Return the inward normals of the view frustum's four sides."""
    forward, right, up = Eye((0.0, 0.0, 0.0), yaw, horizon).axes
    return tuple(
        (forward[0] + sign * side[0], forward[1] + sign * side[1], forward[2] + sign * side[2])
        for side in (right, up)
        for sign in (1.0, -1.0)
    )
