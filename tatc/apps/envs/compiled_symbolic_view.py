"""The rows of a symbolic view compiled with numba; it is imported only where numba is loaded."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic

from math import inf
from typing import Any

import numpy as np

from tatc.home.camera import numba_solids


@numba_solids.compiled_once
def type_rows(ids: Any, own_rows: Any, known: int) -> Any:
    """Do as `type_rows_with_numpy`."""
    side, count = len(ids), 0
    areas, across, down = np.zeros((3, len(own_rows)), dtype=np.int64)
    numbers, shown = np.full(len(own_rows), -1), np.empty(len(own_rows), dtype=np.int64)
    for (row, column), i in np.ndenumerate(ids):
        if i >= 0:
            if numbers[i] < 0:
                numbers[i], shown[count], count = count, i, count + 1
            k = numbers[i]
            areas[k], across[k], down[k] = areas[k] + 1, across[k] + column, down[k] + row
    nearest, middles = np.full(count, inf), np.zeros((count, 2), dtype=np.int64)
    middle_columns, middle_rows = across[:count] / areas[:count], down[:count] / areas[:count]
    for (row, column), i in np.ndenumerate(ids):
        if i >= 0:
            k = numbers[i]
            right, below = middle_columns[k] - column, middle_rows[k] - row
            distance = below * below + right * right
            if distance < nearest[k]:
                nearest[k], middles[k, 0], middles[k, 1] = distance, column, row
    rows = np.zeros((known + 1, 3), dtype=np.float32)
    largest = np.zeros(known + 1, dtype=np.int64)
    for k in range(count):
        own = own_rows[shown[k]]
        rows[own, 0] += np.float32(areas[k] / (side * side))
        if areas[k] > largest[own]:
            largest[own] = areas[k]
            rows[own, 1], rows[own, 2] = (middles[k] + 0.5) / side
    return rows[:known]
