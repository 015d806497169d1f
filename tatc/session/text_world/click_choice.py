"""Which pixel of each object in a view is clicked: the middle of what can be reached of it.

With numba the same sums are made pixel by pixel, in the same order, so that both ways choose the
same pixels.
"""

import sys

import numpy as np
from numpy.typing import NDArray

from tatc.home.camera.rays import EYE_HEIGHT_METRES
from tatc.home.percepts import View
from tatc.session.text_world.view_rays import CLICKED_WITHIN_METRES, FAR_WEIGHT, Floats, ViewRays

Pixels = NDArray[np.int64]


def pixels_to_click(view: View, rays: ViewRays, count: int) -> tuple[Pixels, Floats]:
    """Return for each of `count` objects the pixel to click on, and how far it is from the body.

    It is the pixel nearest to the middle of the object's pixels in reach, or of all if none is; of
    equally near ones the first.
    """
    pixels, depth = view.pixels.ravel(), view.depth.ravel()
    if "numba" in sys.modules:  # views are traced with it already
        from tatc.session.text_world.compiled_click_choice import choose_pixels

        return choose_pixels(pixels, depth, rays.up, len(view.pixels), count)
    return choose_pixels_with_numpy(pixels, depth, rays.up, len(view.pixels), count)


def choose_pixels_with_numpy(
    pixels: NDArray[np.int32], depth: Floats, up: Floats, side: int, count: int
) -> tuple[Pixels, Floats]:
    """Do as `pixels_to_click`; `up` is how much each pixel's ray rises a metre."""
    shown = np.flatnonzero(pixels >= 0)
    index, depth = pixels[shown], depth[shown]
    square = EYE_HEIGHT_METRES * EYE_HEIGHT_METRES
    away = np.sqrt(depth * (depth + 2 * EYE_HEIGHT_METRES * up[shown]) + square)
    rows, columns = np.divmod(shown, side)
    far = away >= CLICKED_WITHIN_METRES
    weights = np.where(far, FAR_WEIGHT, 1.0)
    total = np.bincount(index, weights, count)
    row = (np.bincount(index, weights * rows, count) / total)[index] - rows
    column = (np.bincount(index, weights * columns, count) / total)[index] - columns
    apart = row * row + column * column
    order = np.lexsort((np.arange(len(shown)), apart, far, index))
    first = np.searchsorted(index[order], np.arange(count))
    chosen = order[first]
    return shown[chosen], away[chosen]
