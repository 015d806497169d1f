"""What an eye sees: the pixels of one object, which decide what a click means, and whole views.

A process that takes many whole views traces them with numba, if it is installed, and others with
numpy.  The result is the same to the last bit.
"""

import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import count
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from tatc.home.camera import object_pixels
from tatc.home.camera.geometry import NO_OBJECT, Geometry, IndexArray
from tatc.home.camera.ray_intersection import PreparedSolid, intersect_rays
from tatc.home.camera.rays import Eye, Floats, Ints, PixelWindow, Rays
from tatc.home.camera.views import TracedView
from tatc.home.observation import SegmentationFrame
from tatc.home.state import ObjectState

VIEWS_BEFORE_COMPILED = 512
"""Views before numba is loaded, which takes a second, and half a minute the first time."""
MAX_HIDDEN_VIEWS = 8192
"""Views that are kept for a geometry, at most."""
_MAX_CACHED_DIRECTIONS = 32  # four yaws and four horizons, of two sizes
_traced_views = count()


def visible_part(
    geometry: Geometry, eye: Eye, index: int, columns: Ints, rows: Ints
) -> object_pixels.VisiblePart:
    """Return the pixels that show an object where columns and rows, both ascending, cross."""
    hidden = hidden_views(geometry).find(geometry, eye, index)
    return hidden or object_pixels.visible_part(geometry, eye, index, columns, rows)


def whole_visible_part(
    geometry: Geometry, eye: Eye, index: int
) -> tuple[PixelWindow, object_pixels.VisiblePart] | None:
    """Return an object's window and the pixels that show it; None, quick from then on, if none."""
    hidden = hidden_views(geometry)
    if hidden.find(geometry, eye, index):
        return None
    window = geometry.bounding_window(eye, index)
    columns, rows = np.arange(window.left, window.right), np.arange(window.top, window.bottom)
    shown = object_pixels.visible_part(geometry, eye, index, columns, rows)
    if len(shown.rows):
        return window, shown
    hidden.keep(geometry, eye, index, shown.hiders, shown)
    return None


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
        self._views: dict[tuple[float, ...], tuple[_Solids, _Solids, View]] = {}

    def find(self, geometry: Geometry, eye: Eye, index: int) -> View | None:
        """Return what was kept for an eye that has looked for an object, if that still holds."""
        found = self._views.get(_key(eye, index))
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
        self._views[_key(eye, index)] = _own_solids(geometry, index), hidden_by, view


_by_geometry: WeakKeyDictionary[Geometry, HiddenViews[object_pixels.VisiblePart]] = (
    WeakKeyDictionary()
)


def hidden_views(geometry: Geometry) -> HiddenViews[object_pixels.VisiblePart]:
    """Return the whole hidden views of a geometry, which are forgotten with it."""
    return _by_geometry.setdefault(geometry, HiddenViews())


def _key(eye: Eye, index: int) -> tuple[float, ...]:
    return (index, *eye.position, eye.yaw, eye.horizon, eye.fov)


def _own_solids(geometry: Geometry, index: int) -> _Solids:
    return tuple((row, geometry.visible_solid(row)) for row in geometry.visible_rows_of(index))


def trace_first_hits(geometry: Geometry, room: PreparedSolid, eye: Eye, size: int) -> TracedView:
    """Return what an eye's rays hit, `size` pixels along each side of the view, without colours.

    `room` is the walls, the floor and the ceiling, from `prepare_room_solid`.
    """
    rays, lengths = _rays_in_direction(eye, size)
    if next(_traced_views) >= VIEWS_BEFORE_COMPILED and has_numba():
        from tatc.home.camera import numba_frames

        ids, depths = numba_frames.trace_frame(geometry, eye, size, room, as_objects=True)
    else:
        everywhere = np.arange(size)
        solids, depths = geometry.trace_solids(eye, everywhere, everywhere, size, rays)
        free = np.nonzero(solids == NO_OBJECT)
        depths[free] = intersect_rays(room, eye.position, rays.of_pixels(*free))
        ids = geometry.owners_at(solids)
    depths *= lengths
    return TracedView(eye, ids, depths)


