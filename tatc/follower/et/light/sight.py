"""What the light Follower sees: a small map of classes, from a segmentation camera."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Segments

SIDE = 32
"""Cells along each side of a class map."""
SENSOR = 2 * SIDE
"""Pixels a side that the segmentation camera is asked for."""
NOTHING = 0
"""The class of a cell in which nothing is seen."""
OTHER = 1
"""The class of what was never seen in training."""
KNOWN = 2
"""The first class that has a name."""

ClassMap = NDArray[np.uint8]
"""Classes, rows by columns."""


def class_map(seen: Segments | None, classes: Mapping[str, int]) -> ClassMap:
    """Return the class map of a view; blank where there is no camera.

    Of four neighbouring pixels a cell shows the thing that is smallest in view, so
    that a fork on a table is not lost.
    """
    if seen is None:
        return blank()
    pixels = seen.pixels
    areas = np.bincount((pixels + 1).ravel(), minlength=len(seen.types) + 1)
    areas[0] = pixels.size + 1
    table = [NOTHING, *(classes.get(kind, OTHER) for kind in seen.types)]
    fours = (pixels + 1).reshape(SIDE, 2, SIDE, 2).swapaxes(1, 2).reshape(-1, 4)
    smallest = np.argmin(areas[fours], axis=1)
    chosen = fours[np.arange(len(fours)), smallest]
    return np.array(table, dtype=np.uint8)[chosen].reshape(SIDE, SIDE)


def blank() -> ClassMap:
    """Return the map of a view in which nothing is seen."""
    return np.zeros((SIDE, SIDE), dtype=np.uint8)
