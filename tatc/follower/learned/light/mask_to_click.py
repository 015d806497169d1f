"""From an object type to a click, by the masks of its instances, as in E.T.

The network predicts a heat map of clicks.  Of the instances in view, the one with the
largest share of the heat is clicked, at its hottest pixel well inside the mask.  Heat is
removed around clicks that were just refused, so that the next click is elsewhere.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tatc.home.actions import Click
from tatc.home.observation import SegmentationFrame

MASK_SIDES_PIXELS = (150, 450)
"""The sides of the masks in pixels; the finer one is tried for objects too small for the
other."""
REFUSED_RADIUS_SHARE = 0.06
"""How far around a refused click heat is removed: the standard deviation of a Gaussian, as
a share of the view's side."""
_MAX_BORDER_DISTANCE_PIXELS = 4  # farther from the border, no pixel is better than another

Floats = NDArray[np.float64]


def click_on_type(
    segments: SegmentationFrame,
    object_type: str,
    heat: Floats,
    refused_clicks: Sequence[Click] = (),
) -> Click | None:
    """Return a click on an object of a type; None if no object of the type is in view.

    Args:
        segments: the view.
        object_type: AI2-THOR's name.
        heat: the probability of a click in each cell, rows by columns.
        refused_clicks: clicks that were just refused.

    """
    warmth = _upsample_heat(heat, len(segments.pixels)) * _refused_click_weights(
        refused_clicks, len(segments.pixels)
    )
    best, score = -1, 0.0
    for number, name in enumerate(segments.types):
        if name == object_type:
            mine = float(warmth[segments.pixels == number].sum())
            if mine > score:
                best, score = number, mine
    if best < 0:
        return None
    inside = _distance_to_border(segments.pixels == best)
    row, column = np.unravel_index(np.argmax(warmth * inside), warmth.shape)
    return _cell_center_click(int(row), int(column), len(segments.pixels))


def hottest_cell_click(heat: Floats) -> Click:
    """Return the centre of the hottest cell: a click without a mask."""
    row, column = np.unravel_index(np.argmax(heat), heat.shape)
    return _cell_center_click(int(row), int(column), len(heat))


def _refused_click_weights(refused_clicks: Sequence[Click], size: int) -> Floats:
    """Return the factor, 0 to 1, by which refused clicks reduce the heat of each pixel."""
    at = (np.arange(size) + 0.5) / size
    left = np.ones((size, size))
    for click in refused_clicks:
        away = (at - click.x)[None, :] ** 2 + (at - click.y)[:, None] ** 2
        left *= 1.0 - np.exp(-away / (2.0 * REFUSED_RADIUS_SHARE**2))
    return left + 1e-12


def _distance_to_border(mask: NDArray[np.bool_]) -> Floats:
    """Return each pixel's distance from the mask's border, in pixels; 0 outside the mask.

    Distances are at most `_MAX_BORDER_DISTANCE_PIXELS`.
    """
    left = np.pad(mask, 1)
    found = np.zeros(mask.shape)
    for _ in range(_MAX_BORDER_DISTANCE_PIXELS):
        found += left[1:-1, 1:-1]
        rows = left[:-2] & left[1:-1] & left[2:]
        kept = rows[:, :-2] & rows[:, 1:-1] & rows[:, 2:]
        left = np.pad(kept, 1)
    return found


def _upsample_heat(heat: Floats, size: int) -> Floats:
    """Return the heat of each pixel, interpolated linearly between the cells' centres."""
    at = (np.arange(size) + 0.5) * len(heat) / size - 0.5
    low = np.clip(np.floor(at).astype(int), 0, len(heat) - 2)
    share = np.clip(at - low, 0.0, 1.0)
    rows = heat[low] * (1 - share)[:, None] + heat[low + 1] * share[:, None]
    return rows[:, low] * (1 - share) + rows[:, low + 1] * share + 1e-9


def _cell_center_click(row: int, column: int, size: int) -> Click:
    return Click((column + 0.5) / size, (row + 0.5) / size)
