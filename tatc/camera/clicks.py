"""What an agent sees and clicks: its eye, and the object that a click means.

Pure geometry, for the world and for the Commander's planning alike: pose and shapes in,
rays, object indices and depths out.  `Geometry` holds the shapes; a click resolves to
an object as TEACh resolves it (spec section 2.4).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tatc.actions import Click
from tatc.camera.geometry import NOTHING, Geometry, Hit, Ids
from tatc.camera.outlines import Window
from tatc.camera.rays import EYE_HEIGHT, Eye, pixel_of
from tatc.state import AgentState

__all__ = ["NOTHING", "Eye", "Geometry", "Hit", "eye_of", "resolve", "resolve_in"]

SEARCH = 10
"""Pixels around a click, each way, in which an object is searched (spec 1.6)."""


def eye_of(agent: AgentState) -> Eye:
    """Return an agent's camera: 0.675 m above its position, 90 degrees wide."""
    x, y, z = agent.position
    return Eye((x, y + EYE_HEIGHT, z), agent.yaw, agent.horizon)


class Seen(Protocol):
    """A frame of object indices, of which only some pixels may ever be looked at."""

    def at(self, click: Click) -> int:
        """Return the index of the object at a click, `NOTHING` for none."""
        ...

    def part(self, window: Window) -> Ids:
        """Return the indices of a rectangle of pixels."""
        ...

    def pixels(self, index: int) -> int:
        """Return how many pixels of the whole frame show an object."""
        ...


@dataclass(frozen=True, slots=True)
class _Traced:
    """What an eye sees, traced as it is looked at."""

    geometry: Geometry
    eye: Eye

    def at(self, click: Click) -> int:
        hit = self.geometry.first(self.eye, click)
        return NOTHING if hit is None else hit.index

    def part(self, window: Window) -> Ids:
        return self.geometry.window(self.eye, window)

    def pixels(self, index: int) -> int:
        return self.geometry.mask_pixels(self.eye, index)


def resolve(
    geometry: Geometry, eye: Eye, click: Click, accepts: Callable[[int], bool]
) -> int | None:
    """Return the index of the object that an eye's click means, or None (spec 2.4)."""
    return resolve_in(_Traced(geometry, eye), click, accepts)


def resolve_in(seen: Seen, click: Click, accepts: Callable[[int], bool]) -> int | None:
    """Return the index of the object that a click means, or None (spec 2.4).

    That is the object at the pixel itself if `accepts` takes it.  Otherwise the one in
    the 20 x 20 pixels around it that has the largest share of its own visible pixels
    there; of equals, the first met column by column.
    """
    index = seen.at(click)
    if index != NOTHING and accepts(index):
        return index
    column, row = pixel_of(click)
    window = Window(column - SEARCH, row - SEARCH, column + SEARCH, row + SEARCH)
    counts = _counts(seen.part(window.in_frame()))
    found = [(i, n) for i, n in counts if accepts(i)]
    if len(found) <= 1:
        return found[0][0] if found else None
    best, best_share = None, 0.0
    for index, n in found:
        share = n / seen.pixels(index)
        if share > best_share:
            best, best_share = index, share
    return best


def _counts(part: Ids) -> list[tuple[int, int]]:
    """Return the objects of a window with their pixels there, as a scan meets them."""
    found, first, pixels = np.unique(
        part.T.ravel(), return_index=True, return_counts=True
    )
    order = first.argsort()
    pairs = zip(found[order].tolist(), pixels[order].tolist(), strict=True)
    return [(index, n) for index, n in pairs if index != NOTHING]
