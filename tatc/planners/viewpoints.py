"""Where to stand and where to click: the viewpoints from which an object can be acted on.

A two-decimal click names a pixel of a 100 x 100 lattice over the frame.  From each pose,
cheapest first, rays are traced through the lattice around the object.  So a click is
checked exactly as it will be said: its own pixel shows the object, and the point there is
within the Follower's reach (spec section 2.3, step 4).  What hides an object is found here too.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import dist, hypot
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tatc.home.actions import Click
from tatc.home.camera import object_pixels, rays, visible_parts
from tatc.home.camera.clicks import CLICK_SEARCH_PIXELS, eye_at, resolve_click
from tatc.home.camera.geometry import Geometry
from tatc.home.state import AgentState, ObjectState, Pose, Vec3

PLANNED_REACH_METRES = 1.45
"""Metres from the agent to a clicked point: TEACh's 1.5, less the error of boxes."""
MAX_CLICK_DEPTH_STEPS = 4
"""Lattice steps inside an object's outline beyond which a click gains nothing."""
MAX_SCORED_CLICKS = 48  # clicks of one pose that a scorer is asked about, at most
MAX_OFF_MIDDLE = 0.85
"""How far from the middle of the frame a faced point may be, in halves of the frame."""
MAX_CLICKS_PER_POSE = 6
"""Clicks beside an object that are tried from a pose; those nearest to it come first."""
MAX_OCCLUSION_POSES = 60  # poses from which rays are cast at a hidden object, at most
RAYS_PER_AXIS = 8  # rays across a hidden object's bounding window, in each direction

CLICK_LATTICE_STEPS = 100
CLICK_LATTICE_PIXELS = np.array(
    [round(i / CLICK_LATTICE_STEPS * rays.FRAME_PIXELS) for i in range(CLICK_LATTICE_STEPS)]
)
_PREFERRED_DEPTH_STEPS = 2  # lattice steps inside the outline that a scored click should be
_THIN_OBJECT_LINES = 4  # an object across fewer lattice lines may show between them only
UNCLICKED_BORDER_STEPS = 2  # lattice lines along the frame's border that are never clicked

