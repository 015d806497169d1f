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

_compiled: Any = numba.njit(cache=True, error_model="numpy")


@_compiled
def _find_runs(pixels: Any, side: int) -> Any:
    """Return the places where runs begin and end, of pixels of a row that show one object."""
    runs, found = np.empty((len(pixels), 2), dtype=np.int64), 0
    for row in range(side):
        line, first = pixels[row * side : (row + 1) * side], 0
        while first < side:
            last = first + 1
            while last < side and line[last] == line[first]:
                last += 1
            if line[first] >= 0:
                runs[found, 0], runs[found, 1] = row * side + first, row * side + last
                found += 1
            first = last
    return runs[:found]


@_compiled
def choose_pixels(
    pixels: Any, depth: Any, up: Any, side: int, count: int, within: float, far_weight: float
) -> Any:
    """Do as `choose_pixels_with_numpy`."""
    square = EYE_HEIGHT_METRES * EYE_HEIGHT_METRES
    away, runs = np.empty(len(pixels)), _find_runs(pixels, side)
    for i in range(len(pixels)):
        away[i] = sqrt(depth[i] * (depth[i] + 2 * EYE_HEIGHT_METRES * up[i]) + square)
    weights, rows, columns = np.zeros(count), np.zeros(count), np.zeros(count)
    for first, last in runs:
        k, row = pixels[first], first // side
        total, down, across = weights[k], rows[k], columns[k]
        for i in range(first, last):
            weight = far_weight if away[i] >= within else 1.0
            total += weight
            down += weight * row
            across += weight * (i - row * side)
        weights[k], rows[k], columns[k] = total, down, across
    rows, columns = rows / weights, columns / weights
    chosen, nearest = np.zeros(count, dtype=np.int64), np.full(count, inf)
    for first, last in runs:
        k, row = pixels[first], first // side
        below, least, is_far = (rows[k] - row) * (rows[k] - row), nearest[k], weights[k] < 1.0
        for i in range(first, last if below < least else first):
            right = columns[k] - (i - row * side)
            if below + right * right < least and (away[i] >= within) == is_far:
                least, chosen[k] = below + right * right, i
        nearest[k] = least
    return chosen, away[chosen]
