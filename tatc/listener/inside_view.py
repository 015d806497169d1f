"""Whether a view shows the inside of a container, and from where one would."""

from collections.abc import Iterable
from math import cos, hypot, radians, sin

import numpy as np
from numpy.typing import NDArray

from tatc.camera.geometry import Geometry
from tatc.camera.rays import EYE_HEIGHT_METRES, MIN_RAY_COMPONENT, Eye
from tatc.listener.view_points import Floats
from tatc.state import Box, Pose, Vec3, yaw_sin_cos

BIN_METRES = 0.35
"""The height of the parts into which the inside of a container is divided, metres."""
BINS_ACROSS = 3
"""Into how many parts the inside is divided along its width and its depth."""
MIN_SHARE_SEEN = 0.5
"""The share of the parts of the front, or of the floor, that must have been in view."""
MAX_LOOK_METRES = 1.9
"""From how near a container is looked into, metres."""
_MIN_RAYS_PER_BIN = 2
_MARGIN_METRES = 0.02
_MAX_OFF_AXIS = 0.8  # of half the frame

Bins = NDArray[np.bool_]


class InsideCoverage:
    """Which parts of one container's inside have been in view."""

    def __init__(self, box: Box) -> None:
        """Take the container's box when it is closed; nothing has been in view."""
        self._box = box
        self._rows = max(1, round(box.size[1] / BIN_METRES))
        self._seen: Bins = np.zeros((BINS_ACROSS, self._rows, BINS_ACROSS), dtype=np.bool_)

    def add(self, points: Floats) -> None:
        """Add a view, by the points (rows, columns, 3) where its rays end, NaN for none."""
        ends = points[~np.isnan(points[..., 0])]
        shares = _shares_of_box(ends, self._box)
        inside = shares[((shares > 0.0) & (shares < 1.0)).all(axis=1)]
        if not len(inside):
            return
        shape = self._seen.shape
        bins = np.minimum((inside * shape).astype(np.int64), np.array(shape) - 1)
        flat = np.ravel_multi_index((bins[:, 0], bins[:, 1], bins[:, 2]), shape)
        counts = np.bincount(flat, minlength=self._seen.size).reshape(shape)
        self._seen |= counts >= _MIN_RAYS_PER_BIN

    @property
    def is_complete(self) -> bool:
        """Whether enough of the inside has been in view, in every row from floor to top."""
        if not self._rows_seen().all():
            return False
        planes = (self._seen.any(axis=axis) for axis in (0, 1, 2))
        return any(plane.mean() >= MIN_SHARE_SEEN for plane in planes)

    def next_point(self) -> Vec3:
        """Return the point inside that is to be looked at next, the middle of an unseen row."""
        unseen = np.flatnonzero(~self._rows_seen())
        x, y, z = self._box.center
        row = int(unseen[-1]) if len(unseen) else self._rows // 2
        return x, y + ((row + 0.5) / self._rows - 0.5) * self._box.size[1], z

    def _rows_seen(self) -> Bins:
        seen: Bins = np.logical_or.reduce(self._seen, axis=(0, 2))
        return seen


def _shares_of_box(ends: Floats, box: Box) -> Floats:
    """Return points as shares of a box's width, height and depth, 0 to 1 inside it."""
    sine, cosine = yaw_sin_cos(box.yaw)
    dx, dy, dz = (ends[:, axis] - box.center[axis] for axis in range(3))
    along, across = dx * cosine - dz * sine, dx * sine + dz * cosine
    sizes = np.array(box.size) + 2 * _MARGIN_METRES
    return np.stack([along, dy, across], axis=1) / sizes + 0.5


def pose_looking_inside(
    geometry: Geometry,
    box: Box,
    point: Vec3,
    poses: Iterable[tuple[Pose, int]],
    body_y: float,
) -> Pose | None:
    """Return the first pose from which a point inside an open container is in view, or None.

    Args:
        geometry: what rays are believed to hit.
        box: the container's box when it is closed.
        point: the point inside.
        poses: where the body may be, the cheapest first.
        body_y: the height of the body, metres.

    """
    for pose, _ in poses:
        eye = Eye((pose.x, body_y + EYE_HEIGHT_METRES, pose.z), pose.yaw, pose.horizon)
        if _is_in_frame(eye, point) and _sees_into(geometry, box, point, eye):
            return pose
    return None


def _is_in_frame(eye: Eye, point: Vec3) -> bool:
    dx, dz = point[0] - eye.position[0], point[2] - eye.position[2]
    ahead = dx * sin(radians(eye.yaw)) + dz * cos(radians(eye.yaw))
    if ahead <= 0.0 or hypot(dx, dz) > MAX_LOOK_METRES:
        return False
    x, y, depth = eye.project(point)
    return depth > 0.0 and max(abs(x - 0.5), abs(y - 0.5)) * 2 < _MAX_OFF_AXIS


def _sees_into(geometry: Geometry, box: Box, point: Vec3, eye: Eye) -> bool:
    forward = eye.axes[0]
    away = [p - o for p, o in zip(point, eye.position, strict=True)]
    depth = sum(a * f for a, f in zip(away, forward, strict=True))
    x, y, z = (a / depth or MIN_RAY_COMPONENT for a in away)
    hit = geometry.cast_ray(eye, (x, y, z))
    if hit is None:
        return False
    shares = _shares_of_box(np.array([hit.point]), box)
    return bool(((shares > 0.0) & (shares < 1.0)).all())
