"""What an agent sees and clicks: its eye, and the object that a click means.

Pure geometry, for the world and for the Commander's planning alike: pose and shapes in,
rays, object indices and depths out.  `Geometry` holds the shapes; a click resolves to
an object as TEACh resolves it (spec section 2.4).
"""

from collections.abc import Callable

import numpy as np

from tatc.actions import Click
from tatc.camera.geometry import NOTHING, Geometry, Hit, Ids, Window
from tatc.camera.rays import EYE_HEIGHT, Eye, pixel_of
from tatc.state import AgentState

__all__ = ["NOTHING", "Eye", "Geometry", "Hit", "eye_of", "resolve", "resolve_in"]

SEARCH = 10
"""Pixels around a click, each way, in which an object is searched (spec 1.6)."""


def eye_of(agent: AgentState) -> Eye:
    """Return an agent's camera: 0.675 m above its position, 90 degrees wide."""
    x, y, z = agent.position
    return Eye((x, y + EYE_HEIGHT, z), agent.yaw, agent.horizon)


def resolve(
    geometry: Geometry, eye: Eye, click: Click, accepts: Callable[[int], bool]
) -> int | None:
    """Return the index of the object that a click means, or None (spec 2.4).

    That is the object at the pixel itself if `accepts` takes it.  Otherwise the one in
    the 20 x 20 pixels around it that has the largest share of its own visible pixels
    there; of equals, the first met column by column.
    """
    hit = geometry.first(eye, click)
    if hit is not None and accepts(hit.index):
        return hit.index
    seen = geometry.window(eye, _around(click))
    return _likeliest(seen, lambda i: geometry.mask_pixels(eye, i), accepts)


def resolve_in(ids: Ids, click: Click, accepts: Callable[[int], bool]) -> int | None:
    """Return what `resolve` does, from a whole frame of object indices."""
    column, row = pixel_of(click)
    index = int(ids[row, column])
    if index != NOTHING and accepts(index):
        return index
    part = _around(click)
    seen = ids[part.top : part.bottom, part.left : part.right]
    return _likeliest(seen, lambda i: int((ids == i).sum()), accepts)


def _around(click: Click) -> Window:
    """Return the pixels in which an object is searched."""
    column, row = pixel_of(click)
    window = Window(column - SEARCH, row - SEARCH, column + SEARCH, row + SEARCH)
    return window.in_frame()


def _likeliest(
    seen: Ids, pixels: Callable[[int], int], accepts: Callable[[int], bool]
) -> int | None:
    """Return the object with the largest share of its `pixels` among those `seen`."""
    found = [(i, n) for i, n in _counts(seen) if accepts(i)]
    if len(found) <= 1:
        return found[0][0] if found else None
    best, best_share = None, 0.0
    for index, n in found:
        share = n / pixels(index)
        if share > best_share:
            best, best_share = index, share
    return best


def _counts(seen: Ids) -> list[tuple[int, int]]:
    """Return the objects of a window with their pixels there, as a scan meets them."""
    found, first, pixels = np.unique(
        seen.T.ravel(), return_index=True, return_counts=True
    )
    order = first.argsort()
    pairs = zip(found[order].tolist(), pixels[order].tolist(), strict=True)
    return [(index, n) for index, n in pairs if index != NOTHING]