PointScorer = Callable[[Vec3, Vec3], float]
"""Scores a point to click on, and the eye that sees it, in world metres: higher is better,
below zero is ruled out."""
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
    agent: AgentState,
    *,
    scorer: PointScorer | None = None,
    reach: float = PLANNED_REACH_METRES,
    may_look: Callable[[], bool] = lambda: True,
) -> Iterator[Viewpoint]:
    """Yield the poses from which object `target` can be clicked, in the order given.

    `geometry` holds the solids of `objects`; `target` is an index of them.  `accepts` says of an
    index whether the verb may resolve to that object (spec section 2.5); if not to the target, it
    has no viewpoint.  `poses` come with the cost of getting there.  The `scorer` chooses the click
    of a pose; without one, the click farthest from the object's outline is taken.  `reach` is from
    the body's position to the clicked point, metres.  `may_look` is asked before each view.
    """
    extent = clickable_bounds(geometry, objects, target, accepts)
    if extent is None:
        return
    visibility = VisibilityTest(extent, agent, reach)
    hidden = _hidden_lattices.setdefault(geometry, visible_parts.HiddenViews())
    cells_without_view: set[tuple[float, float]] = set()
    for pose, cost in poses:
        cell = pose.x, pose.z
        if cell in cells_without_view or not visibility.allows(pose):
            continue
        if not may_look():
            return
        eye = eye_at(pose, agent)
        lattice_view = hidden.find(geometry, eye, target)
        if lattice_view is None:
            lattice_view = _LatticeView.of(geometry, eye, target)
            if not len(lattice_view.shown.rows):
                hidden.keep(geometry, eye, target, lattice_view.shown.hiders, lattice_view)
        if lattice_view.is_fully_in_frame and not len(lattice_view.shown.rows):
            # A thin object may show only between lattice lines here, and on one elsewhere.
            if (
                not lattice_view.is_thin
                or visible_parts.whole_visible_part(geometry, eye, target) is None
            ):
                cells_without_view.add(cell)
        click = lattice_view.best_click(pose, agent, reach, scorer)
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
    """What one eye sees of an object on the click lattice, from line `left`, `top` on.

    `shape` is in rows and columns.  An object that `is_thin` may show only between lattice lines.
    """

    eye: rays.Eye
    left: int
    top: int
    shape: tuple[int, int]
    shown: object_pixels.VisiblePart
    is_fully_in_frame: bool
    is_thin: bool

    @staticmethod
    def of(geometry: Geometry, eye: rays.Eye, target: int) -> "_LatticeView":
        """Trace the lattice around an object, which may lie between its lines or off the frame."""
        window = visible_parts.bounding_window(geometry, eye, target)
        left, right = np.searchsorted(CLICK_LATTICE_PIXELS, (window.left, window.right)).tolist()
        top, bottom = np.searchsorted(CLICK_LATTICE_PIXELS, (window.top, window.bottom)).tolist()
        left, top = max(left, UNCLICKED_BORDER_STEPS), max(top, UNCLICKED_BORDER_STEPS)
        end = CLICK_LATTICE_STEPS - UNCLICKED_BORDER_STEPS
        right, bottom = min(right, end), min(bottom, end)
        if left >= right or top >= bottom:
            nothing = object_pixels.VisiblePart.empty()
            return _LatticeView(eye, left, top, (0, 0), nothing, False, True)
        columns, rows = (CLICK_LATTICE_PIXELS[left:right], CLICK_LATTICE_PIXELS[top:bottom])
        shown = visible_parts.visible_part(geometry, eye, target, columns, rows)
        inside = 0 < window.left and window.right < rays.FRAME_PIXELS
        whole = inside and 0 < window.top and window.bottom < rays.FRAME_PIXELS
        shape = len(rows), len(columns)
        return _LatticeView(eye, left, top, shape, shown, whole, min(shape) < _THIN_OBJECT_LINES)

    def best_click(
        self, pose: Pose, agent: AgentState, reach: float, scorer: PointScorer | None
    ) -> Click | None:
        """Return the best click on the object within reach (metres) of an agent, or None."""
        if not len(self.shown.rows):
            return None
        points = self.shown.points(self.eye)
        offsets = points - np.array((pose.x, agent.position[1], pose.z))
        if agent.body.has_flat_reach:
            offsets[:, 1] = 0.0
        near = np.flatnonzero((offsets**2).sum(-1) <= reach * reach)
        rows, columns = self.shown.rows[near], self.shown.columns[near]
        if not len(rows):
            return None
        middle_row, middle_column = rows.mean(), columns.mean()
        off = (rows - middle_row) ** 2 + (columns - middle_column) ** 2
        mask = np.zeros(self.shape, dtype=np.bool_)
        mask[self.shown.rows, self.shown.columns] = True
        scores = _depth_inside_outline(mask)[rows, columns] - off / (off.max() + 1.0)
        best: int | None = int(scores.argmax())
        if scorer is not None:
            best = _best_scored_point(points[near], self.eye.position, scores, scorer)
        if best is None:
            return None
        column, row = self.left + int(columns[best]), self.top + int(rows[best])
        return Click(column / CLICK_LATTICE_STEPS, row / CLICK_LATTICE_STEPS)


