"""From an object class to a click, as E.T. gets it from its masks.

Of the class's instances in view the one is meant that has most of the predicted heat;
the click is its pixel with the most heat that lies well inside of it.  Where clicks
have just been refused there is no heat, so that the next is elsewhere.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Click, SegmentationFrame

MASK_SIDES_PIXELS = (150, 450)
"""Pixels a side of the masks that are clicked in; the finer one for what is tiny."""
REFUSED_RADIUS_SHARE = 0.06
"""How far around a refused click, as a share of the view, heat is taken away."""
_MAX_BORDER_DISTANCE_PIXELS = 4  # pixels from a mask's border beyond which no point is better

Floats = NDArray[np.float64]


def click_on_type(
    segments: SegmentationFrame,
    object_type: str,
    heat: Floats,
    refused_clicks: Sequence[Click] = (),
) -> Click | None:
    """Return where to click on something of a type; None where none is in view.

    `heat` holds the probabilities of the cells of the view, rows by columns; `refused_clicks`
    are clicks that led to nothing.
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
    """Return the middle of the hottest cell: a guess, without looking."""
    row, column = np.unravel_index(np.argmax(heat), heat.shape)
    return _cell_center_click(int(row), int(column), len(heat))


def _refused_click_weights(refused_clicks: Sequence[Click], size: int) -> Floats:
    """Return for each pixel how much of its heat refused clicks leave."""
    at = (np.arange(size) + 0.5) / size
    left = np.ones((size, size))
    for click in refused_clicks:
        away = (at - click.x)[None, :] ** 2 + (at - click.y)[:, None] ** 2
        left *= 1.0 - np.exp(-away / (2.0 * REFUSED_RADIUS_SHARE**2))
    return left + 1e-12


def _distance_to_border(mask: NDArray[np.bool_]) -> Floats:
    """Return each pixel's distance from the border of a mask, in pixels.

    Distances are counted up to `_MAX_BORDER_DISTANCE_PIXELS`.
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
    """Return the heat of each pixel, smoothly between the middles of the cells."""
    at = (np.arange(size) + 0.5) * len(heat) / size - 0.5
    low = np.clip(np.floor(at).astype(int), 0, len(heat) - 2)
    share = np.clip(at - low, 0.0, 1.0)
    rows = heat[low] * (1 - share)[:, None] + heat[low + 1] * share[:, None]
    return rows[:, low] * (1 - share) + rows[:, low + 1] * share + 1e-9


def _cell_center_click(row: int, column: int, size: int) -> Click:
    return Click((column + 0.5) / size, (row + 0.5) / size)
