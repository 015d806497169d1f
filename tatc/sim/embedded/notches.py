"""What a counter leaves free inside its box: the notch of an L or a U.

AI2-THOR gives an L-shaped counter one box, floor inside the L and all.  What stands
on a counter and is built into it shows where it is: the notch is the largest empty
rectangle that opens to one side of the box and leaves a counter's depth at the others.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tatc.state import Box

DEPTH = 0.6
"""Of the shallowest legs of a counter, metres."""
WIDTH = 0.5
"""Of the narrowest notch a body enters, metres."""
_RASTER = 0.05

Rectangle = tuple[float, float, float, float]
"""Low x, low z, high x, high z, metres."""


def solid_parts(counter: Box, fixtures: Iterable[Box]) -> tuple[Box, ...]:
    """Return a counter's box without its notch, as boxes.

    `fixtures` are the boxes of what stands on it or is built into it.
    """
    low, high = counter.bounds()
    outer = low[0], low[2], high[0], high[2]
    taken = _raster(outer, fixtures)
    best: Rectangle | None = None
    area = 0
    for along_z, far in product((False, True), repeat=2):
        side = taken.T if along_z else taken
        found = _opening(side[::-1] if far else side)
        if found is not None and found.area > area:
            area = found.area
            best = _placed(found, along_z, far, outer)
    return (counter,) if best is None else tuple(_around(best, outer, counter))


@dataclass(frozen=True, slots=True)
class _Notch:
    """Columns from `first` to before `last`, `rows` deep, in squares of a raster."""

    first: int
    last: int
    rows: int
    area: int


def _placed(notch: _Notch, along_z: bool, far: bool, outer: Rectangle) -> Rectangle:
    """Return where a notch lies that opens to one of the four sides."""
    x0, z0, x1, z1 = outer
    deep = notch.rows * _RASTER
    a, b = notch.first * _RASTER, notch.last * _RASTER
    if along_z:
        low, high = (z1 - deep, z1) if far else (z0, z0 + deep)
        return x0 + a, low, min(x0 + b, x1), high
    low, high = (x1 - deep, x1) if far else (x0, x0 + deep)
    return low, z0 + a, high, min(z0 + b, z1)


def _around(notch: Rectangle, outer: Rectangle, counter: Box) -> Iterator[Box]:
    """Yield the boxes of what is left of the counter around a notch."""
    x0, z0, x1, z1 = outer
    a0, b0, a1, b1 = notch
    for low_x, low_z, high_x, high_z in (
        (x0, z0, a0, z1),
        (a1, z0, x1, z1),
        (a0, z0, a1, b0),
        (a0, b1, a1, z1),
    ):
        if high_x - low_x > _RASTER and high_z - low_z > _RASTER:
            yield Box(
                ((low_x + high_x) / 2, counter.center[1], (low_z + high_z) / 2),
                (high_x - low_x, counter.size[1], high_z - low_z),
            )


def _raster(outer: Rectangle, fixtures: Iterable[Box]) -> NDArray[np.bool_]:
    """Return which squares of the box are taken: rows along x, columns along z."""
    x0, z0, x1, z1 = outer
    shape = max(1, round((x1 - x0) / _RASTER)), max(1, round((z1 - z0) / _RASTER))
    taken = np.zeros(shape, dtype=np.bool_)
    for box in fixtures:
        low, high = box.bounds()
        rows = _span(low[0] - x0, high[0] - x0, shape[0])
        taken[rows, _span(low[2] - z0, high[2] - z0, shape[1])] = True
    return taken


def _span(low: float, high: float, count: int) -> slice:
    first = int(np.clip(np.floor(low / _RASTER), 0, count))
    return slice(first, int(np.clip(np.ceil(high / _RASTER), first, count)))


def _opening(taken: NDArray[np.bool_]) -> _Notch | None:
    """Return the largest notch of a raster, None where none is wide enough.

    It opens to row 0.  It begins at the first column or a counter's depth from it,
    and so at the end; it may not open to both.
    """
    rows, columns = taken.shape
    if rows <= DEPTH / _RASTER:
        return None
    deep, wide = round(DEPTH / _RASTER), round(WIDTH / _RASTER)
    # A last row, taken throughout, leaves a counter's depth and ends every column.
    walled = np.vstack((taken[: rows - deep], np.ones((1, columns), dtype=np.bool_)))
    empty = walled.argmax(axis=0)
    best: _Notch | None = None
    for first in (0, *range(deep, columns - wide + 1)):
        lowest = np.minimum.accumulate(empty[first:])
        widths = np.arange(1, len(lowest) + 1)
        last = first + widths
        allowed = (last <= columns - deep) | ((last == columns) & (first > 0))
        fits = allowed & (widths >= wide) & (lowest >= wide)
        areas = np.where(fits, widths * lowest, 0)
        i = int(areas.argmax())
        if areas[i] > (best.area if best else 0):
            best = _Notch(first, int(last[i]), int(lowest[i]), int(areas[i]))
    return best