def _best_scored_point(
    points: NDArray[np.float64], eye: Vec3, scores: NDArray[np.float64], scorer: PointScorer
) -> int | None:
    """Return the index of the point that the scorer likes best, ties by `scores`; None for none."""
    inner = np.flatnonzero(scores >= min(scores.max(), float(_PREFERRED_DEPTH_STEPS)))
    tried = inner[:: -(-len(inner) // MAX_SCORED_CLICKS)].tolist()
    liked: list[tuple[float, float, int]] = []
    for i in tried:
        x, y, z = points[i].tolist()
        liked.append((scorer((x, y, z), eye), float(scores[i]), -i))
    value, _, best = max(liked)
    return None if value < 0 else -best


def _depth_inside_outline(mask: BoolArray) -> NDArray[np.int64]:
    """Return how many steps each pixel lies inside the outline, up to `MAX_CLICK_DEPTH_STEPS`."""
    framed = np.zeros((mask.shape[0] + 2, mask.shape[1] + 2), dtype=np.bool_)
    framed[1:-1, 1:-1] = mask
    depth = mask.astype(np.int64)
    for _ in range(MAX_CLICK_DEPTH_STEPS):
        across = framed[:, :-2] & framed[:, 1:-1] & framed[:, 2:]
        inner = across[:-2] & across[1:-1] & across[2:]
        if not inner.any():
            break
        depth += inner
        framed[1:-1, 1:-1] = inner
    return depth


_hidden_lattices: WeakKeyDictionary[Geometry, visible_parts.HiddenViews[_LatticeView]] = (
    WeakKeyDictionary()
)


class VisibilityTest:
    """Tells from which poses an object's bounds are within reach and, roughly, in the frame.

    Many poses share a cell, so what depends on the cell alone is found once for each.
    """

    def __init__(self, extent: tuple[Vec3, Vec3], agent: AgentState, reach: float) -> None:
        """Take the bounds' lowest and highest corners, the Follower, and metres of reach."""
        self._extent, self._reach = extent, reach
        self._agent_y, self._body = agent.position[1], agent.body
        self._is_near: dict[tuple[float, float], bool] = {}

    def allows(self, pose: Pose) -> bool:
        """Return whether the object may be clicked from a pose; False rules it out."""
        cell = pose.x, pose.z
        near = self._is_near.get(cell)
        if near is None:
            body = (pose.x, self._agent_y, pose.z)
            sides = zip(body, *self._extent, strict=True)
            x, y, z = (min(max(at, least), most) for at, least, most in sides)
            near = self._body.reach_distance(body, (x, y, z)) <= self._reach
            self._is_near[cell] = near
        return near and self._is_in_frustum_of(pose)

    def _is_in_frustum_of(self, pose: Pose) -> bool:
        low, high = self._extent
        x, z = pose.x, pose.z
        y = self._agent_y + rays.EYE_HEIGHT_METRES
        for nx, ny, nz in _frustum_normals(pose.yaw, pose.horizon, self._body.fov_degrees):
            ahead = nx * ((high[0] if nx > 0 else low[0]) - x)
            ahead += ny * ((high[1] if ny > 0 else low[1]) - y)
            ahead += nz * ((high[2] if nz > 0 else low[2]) - z)
            if ahead < 0:
                return False
        return True


@lru_cache(maxsize=256)
def _frustum_normals(yaw: float, horizon: float, fov: float) -> tuple[Vec3, ...]:
    """Return the inward normals of the view frustum's four sides."""
    forward, right, up = rays.Eye((0.0, 0.0, 0.0), yaw, horizon, fov).axes
    return tuple(
        (forward[0] + sign * side[0], forward[1] + sign * side[1], forward[2] + sign * side[2])
        for side in (right, up)
        for sign in (1.0, -1.0)
    )


def viewpoints_facing(
    point: Vec3, poses: Iterable[tuple[Pose, int]], agent: AgentState
) -> Iterator[Viewpoint]:
    """Yield the poses, with costs, that look at a point (metres) within reach, hidden or not."""
    for pose, cost in poses:
        body = (pose.x, agent.position[1], pose.z)
        if agent.body.reach_distance(body, point) > PLANNED_REACH_METRES:
            continue
        eye = eye_at(pose, agent)
        offset = np.array(point) - np.array(eye.position)
        forward, right, up = (float(offset @ np.array(axis)) for axis in eye.axes)
        if forward <= 0.0:
            continue
        ahead = forward * hypot(*eye.axes[1]) ** 2
        column, row = right / ahead, -up / ahead
        if max(abs(column), abs(row)) <= MAX_OFF_MIDDLE:
            yield Viewpoint(pose, Click(round(0.5 + column / 2, 2), round(0.5 + row / 2, 2)), cost)


def find_nearby_clicks(
    geometry: Geometry,
    objects: Sequence[ObjectState],
    target: int,
    accepts: Callable[[int], bool],
    poses: Iterable[tuple[Pose, int]],
    agent: AgentState,
    *,
    reach: float = PLANNED_REACH_METRES,
) -> Iterator[Viewpoint]:
    """Yield the poses from which a click beside object `target` resolves to it.

    A pencil seen end on, or the rim of a plate behind a pot, may cover no pixel that a two-decimal
    click can name.  TEACh then takes the object within ten pixels of the click that fits the verb
    best (spec section 2.4) and measures the distance at the clicked pixel itself.  Place is the
    exception: there AI2-THOR casts the ray of the click itself (section 2.3, step 5).  The
    arguments are those of `find_viewpoints`, which is far quicker and is tried first.
    """
    extent = clickable_bounds(geometry, objects, target, accepts)
    if extent is None:
        return
    visibility = VisibilityTest(extent, agent, reach)
    for pose, cost in poses:
        if not visibility.allows(pose):
            continue
        body = pose.x, agent.position[1], pose.z
        eye = eye_at(pose, agent)
        for click in _lattice_clicks_near(geometry, eye, target):
            hit = geometry.hit_at_click(eye, click)
            if hit is None or agent.body.reach_distance(body, hit.point) > reach:
                continue
            if resolve_click(geometry, eye, click, accepts) == target:
                yield Viewpoint(pose, click, cost)
                break


def _lattice_clicks_near(geometry: Geometry, eye: rays.Eye, target: int) -> Iterator[Click]:
    """Yield the lattice clicks around a visible pixel of an object, nearest first."""
    found = visible_parts.whole_visible_part(geometry, eye, target)
    if found is None:
        return
    window, shown = found
    middle = len(shown.rows) // 2
    row = window.top + int(shown.rows[middle])
    column = window.left + int(shown.columns[middle])
    lines = range(UNCLICKED_BORDER_STEPS, CLICK_LATTICE_STEPS - UNCLICKED_BORDER_STEPS)
    near_rows = [i for i in lines if abs(CLICK_LATTICE_PIXELS[i] - row) < CLICK_SEARCH_PIXELS]
    near_columns = [i for i in lines if abs(CLICK_LATTICE_PIXELS[i] - column) < CLICK_SEARCH_PIXELS]
    near = sorted(
        (dist((CLICK_LATTICE_PIXELS[i], CLICK_LATTICE_PIXELS[j]), (row, column)), j, i)
        for i in near_rows
        for j in near_columns
    )
    for _, j, i in near[:MAX_CLICKS_PER_POSE]:
        yield Click(j / CLICK_LATTICE_STEPS, i / CLICK_LATTICE_STEPS)


def find_occluders(
    geometry: Geometry, target: int, poses: Iterable[tuple[Pose, int]], agent: AgentState
) -> tuple[int, ...]:
    """Return the indices of what is seen in an object's place, most often first, from `poses`."""
    extent = geometry.object_bounds(target)
    if extent is None:
        return ()
    seen: Counter[int] = Counter()
    visibility = VisibilityTest(extent, agent, PLANNED_REACH_METRES)
    near = (pose for pose, _ in poses if visibility.allows(pose))
    for pose in islice(near, MAX_OCCLUSION_POSES):
        seen.update(_objects_hit(geometry, eye_at(pose, agent), target))
    return tuple(i for i, _ in sorted(seen.items(), key=lambda each: (-each[1], each[0])))


def _objects_hit(geometry: Geometry, eye: rays.Eye, target: int) -> list[int]:
    window = visible_parts.bounding_window(geometry, eye, target)
    if window.left >= window.right or window.top >= window.bottom:
        return []
    columns, rows = (
        np.unique(np.linspace(start, stop - 1, RAYS_PER_AXIS).astype(np.int64))
        for start, stop in ((window.left, window.right), (window.top, window.bottom))
    )
    met = visible_parts.trace_object_pixels(geometry, eye, columns, rows)
    return [i for i in met.ravel().tolist() if i >= 0 and i != target]
