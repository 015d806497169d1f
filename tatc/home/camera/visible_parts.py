"""What an eye sees of one object: the pixels that show it, which decide what a click means.

Views in which nothing of an object shows are kept, as long as what hides it stays.
"""

from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from tatc.home.camera import compiled_views, object_pixels
from tatc.home.camera.geometry import Geometry, IndexArray
from tatc.home.camera.ray_intersection import PreparedSolid
from tatc.home.camera.rays import Eye, Ints, PixelWindow

MAX_HIDDEN_VIEWS = 8192  # views that are kept for a geometry, at most


def visible_part(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints
) -> object_pixels.VisiblePart:
    """Return the pixels that show an object where columns and rows, both ascending, cross."""
    hidden = hidden_views(geometry).find(geometry, eye, index)
    if hidden:
        return hidden
    compiled = compiled_views.after_many(compiled_views.object_views)
    return (compiled or object_pixels).visible_part(geometry, eye, index, columns, rows)


def bounding_window(geometry: Geometry, eye: Eye, index: int) -> PixelWindow:
    """Return a rectangle of the frame that contains every pixel of an object."""
    return (compiled_views.if_loaded() or Geometry).bounding_window(geometry, eye, index)


def trace_object_pixels(geometry: Geometry, eye: Eye, columns: Ints, rows: Ints) -> IndexArray:
    """Return the objects of the pixels where columns and rows, both ascending, cross."""
    compiled = compiled_views.after_many(compiled_views.object_views)
    if compiled:
        return compiled.trace_object_pixels(geometry, eye, columns, rows)
    return geometry.trace_object_pixels(eye, columns, rows)[0]


def whole_visible_part(
    geometry: Geometry, eye: Eye, index: int
) -> tuple[PixelWindow, object_pixels.VisiblePart] | None:
    """Return an object's window and the pixels that show it; None, quick from then on, if none."""
    if hidden_views(geometry).find(geometry, eye, index):
        return None
    window = bounding_window(geometry, eye, index)
    columns, rows = np.arange(window.left, window.right), np.arange(window.top, window.bottom)
    shown = visible_part(geometry, eye, index, columns, rows)
    if len(shown.rows):
        return window, shown
    hidden_views(geometry).keep(geometry, eye, index, shown.hiders, shown)
    return None


def count_visible_pixels(geometry: Geometry, eye: Eye, index: int) -> int:
    """Return how many pixels of the frame show an object."""
    found = whole_visible_part(geometry, eye, index)
    return len(found[1].rows) if found else 0


View = TypeVar("View")
_Solids = tuple[tuple[int, PreparedSolid | None], ...]


class HiddenViews(Generic[View]):
    """The views of a geometry in which an object shows nowhere.

    Plans ask for the same hidden object from the same poses again and again, while other things
    are carried about.  A view holds while the object's own solids and those that hid it are as
    they were, whatever else has changed.
    """

    def __init__(self) -> None:
        """Begin without any view."""
        self._views: dict[tuple[Eye, int], tuple[_Solids, _Solids, View]] = {}

    def find(self, geometry: Geometry, eye: Eye, index: int) -> View | None:
        """Return what was kept for an eye that has looked for an object, if that still holds."""
        found = self._views.get((eye, index))
        if found is None:
            return None
        own, hiders, view = found
        holds = own == _own_solids(geometry, index) and all(
            geometry.visible_solid(row) == solid for row, solid in hiders
        )
        return view if holds else None

    def keep(
        self, geometry: Geometry, eye: Eye, index: int, hiders: tuple[int, ...], view: View
    ) -> None:
        """Keep a view in which an object shows in no pixel; the solids in these rows hide it."""
        if len(self._views) >= MAX_HIDDEN_VIEWS:
            self._views.clear()
        hidden_by = tuple((row, geometry.visible_solid(row)) for row in hiders)
        self._views[eye, index] = _own_solids(geometry, index), hidden_by, view


_by_geometry = WeakKeyDictionary[Geometry, HiddenViews[object_pixels.VisiblePart]]()


def hidden_views(geometry: Geometry) -> HiddenViews[object_pixels.VisiblePart]:
    """Return the whole hidden views of a geometry, which are forgotten with it."""
    return _by_geometry.setdefault(geometry, HiddenViews())


def _own_solids(geometry: Geometry, index: int) -> _Solids:
    return tuple((row, geometry.visible_solid(row)) for row in geometry.visible_rows_of(index))
