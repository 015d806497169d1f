"""What the light Follower sees: a small map of classes, from a segmentation camera."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tatc.actions import SegmentationFrame

CLASS_MAP_SIDE = 32
"""Cells along each side of a class map."""
CLICK_GRID_SIDE = 8
"""Cells along each side of the view that a click is predicted in."""
SEGMENTATION_SIDE_PIXELS = 2 * CLASS_MAP_SIDE
"""Pixels a side that the segmentation camera is asked for."""
NO_OBJECT_CLASS = 0
"""The class of a cell in which nothing is seen."""
UNKNOWN_CLASS = 1
"""The class of what was never seen in training."""
FIRST_NAMED_CLASS = 2
"""The first class that has a name."""

ClassMap = NDArray[np.uint8]
"""Classes, rows by columns."""


def class_map(segments: SegmentationFrame | None, classes: Mapping[str, int]) -> ClassMap:
    """Return the class map of a view; blank where there is no camera.

    Of four neighbouring pixels a cell shows the thing that is smallest in view, so
    that a fork on a table is not lost.
    """
    if segments is None:
        return blank_class_map()
    pixels = segments.pixels
    areas = np.bincount((pixels + 1).ravel(), minlength=len(segments.types) + 1)
    areas[0] = pixels.size + 1
    table = [
        NO_OBJECT_CLASS,
        *(classes.get(object_type, UNKNOWN_CLASS) for object_type in segments.types),
    ]
    fours = (pixels + 1).reshape(CLASS_MAP_SIDE, 2, CLASS_MAP_SIDE, 2).swapaxes(1, 2).reshape(-1, 4)
    smallest = np.argmin(areas[fours], axis=1)
    chosen = fours[np.arange(len(fours)), smallest]
    return np.array(table, dtype=np.uint8)[chosen].reshape(CLASS_MAP_SIDE, CLASS_MAP_SIDE)


def blank_class_map() -> ClassMap:
    """Return the map of a view in which nothing is seen."""
    return np.zeros((CLASS_MAP_SIDE, CLASS_MAP_SIDE), dtype=np.uint8)
