"""The choice of clicks compiled with numba; it is imported only where numba is loaded."""

# numba has no types for strict checks.
# pyright: basic

from math import inf, sqrt
from typing import Any

from tatc.base.errors import MissingExtra

MissingExtra.check("fast", "numba")

import numba
import numpy as np

from tatc.home.camera.rays import EYE_HEIGHT_METRES


@numba.njit(cache=True, error_model="numpy")
def choose_pixels(
    pixels: Any, depth: Any, up: Any, side: int, count: int, within: float, far_weight: float
) -> Any:
    """Do as `choose_pixels_with_numpy`; from `within` metres on, a pixel weighs `far_weight`."""
    size = len(pixels)
    away = np.empty(size)
    sums = np.zeros((3, count))
    square = EYE_HEIGHT_METRES * EYE_HEIGHT_METRES
    for i in range(size):
        k = pixels[i]
        if k >= 0:
            away[i] = sqrt(depth[i] * (depth[i] + 2 * EYE_HEIGHT_METRES * up[i]) + square)
            weight = far_weight if away[i] >= within else 1.0
            sums[0, k] += weight
            sums[1, k] += weight * (i // side)
            sums[2, k] += weight * (i % side)
    chosen = np.zeros(count, dtype=np.int64)
    nearest = np.full((2, count), inf)  # whether it is out of reach, then how far from the middle
    for i in range(size):
        k = pixels[i]
        if k >= 0:
            far = 1.0 if away[i] >= within else 0.0
            row = sums[1, k] / sums[0, k] - i // side
            column = sums[2, k] / sums[0, k] - i % side
            apart = row * row + column * column
            if far < nearest[0, k] or (far == nearest[0, k] and apart < nearest[1, k]):
                nearest[0, k], nearest[1, k], chosen[k] = far, apart, i
    return chosen, away[chosen]
