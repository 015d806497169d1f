"""What an agent sees and clicks: its eye, and the object that a click means.

This is pure geometry, used both by the world and by the Commander's planning: it takes a
pose and shapes, and returns rays, object indices and depths.  `Geometry` holds the shapes;
a click resolves to an object as in TEACh (spec section 2.4).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tatc.actions import Click
from tatc.camera.geometry import NO_OBJECT, Geometry, IndexArray, RayHit
from tatc.camera.rays import EYE_HEIGHT_METRES, Eye, pixel_of
from tatc.camera.screen_bounds import PixelWindow
from tatc.camera.visible_part import count_visible_pixels
from tatc.state import AgentState, Pose

__all__ = [
    "NO_OBJECT",
    "Eye",
    "Geometry",
    "RayHit",
    "eye_at",
    "eye_of",
    "resolve_click",
    "resolve_click_in_frame",
]

CLICK_SEARCH_PIXELS = 10
"""Pixels on each side of a click in which an object is searched for (spec 1.6)."""


def eye_of(agent: AgentState) -> Eye:
    """Return an agent's camera: 0.675 m above its position, with its body's field of view."""
    x, y, z = agent.position
    return Eye((x, y + EYE_HEIGHT_METRES, z), agent.yaw, agent.horizon, agent.body.fov_degrees)


def eye_at(pose: Pose, agent: AgentState) -> Eye:
    """Return the camera that an agent will have at another pose on the same floor."""
    height = agent.position[1] + EYE_HEIGHT_METRES
    return Eye((pose.x, height, pose.z), pose.yaw, pose.horizon, agent.body.fov_degrees)


class ObjectFrame(Protocol):
    """A frame of object indices; an implementation may compute only the pixels asked for."""

    def at(self, click: Click) -> int:
        """Return the index of the object at a click, or `NO_OBJECT`."""
        ...

    def part(self, window: PixelWindow) -> IndexArray:
        """Return the object indices of a rectangle of pixels, as (rows, columns)."""
        ...

    def pixels(self, index: int) -> int:
        """Return how many pixels of the whole frame show an object."""
        ...


@dataclass(frozen=True, slots=True)
class _TracedFrame:
    """What an eye sees, traced only where it is asked for."""

    geometry: Geometry
    eye: Eye

    def at(self, click: Click) -> int:
        hit = self.geometry.hit_at_click(self.eye, click)
        return NO_OBJECT if hit is None else hit.index

    def part(self, window: PixelWindow) -> IndexArray:
        columns, rows = np.arange(window.left, window.right), np.arange(window.top, window.bottom)
        return self.geometry.trace_object_pixels(self.eye, columns, rows)[0]

    def pixels(self, index: int) -> int:
        return count_visible_pixels(self.geometry, self.eye, index)


def resolve_click(
    geometry: Geometry, eye: Eye, click: Click, accepts: Callable[[int], bool]
) -> int | None:
    """Return the index of the object that an eye's click means, or None (spec 2.4)."""
    return resolve_click_in_frame(_TracedFrame(geometry, eye), click, accepts)


def resolve_click_in_frame(
    frame: ObjectFrame, click: Click, accepts: Callable[[int], bool]
) -> int | None:
    """Return the index of the object that a click means, or None (spec 2.4).

    This is the object at the pixel itself, if `accepts` allows it.  Otherwise it is the
    accepted object that has the largest share of its own visible pixels in the 20 x 20
    pixels around the click.  Of equal shares, the object met first wins, scanning column
    by column.
    """
    index = frame.at(click)
    if index != NO_OBJECT and accepts(index):
        return index
    column, row = pixel_of(click)
    window = PixelWindow(
        column - CLICK_SEARCH_PIXELS,
        row - CLICK_SEARCH_PIXELS,
        column + CLICK_SEARCH_PIXELS,
        row + CLICK_SEARCH_PIXELS,
    )
    counts = _pixel_counts(frame.part(window.clip_to_frame()))
    found = [(i, n) for i, n in counts if accepts(i)]
    if len(found) <= 1:
        return found[0][0] if found else None
    best, best_share = None, 0.0
    for index, n in found:
        share = n / frame.pixels(index)
        if share > best_share:
            best, best_share = index, share
    return best


def _pixel_counts(part: IndexArray) -> list[tuple[int, int]]:
    """Return (object index, pixel count) pairs of a window, in column-by-column order."""
    found, first, pixels = np.unique(part.T.ravel(), return_index=True, return_counts=True)
    order = first.argsort()
    pairs = zip(found[order].tolist(), pixels[order].tolist(), strict=True)
    return [(index, n) for index, n in pairs if index != NO_OBJECT]
