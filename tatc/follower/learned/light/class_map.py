"""The light Follower's view: a small map of object classes, from a segmentation camera."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tatc.home.observation import SegmentationFrame

CLASS_MAP_SIDE = 32
"""The side of a class map, in cells."""
CLICK_GRID_SIDE = 8
"""The side of the grid of cells in which a click is predicted."""
SEGMENTATION_SIDE_PIXELS = 2 * CLASS_MAP_SIDE
"""The side of the segmentation that a class map is made of, in pixels."""
NO_OBJECT_CLASS = 0
"""The class of a cell that shows no object."""
UNKNOWN_CLASS = 1
"""The class of an object type that the model has no class for."""
FIRST_NAMED_CLASS = 2
"""The first class that stands for an object type."""

ClassMap = NDArray[np.uint8]
"""Class ids, (`CLASS_MAP_SIDE`, `CLASS_MAP_SIDE`), row 0 at the top."""


def class_map(segments: SegmentationFrame | None, classes: Mapping[str, int]) -> ClassMap:
    """Return the class map of a view; a blank one if `segments` is None.

    A cell covers four pixels and takes the class of the object among them that is the
    smallest in the whole view, so that a fork on a table is not lost.

    Args:
        segments: a view of `SEGMENTATION_SIDE_PIXELS` a side.
        classes: class ids by object type.

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
    """Return the class map of a view without any object."""
    return np.zeros((CLASS_MAP_SIDE, CLASS_MAP_SIDE), dtype=np.uint8)
