"""Views without pixels: how much of a view each object type fills, and where.

With numba, if views are traced with it, the same sums are made in the same order.
"""

import sys
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tatc.home import assets, state
from tatc.home.camera.traced_views import IndexArray, number_pixels_with_numpy

OBJECT_TYPES: tuple[str, ...] = tuple(assets.known_object_types())
"""All object types; in a space, 0 stands for none and i + 1 for `OBJECT_TYPES[i]`."""
ROWS_BY_TYPE = {name: row for row, name in enumerate(OBJECT_TYPES)}
VIEW_SIDE_PIXELS = 48  # the side of the segmentation that a symbolic view is made of, in pixels


def symbolic_view(ids: IndexArray, snapshot: state.Snapshot) -> Any:
    """Return a view with a row for each of `OBJECT_TYPES`, (types, 3), float32.

    A row has the share of the view that the type fills, and x and y of a point on its largest
    object, as shares of the view's side.  `ids` are the objects that pixels show, -1 for none.
    """
    own_rows = _rows_of_objects(state.ByIdentity(snapshot.object_index))
    if "numba" in sys.modules:
        from tatc.apps.envs.compiled_symbolic_view import type_rows

        return type_rows(ids, own_rows, len(OBJECT_TYPES))
    return type_rows_with_numpy(ids, own_rows, len(OBJECT_TYPES))


@lru_cache(maxsize=256)
def _rows_of_objects(index: state.ByIdentity[state.ObjectIndex]) -> NDArray[np.int64]:
    """Return the row of each object's type; the row after the last is of types in no space."""
    kinds, other = index.value.by_type.items(), len(OBJECT_TYPES)
    pairs = ((i, ROWS_BY_TYPE.get(kind, other)) for kind, found in kinds for i in found)
    return np.array([row for _, row in sorted(pairs)], np.int64)


def type_rows_with_numpy(
    ids: IndexArray, own_rows: NDArray[np.int64], known: int
) -> NDArray[np.float32]:
    """Return the rows of a square view with the object at each pixel, or -1.

    Each object fills a part of its own row.  The point is the pixel nearest to the middle of the
    largest object, the first of those that are equal.
    """
    pixels, objects, _ = number_pixels_with_numpy(ids, len(own_rows), 1)
    own_rows = own_rows[objects]
    side, count = len(pixels), len(own_rows)
    shown = np.flatnonzero(pixels >= 0)
    index = pixels.ravel()[shown]
    down, across = np.divmod(shown, side)
    areas = np.bincount(index, minlength=count)
    below = (np.bincount(index, down, count) / areas)[index] - down
    right = (np.bincount(index, across, count) / areas)[index] - across
    order = np.lexsort((below * below + right * right, index))
    middles = shown[order[np.searchsorted(index[order], np.arange(count))]]
    rows = np.zeros((known + 1, 3), np.float32)
    np.add.at(rows[:, 0], own_rows, (areas / side**2).astype(np.float32))
    largest_last = np.lexsort((np.arange(count)[::-1], areas))  # the first of equals, too
    points = np.stack((middles % side, middles // side), 1)
    rows[own_rows[largest_last], 1:] = (points[largest_last] + 0.5) / side
    return rows[:known]
