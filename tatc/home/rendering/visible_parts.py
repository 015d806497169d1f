"""Find where an object shows and what pixels show.

A process that looks often does so with numba, if it is installed, and others with numpy.
The result is the same to the last bit.
"""

from itertools import count
from types import ModuleType

import numpy as np

from tatc.home.camera import visible_part as numpy_backend
from tatc.home.camera.geometry import Geometry, IndexArray
from tatc.home.camera.rays import Eye, Ints
from tatc.home.camera.screen_bounds import PixelWindow
from tatc.home.camera.visible_part import VisiblePart
from tatc.home.rendering.first_hits import has_numba
from tatc.home.rendering.hidden_views import hidden_views

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
    if hidden_views(geometry).holds(geometry, eye, index):
        return VisiblePart.empty()
    return _trace_visible_part(geometry, eye, index, columns, rows)


def whole_visible_part(
    geometry: Geometry, eye: Eye, index: int
) -> tuple[PixelWindow, VisiblePart] | None:
    """Return the window around an object in the frame, and which of its pixels show the object.

    None if no pixel does; then the next look from there is quick.
    """
    hidden = hidden_views(geometry)
    if hidden.holds(geometry, eye, index):
        return None
    window = bounding_window(geometry, eye, index)
    columns, rows = np.arange(window.left, window.right), np.arange(window.top, window.bottom)
    shown = _trace_visible_part(geometry, eye, index, columns, rows)
    if len(shown.rows):
        return window, shown
    hidden.add(geometry, eye, index, shown.hiders)
    return None


def objects_seen(geometry: Geometry, eye: Eye, columns: Ints, rows: Ints) -> IndexArray | Ints:
    """Return which object each pixel shows where columns and rows cross: (rows, columns).

    Both must be in ascending order.  Where nothing is seen, it is `NO_OBJECT`.
    """
    compiled = _backend_if_compiled()
    if compiled is not None:
        return compiled.objects_seen(geometry, eye, columns, rows)
    return geometry.trace_object_pixels(eye, columns, rows)[0]


def _trace_visible_part(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints
) -> VisiblePart:
    backend = _backend_if_compiled() or numpy_backend
    return backend.visible_part(geometry, eye, index, columns, rows)


def _backend_if_compiled() -> ModuleType | None:
    """Return numba's backend once a process has looked often enough; counts one look more."""
    global _compiled
    if _compiled is None and next(_looks) >= LOOKS_BEFORE_COMPILED and has_numba():
        from tatc.home.rendering import numba_backend

        _compiled = numba_backend
    return _compiled
