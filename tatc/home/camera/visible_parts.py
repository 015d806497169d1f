"""Find where an object shows and what pixels show, which decides what a click means.

A process that looks often does so with numba, if it is installed, and others with numpy.
The result is the same to the last bit.
"""

from itertools import count
from types import ModuleType
from weakref import WeakKeyDictionary

import numpy as np

from tatc.home.camera import object_pixels
from tatc.home.camera.first_hits import has_numba
from tatc.home.camera.geometry import Geometry, IndexArray
from tatc.home.camera.object_pixels import VisiblePart
from tatc.home.camera.ray_intersection import PreparedSolid
from tatc.home.camera.rays import Eye, Ints
from tatc.home.camera.screen_bounds import PixelWindow

LOOKS_BEFORE_COMPILED = 1500
"""Looks before numba is loaded: loading costs about what they would save, and half a minute the
first time."""
MAX_HIDDEN_VIEWS = 8192
"""Views that are kept for a geometry, at most."""
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
    backend = _backend_if_compiled() or object_pixels
    return backend.visible_part(geometry, eye, index, columns, rows)


def _backend_if_compiled() -> ModuleType | None:
    """Return numba's backend once a process has looked often enough; counts one look more."""
    global _compiled
    if _compiled is None and next(_looks) >= LOOKS_BEFORE_COMPILED and has_numba():
        from tatc.home.camera import numba_pixels

        _compiled = numba_pixels
    return _compiled


_Solids = tuple[tuple[int, PreparedSolid | None], ...]


class HiddenViews:
    """The views of a geometry in which an object shows nowhere.

    Plans ask for the same hidden object from the same poses again and again, while other things
    are carried about.  A view holds while the object's own solids and those that hid it are as
    they were, whatever else has changed.
    """

    def __init__(self) -> None:
        """Begin without any view."""
        self._views: dict[tuple[float, ...], tuple[_Solids, _Solids]] = {}

    def holds(self, geometry: Geometry, eye: Eye, index: int) -> bool:
        """Return whether an object still shows nowhere to an eye that has looked for it before."""
        found = self._views.get(_key(eye, index))
        if found is None:
            return False
        own, hiders = found
        return own == _own_solids(geometry, index) and all(
            geometry.visible_solid(row) == solid for row, solid in hiders
        )

    def add(self, geometry: Geometry, eye: Eye, index: int, hiders: tuple[int, ...]) -> None:
        """Keep that an object shows in no pixel of an eye's frame; solids in these rows hide it."""
        if len(self._views) >= MAX_HIDDEN_VIEWS:
            self._views.clear()
        hidden_by = tuple((row, geometry.visible_solid(row)) for row in hiders)
        self._views[_key(eye, index)] = _own_solids(geometry, index), hidden_by


_by_geometry: WeakKeyDictionary[Geometry, HiddenViews] = WeakKeyDictionary()


def hidden_views(geometry: Geometry) -> HiddenViews:
    """Return the hidden views of a geometry, which are forgotten with it."""
    found = _by_geometry.get(geometry)
    if found is None:
        found = _by_geometry[geometry] = HiddenViews()
    return found


def _key(eye: Eye, index: int) -> tuple[float, ...]:
    return (index, *eye.position, eye.yaw, eye.horizon, eye.fov)


def _own_solids(geometry: Geometry, index: int) -> _Solids:
    return tuple((row, geometry.visible_solid(row)) for row in geometry.visible_rows_of(index))
