"""What of the inside or the surface of a receptacle has been in view, and from where more would be.

A receptacle has sample points where things may be: throughout the inside of one with a door, just
above the bottom of one that is looked into from above, and just above the surface of any other.  A
view shows a point if the ray towards it from near does not end before it.
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from math import dist, hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from tatc.follower.listener.map_frame import Floats
from tatc.home import percepts, state
from tatc.home.body import POSITION_ABOVE_FLOOR_METRES
from tatc.home.camera import clicks, shapes
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import EYE_HEIGHT_METRES, MIN_RAY_COMPONENT, Eye
from tatc.planners.snapshot_view import has_door

POINT_SPACING_METRES = 0.14  # how far apart the sample points are, at most, metres
FROM_WALL_METRES = 0.05  # how far the outermost points are from the sides of a box, metres
POINTS_ABOVE_SURFACE_METRES = 0.06  # how far above a surface its points are, metres
MAX_LOOK_METRES = 2.5  # from how near a receptacle is looked at, metres
MIN_LOOK_METRES = 1.0  # from how near it is looked at for the smallest things, metres
DRAWER_LOOK_METRES = 0.95
"""From how near, seen from above, a drawer is looked into, metres: small things lie flat in it."""
BEFORE_POINT_METRES = 0.08  # how far before a point a ray may end that shows what is there, metres
BEFORE_DEEP_POINT_METRES = 0.03
"""The same at the bottom of what has walls, which hide what lies behind them, metres."""
BESIDE_PLACE_METRES = 0.6
"""How far a camera stands from what it looks at from above, seen from above, metres."""
EYE_ABOVE_FLOOR_METRES = POSITION_ABOVE_FLOOR_METRES + EYE_HEIGHT_METRES
"""The height of the camera, metres."""
LOOK_COST_ACTIONS = 6.0
"""What a look costs besides the walk, actions, against which its gain is weighed."""
MIN_GAIN_POINTS = 1.5  # the fewest points worth a look
_MAX_POINTS = 40
_TRACED_PLACES = 36
_TRACED_POINTS = 12
_FRAME_EDGE = 0.9  # of half the frame
DRAWER_TYPE = "Drawer"
Bools, Ints = NDArray[np.bool_], NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LookDistance:
    """From how near a point must be looked at: in a straight line, and seen from above, metres."""

    metres: float = MAX_LOOK_METRES
    from_above: float = MAX_LOOK_METRES


class PlaceCoverage:
    """Which sample points of one receptacle have been in view, and from how near.

    Points that were seen from farther than `near` count as unseen.  `looked_from` has the
    poses of the views, from which looking again shows nothing new.
    """

    def __init__(self, obj: state.ObjectState, closed: state.Box, *, is_deep: bool = False) -> None:
        """Take a receptacle and its box when closed; an `is_deep` one is looked into from above."""
        self.box = closed
        self._from_above = DRAWER_LOOK_METRES if obj.objectType == DRAWER_TYPE else MAX_LOOK_METRES
        self.near = LookDistance(from_above=self._from_above)
        if is_deep:
            self._points = _grid(closed, np.array([FROM_WALL_METRES - closed.size[1] / 2]))
        elif has_door(obj):
            self._points = _grid(closed, _steps(closed.size[1]))
        else:
            height = shapes.surface_height(obj) + POINTS_ABOVE_SURFACE_METRES - obj.box.center[1]
            self._points = _grid(obj.box, np.array([height]))
        self._before = BEFORE_DEEP_POINT_METRES if is_deep else BEFORE_POINT_METRES
        self._seen_from: Floats = np.full(len(self._points), np.inf)
        self.looked_from: set[state.Pose] = set()
        height = EYE_ABOVE_FLOOR_METRES - float(self._points[:, 1].mean())
        self._nearest = hypot(height, BESIDE_PLACE_METRES)
        radius = float(np.linalg.norm(self._points - closed.center, axis=1).max())
        self._farthest = radius + MAX_LOOK_METRES + 2 * BEFORE_POINT_METRES

    def left_to_see(self, pose: state.Pose, eye: Eye) -> Ints:
        """Note that a view is from this pose; return the points that it may show from nearer."""
        left = np.flatnonzero(self._seen_from > MIN_LOOK_METRES)
        if len(left):
            self.looked_from.add(pose)
        return left if dist(eye.position, self.box.center) <= self._farthest else left[:0]

    @staticmethod
    def add_to_all(places: Iterable["PlaceCoverage"], view: percepts.View) -> None:
        """Add to some places what a view, in their frame, shows: all at once, for speed."""
        eye, side = clicks.eye_of(view.body), view.depth.shape[0]
        found = [(place, place.left_to_see(view.body.pose, eye)) for place in places]
        if not (found := [(place, left) for place, left in found if len(left)]):
            return
        offsets = np.concatenate([place._points[left] for place, left in found]) - eye.position
        limits = [(place._from_above + BEFORE_POINT_METRES, place._before) for place, _ in found]
        sizes = [len(left) for _, left in found]
        row, column, in_frame = _projected(offsets, eye, 1.0)
        shown = np.flatnonzero(in_frame)
        from_above, before = np.repeat(limits, sizes, axis=0)[shown].T
        offsets = offsets[shown]
        away = np.linalg.norm(offsets, axis=1)
        pixels = (at[shown] * side for at in (row, column))
        rows, columns = (np.minimum(at.astype(np.int64), side - 1) for at in pixels)
        near = away <= MAX_LOOK_METRES + BEFORE_POINT_METRES
        near &= np.hypot(offsets[:, 0], offsets[:, 2]) <= from_above
        near &= view.depth[rows, columns] >= away - before
        seen_from = np.full(len(row), np.inf)
        seen_from[shown[near]] = away[near]
        for (place, left), end in zip(found, np.cumsum(sizes).tolist(), strict=True):
            nearest = np.minimum(place._seen_from[left], seen_from[end - len(left) : end])
            place._seen_from[left] = nearest

    def want_from(self, metres: float) -> None:
        """Count only points as seen that were seen from as near as this, metres.

        What is low is looked at from above, where a camera cannot come nearer than that.
        """
        self.near = LookDistance(max(metres, self._nearest), min(self._from_above, metres))

    def unseen(self) -> Floats:
        """Return the points (n, 3) that have not been in view, metres."""
        return self._points[self._is_unseen()]

    def _is_unseen(self) -> Bools:
        return self._seen_from > self.near.metres + BEFORE_POINT_METRES

    @property
    def unseen_share(self) -> float:
        """The share of the points that have not been in view."""
        return int(np.count_nonzero(self._is_unseen())) / len(self._points)


def best_look(
    geometry: Geometry,
    points: Floats,
    poses: tuple[Floats, Ints],
    body: state.AgentState,
    near: LookDistance = LookDistance(),
    tried: Set[state.Pose] = frozenset(),
) -> state.Pose | None:
    """Return the pose from which most of some points (n, 3) for its cost are in view, or None.

    `geometry` is what rays are believed to hit, and `poses` come with the cost of getting there,
    as from `ShortestPaths.first_poses`; those `tried` are left out.  Of the `body` the height and
    the camera count.
    """
    if not len(points):
        return None
    sample = points[:: -(-len(points) // _MAX_POINTS)]
    are_near = _are_near(sample, poses[0], near.from_above)
    found, costs = poses[0][are_near], poses[1][are_near]
    looked_at = _looked_at_from(sample, found, body, near)
    gains = looked_at.sum(axis=1)
    scores = np.where(gains >= MIN_GAIN_POINTS, gains / (costs + LOOK_COST_ACTIONS), 0.0)
    step = -(-len(sample) // _TRACED_POINTS)
    sight = _LinesOfSight(geometry, sample[::step])
    best: state.Pose | None = None
    highest = 0.0
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    for i in order:
        if scores[i] <= highest:
            break
        pose = state.Pose(*found[i].tolist())
        if pose in tried:
            continue
        share = sight.share_in_sight(clicks.eye_at(pose, body).position, looked_at[i, ::step])
        if gains[i] * share >= MIN_GAIN_POINTS and scores[i] * share > highest:
            best, highest = pose, float(scores[i] * share)
    return best


def _are_near(points: Floats, poses: Floats, reach: float) -> Bools:
    """Return which poses are near the rectangle around the points, seen from above."""
    low, high, at = points.min(axis=0)[::2], points.max(axis=0)[::2], poses[:, :2]
    return np.hypot(*np.maximum(np.maximum(low - at, at - high), 0.0).T) <= reach


def _looked_at_from(
    points: Floats, poses: Floats, body: state.AgentState, near: LookDistance
) -> Bools:
    """Return for each pose (rows) which points it looks at, hidden or not."""
    found = np.zeros((len(poses), len(points)), dtype=np.bool_)
    height = clicks.eye_at(state.Pose(0.0, 0.0, 0.0, 0.0), body).position[1]
    places, directions = np.insert(poses[:, :2], 1, height, axis=1), poses[:, 2] * 360 + poses[:, 3]
    for direction in np.unique(directions):
        group = np.flatnonzero(directions == direction)
        yaw, horizon = poses[group[0], 2:].tolist()
        eye = clicks.eye_at(state.Pose(0.0, 0.0, yaw, horizon), body)
        found[group] = _are_looked_at(points - places[group, None], eye, near)
    return found


def _are_looked_at(offsets: Floats, eye: Eye, near: LookDistance) -> Bools:
    """Return which points are in the frame and near, by their offsets (..., 3) from an eye."""
    _, _, looked_at = _projected(offsets, eye, _FRAME_EDGE)
    shown = offsets[looked_at]
    are_near = (shown**2).sum(axis=-1) <= near.metres**2
    are_near &= np.hypot(shown[:, 0], shown[:, 2]) <= near.from_above
    looked_at[looked_at] = are_near
    return looked_at


class _LinesOfSight:
    """Which of some points no solid hides, from where the body may be: a few places at most.

    Poses of one place share what was traced there, so that the budget reaches to the other side of
    what hides the points from the nearest places.
    """

    def __init__(self, geometry: Geometry, points: Floats) -> None:
        self._geometry, self._points = geometry, points
        self._free: dict[state.Vec3, dict[int, bool]] = {}  # by place and point

    def share_in_sight(self, eye: state.Vec3, looked_at: Bools) -> float:
        """Return the share of the points looked at that no solid hides; 0 if none is looked at."""
        chosen = np.flatnonzero(looked_at).tolist()
        if not chosen or (eye not in self._free and len(self._free) >= _TRACED_PLACES):
            return 0.0
        free = self._free.setdefault(eye, {})
        if new := [i for i in chosen if i not in free]:
            away = self._points[new] - np.array(eye)
            free.update(zip(new, self._are_free(eye, away), strict=True))
        return sum(free[i] for i in chosen) / len(chosen)

    def _are_free(self, start: state.Vec3, away: Floats) -> Iterator[bool]:
        ahead = np.maximum(np.abs(away[:, ::2]).max(axis=1), MIN_RAY_COMPONENT)
        directions = away / ahead[:, None]  # of a camera that looks about towards the point
        directions[directions == 0.0] = MIN_RAY_COMPONENT
        hits = self._geometry.cast_rays(Eye(start, 0.0, 0.0), directions, ahead)
        for hit, to in zip(hits, away, strict=True):
            yield hit is None or hit.distance >= sqrt(to @ to) - BEFORE_POINT_METRES


def _projected(offsets: Floats, eye: Eye, edge: float) -> tuple[Floats, Floats, Bools]:
    """Return the row and the column of points (0 to 1), and which are in the frame.

    `offsets` (..., 3) are where the points are from the eye, of which only the direction and the
    field of view count.  `edge` is the share of the frame from its middle that counts.
    """
    forward, right, up = (offsets @ np.array(axis) for axis in eye.axes)
    half = hypot(*eye.axes[1])  # of the frame's width, a metre ahead
    ahead = np.maximum(forward, 1e-6) * half**2
    column, row = right / ahead, -up / ahead
    in_frame: Bools = (forward > 0.0) & (np.maximum(np.abs(column), np.abs(row)) < edge)
    return 0.5 + row / 2, 0.5 + column / 2, in_frame


def _grid(box: state.Box, heights: Floats) -> Floats:
    """Return points across a box, at heights from its middle."""
    along, up, across = np.meshgrid(_steps(box.size[0]), heights, _steps(box.size[2]))
    sine, cosine = state.yaw_sin_cos(box.yaw)
    x = along * cosine + across * sine
    z = across * cosine - along * sine
    return np.stack([x.ravel(), up.ravel(), z.ravel()], axis=1) + np.array(box.center)


def _steps(size: float) -> Floats:
    """Return points along a side, from its middle, metres."""
    half = size / 2 - FROM_WALL_METRES
    if half <= 0.0:
        return np.zeros(1)
    return np.linspace(-half, half, max(2, round(2 * half / POINT_SPACING_METRES) + 1))
