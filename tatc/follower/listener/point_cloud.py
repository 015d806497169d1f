"""Where the rays of a view end, in the Follower's frame."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tatc.home.camera.rays import EYE_HEIGHT_METRES, Eye
from tatc.home.percepts import VIEW_SIDE_PIXELS, View
from tatc.home.state import AgentState

Floats = NDArray[np.float64]


def eye_of_body(body: AgentState) -> Eye:
    """Return the camera of a body."""
    x, y, z = body.position
    return Eye((x, y + EYE_HEIGHT_METRES, z), body.yaw, body.horizon, body.body.fov_degrees)


def point_cloud(view: View) -> Floats:
    """Return the points (rows, columns, 3) where a view's rays end, metres; NaN for none."""
    eye = eye_of_body(view.body)
    directions = _ray_directions(eye.yaw, eye.horizon, eye.fov)
    depth = np.where(np.isfinite(view.depth), view.depth, np.nan)
    return np.array(eye.position) + directions * depth[..., None]


@lru_cache(maxsize=64)
def _ray_directions(yaw: float, horizon: float, fov: float) -> Floats:
    """Return the directions (rows, columns, 3) of a view's rays, each of length 1."""
    pixels = np.arange(VIEW_SIDE_PIXELS)
    x, y, z = Eye((0.0, 0.0, 0.0), yaw, horizon, fov).rays(pixels, pixels, VIEW_SIDE_PIXELS)
    rays = np.stack(np.broadcast_arrays(x, y, z), axis=-1)
    return rays / np.linalg.norm(rays, axis=-1, keepdims=True)
