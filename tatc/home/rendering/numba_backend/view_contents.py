"""What a traced view shows, object by object, in one pass over its pixels."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic

from math import inf
from typing import Any

import numba
import numpy as np

from tatc.home.camera.rays import Floats, Ints
from tatc.home.rendering.numba_backend.jit_formulas import JIT_OPTIONS


@numba.njit(cache=True, **JIT_OPTIONS)
def count_pixels(ids: Any, objects: int) -> tuple[Ints, Ints]:
    """Return how many pixels show each object, and the first that does; 0 where none does.

    `ids` are the indices of objects, row by row, negative where a pixel shows none.
    """
    counts = np.zeros(objects, dtype=np.int64)
    first = np.zeros(objects, dtype=np.int64)
    for pixel in range(len(ids)):
        index = ids[pixel]
        if index >= 0:
            if counts[index] == 0:
                first[index] = pixel
            counts[index] += 1
    return counts, first


@numba.njit(cache=True, **JIT_OPTIONS)
def bounds_hit(
    ids: Any, depths: Any, lengths: Any, across: Any, up: Any, along: Any, eye: Any, index: int
) -> Floats:
    """Return the lowest and the highest corner, (2, 3), of what a view shows of an object.

    `depths` are the distances along the rays, whose x, y and z are `across`, `up` and `along`
    and whose lengths are `lengths`; `up` has one column.
    """
    low, high = np.full(3, inf), np.full(3, -inf)
    for row in range(ids.shape[0]):
        for column in range(ids.shape[1]):
            if ids[row, column] == index:
                depth = depths[row, column] / lengths[row, column]
                ray = across[row, column], up[row, 0], along[row, column]
                for axis in range(3):
                    at = eye[axis] + depth * ray[axis]
                    low[axis], high[axis] = min(low[axis], at), max(high[axis], at)
    return np.stack((low, high))
