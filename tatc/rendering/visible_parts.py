"""Find where one object shows, with numpy, or with numba in a process that looks often.

The result is the same to the last bit.
"""

from itertools import count
from types import ModuleType

import numpy as np

from tatc.camera import visible_part as numpy_backend
from tatc.camera.geometry import Geometry
from tatc.camera.rays import Eye, Ints
from tatc.camera.screen_bounds import PixelWindow
from tatc.camera.visible_part import VisiblePart
from tatc.rendering.first_hits import has_numba

LOOKS_BEFORE_COMPILED = 1500
"""Looks that a process has with numpy before it loads numba, which takes as long as about so
many looks save, and half a minute the first time."""
_looks = count()
_compiled: ModuleType | None = None


def bounding_window(geometry: Geometry, eye: Eye, index: int) -> PixelWindow:
    """Return a rectangle of the frame that contains every pixel of an object."""
    if _compiled is not None:
        return _compiled.bounding_window(geometry, eye, index)
    return geometry.bounding_window(eye, index)


def visible_part(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints
) -> VisiblePart:
    """Return the pixels that show an object, of those where columns and rows cross.

    Both must be in ascending order.
    """
    global _compiled
    if _compiled is None and next(_looks) >= LOOKS_BEFORE_COMPILED and has_numba():
        from tatc.rendering import numba_backend

        _compiled = numba_backend
    if _compiled is not None:
        return _compiled.visible_part(geometry, eye, index, columns, rows)
    return numpy_backend.visible_part(geometry, eye, index, columns, rows)


def count_visible_pixels(geometry: Geometry, eye: Eye, index: int) -> int:
    """Return how many pixels of the frame show an object."""
    window = bounding_window(geometry, eye, index)
    columns, rows = np.arange(window.left, window.right), np.arange(window.top, window.bottom)
    return len(visible_part(geometry, eye, index, columns, rows).depths)