@cache
def has_numba() -> bool:
    """Return whether numba is installed."""
    return find_spec("numba") is not None


def segmentation_of(ids: IndexArray, objects: Sequence[ObjectState]) -> SegmentationFrame:
    """Return a view's objects by type, numbered by their first pixels; -1 where there is none."""
    pixels, shown = number_objects(ids, len(objects))
    return SegmentationFrame(pixels, tuple(objects[index].objectType for index, _ in shown))


def number_objects(
    ids: IndexArray, objects: int, least: int = 1
) -> tuple[IndexArray, Sequence[tuple[int, int]]]:
    """Return a view's pixels with objects numbered by their first ones, -1 where there is none.

    With them come each object's index and how many pixels show it, which are `least` or more.
    """
    if _is_numba_loaded():
        from tatc.home.camera import numba_frames

        pixels, shown, counts = numba_frames.number_pixels(ids, objects, least)
    else:
        pixels, shown, counts = number_pixels_with_numpy(ids, objects, least)
    return pixels, [*zip(shown.tolist(), counts.tolist(), strict=True)]


def number_pixels_with_numpy(
    ids: IndexArray, objects: int, least: int
) -> tuple[IndexArray, Ints, Ints]:
    """Return what `number_objects` does, the objects and how many pixels show each as arrays."""
    line, first = ids.ravel(), np.zeros(objects + 1, dtype=np.int64)
    counts = np.bincount(line + 1, minlength=objects + 1)[1:]
    first[line[::-1]] = np.arange(len(line))[::-1]  # of equal indices the last assignment counts
    shown = np.flatnonzero(counts >= least)
    shown = shown[np.argsort(first[shown])]
    numbers = np.full(objects + 1, NO_OBJECT, dtype=np.int32)
    numbers[shown] = np.arange(len(shown), dtype=np.int32)
    return numbers.take(ids), shown, counts[shown]


def bounds_hit(traced: TracedView, index: int) -> Floats:
    """Return the lowest and the highest corner of what a view shows of an object, metres: (2, 3).

    They are corners of the smallest box along the world's axes.  The view must show the object.
    """
    eye = traced.eye
    rays, lengths = _rays_in_direction(eye, len(traced.ids))
    if _is_numba_loaded():
        from tatc.home.camera import numba_frames

        lines = rays.direction
        hits = traced.ids, traced.distances, lengths
        return numba_frames.bounds_hit(*hits, *lines, eye.position, index)
    return bounds_hit_with_numpy(traced, rays, lengths, index)


def bounds_hit_with_numpy(traced: TracedView, rays: Rays, lengths: Floats, index: int) -> Floats:
    """Do as `bounds_hit`, with the rays from the view's eye and their lengths."""
    rows, columns = np.nonzero(traced.ids == index)
    depths = traced.distances[rows, columns] / lengths[rows, columns]
    lines = np.stack(rays.of_pixels(rows, columns).direction)
    points = np.array(traced.eye.position)[:, None] + depths * lines
    return np.stack((points.min(1), points.max(1)))


def _is_numba_loaded() -> bool:
    return "numba" in sys.modules  # it takes a second to load; views are traced with it already


def _rays_in_direction(eye: Eye, size: int) -> tuple[Rays, Floats]:
    """Return the rays of an eye, wherever it stands, and the lengths of their directions."""
    return _rays_from_origin(Eye((0.0, 0.0, 0.0), eye.yaw, eye.horizon, eye.fov), size)


@lru_cache(maxsize=_MAX_CACHED_DIRECTIONS)
def _rays_from_origin(eye: Eye, size: int) -> tuple[Rays, Floats]:
    x, y, z = eye.rays(np.arange(size), np.arange(size), size)
    return Rays.from_directions((x, y, z)), np.sqrt(x * x + y * y + z * z)
