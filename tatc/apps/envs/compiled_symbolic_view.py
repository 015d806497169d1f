"""The rows of a symbolic view compiled with numba; it is imported only where numba is loaded."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic

from math import inf
from typing import Any

import numpy as np

from tatc.home.camera import numba_solids


@numba_solids.compiled_once
def type_rows(pixels: Any, own_rows: Any, known: int) -> Any:
    """Do as `type_rows_with_numpy`."""
    side, count = len(pixels), len(own_rows)
    areas, across, down = np.zeros((3, count), dtype=np.int64)
    for row in range(side):
        for column in range(side):
            k = pixels[row, column]
            if k >= 0:
                areas[k], across[k], down[k] = areas[k] + 1, across[k] + column, down[k] + row
    nearest, middles = np.full(count, inf), np.zeros((count, 2), dtype=np.int64)
    middle_columns, middle_rows = across / areas, down / areas
    for row in range(side):
        for column in range(side):
            k = pixels[row, column]
            if k >= 0:
                right, below = middle_columns[k] - column, middle_rows[k] - row
                distance = below * below + right * right
                if distance < nearest[k]:
                    nearest[k], middles[k, 0], middles[k, 1] = distance, column, row
    rows = np.zeros((known + 1, 3), dtype=np.float32)
    largest = np.zeros(known + 1, dtype=np.int64)
    for k in range(count):
        own = own_rows[k]
        rows[own, 0] += np.float32(areas[k] / (side * side))
        if areas[k] > largest[own]:
            largest[own] = areas[k]
            rows[own, 1], rows[own, 2] = (middles[k] + 0.5) / side
    return rows[:known]
