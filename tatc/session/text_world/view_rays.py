"""The rays of a Follower's view, pixel by pixel."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tatc.home.actions import INTERACTION_REACH_METRES
from tatc.home.camera.rays import EYE_HEIGHT_METRES, Eye
from tatc.home.percepts import View

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ViewRays:
    """The rays of a view, row by row.

    `directions` has the shape (pixels, 3), each of length 1; `up` is their rise; `bearings` are
    degrees from straight ahead, to the right positive.
    """

    directions: Floats
    up: Floats
    bearings: Floats


def rays_of(view: View) -> ViewRays:
    """Return the rays of a view."""
    body = view.body
    return _rays_in_direction(body.yaw, body.horizon, body.body.fov_degrees, len(view.pixels))


def eye_of_view(view: View) -> Floats:
    """Return where the rays of a view start, in the Follower's frame, metres."""
    x, y, z = view.body.position
    return np.array((x, y + EYE_HEIGHT_METRES, z))


@lru_cache(maxsize=64)
def _rays_in_direction(yaw: float, horizon: float, fov: float, side: int) -> ViewRays:
    pixels = np.arange(side)
    rays = Eye((0.0, 0.0, 0.0), yaw, horizon, fov).rays(pixels, pixels, side)
    lines = np.stack(np.broadcast_arrays(*rays), axis=-1).reshape(-1, 3)
    lines = lines / np.linalg.norm(lines, axis=-1, keepdims=True)
    turned = np.degrees(np.arctan2(lines[:, 0], lines[:, 2])) - yaw
    return ViewRays(lines, lines[:, 1].copy(), (turned + 180.0) % 360.0 - 180.0)


CLICK_MARGIN_METRES = 0.03
"""A pixel is clicked rather than another one if it is nearer than the reach by this, metres."""


CLICKED_WITHIN_METRES = INTERACTION_REACH_METRES - CLICK_MARGIN_METRES


FAR_WEIGHT = 1e-9
"""What a pixel out of reach weighs: unless all are, those in reach decide where the middle is."""
