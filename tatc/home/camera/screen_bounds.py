"""Where solids can appear in a frame: their bounding boxes, as an eye sees them."""

from dataclasses import dataclass
from functools import cache, cached_property
from math import inf

import numpy as np

from tatc.home.camera.ray_intersection import NEAR_PLANE_METRES
from tatc.home.camera.rays import FRAME_PIXELS, Eye, Floats, Ints
from tatc.home.state import Vec3


@dataclass(frozen=True, slots=True)
class PixelWindow:
    """A rectangle of pixels; right and bottom are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    def clip_to_frame(self) -> "PixelWindow":
        """Return the part of the window that lies in the frame."""
        right, bottom = min(self.right, FRAME_PIXELS), min(self.bottom, FRAME_PIXELS)
        return PixelWindow(max(self.left, 0), max(self.top, 0), right, bottom)


class ScreenBounds:
    """The bounding boxes of all solids as one eye sees them, kept for the eye's next ray."""

    def __init__(self, eye: Eye, low: Floats, high: Floats) -> None:
        """Take an eye, and the boxes' lowest and highest corners in the shape (3, boxes)."""
        self.eye = eye
        origin = np.array(eye.position)[:, None]
        self._sides = np.concatenate([low - origin, high - origin])
        self.low, self.high = self._sides[:3], self._sides[3:]
        self._slab_planes: dict[tuple[bool, ...], Floats] = {}
        self._pixel_bounds: dict[int, Ints] = {}

    def slab_planes(self, direction: Vec3) -> Floats:
        """Return the planes through which a ray enters and leaves each box: (6, boxes).

        First come the x, y and z of the planes where it enters, then those where it
        leaves, relative to the eye.
        """
        key = tuple(d > 0 for d in direction)
        found = self._slab_planes.get(key)
        if found is None:
            found = self._slab_planes[key] = self._sides[_crossed_sides(key)]
        return found

    @cached_property
    def frame_rectangles(self) -> Floats:
        """The boxes' left, top, right and bottom as fractions of the frame: (4, boxes).

        Of a box that reaches behind the eye, only the part in front counts.  A box wholly
        behind the eye gets an empty rectangle.
        """
        forward, right, up = _corners_along(self.eye.axes, self.low, self.high)
        half = sum(a * a for a in self.eye.axes[1])
        depth = np.maximum(forward, NEAR_PLANE_METRES / 2) * half * 2
        u, v = 0.5 + right / depth, 0.5 - up / depth
        found = np.stack([u.min(0), v.min(0), u.max(0), v.max(0)])
        gone = (forward.max(0) < NEAR_PLANE_METRES) | (self.low[0] > self.high[0])
        found[:, gone] = np.array([[2.0], [2.0], [-1.0], [-1.0]])
        cut = np.flatnonzero((forward.min(0) < NEAR_PLANE_METRES) & ~gone)
        found[:, cut] = _clip_at_near_plane(forward[:, cut], right[:, cut], up[:, cut], half)
        return found

    @cached_property
    def nearest_depths(self) -> Floats:
        """For each box a depth, in metres, before which no ray meets what is in it."""
        forward = np.array(self.eye.axes[0])[:, None]
        return np.minimum(self.low * forward, self.high * forward).sum(0)

    def boxes_in_window(self, window: PixelWindow) -> Ints:
        """Return the boxes that may show in a rectangle of the frame, found faster than theirs.

        These are all that are not wholly beyond one of its sides, seen from the eye.
        """
        reach = sum(a * a for a in self.eye.axes[1])
        edges = (window.left - 1, window.top - 1, window.right + 1, window.bottom + 1)
        left, top, to_right, to_bottom = (2 * edge / FRAME_PIXELS - 1 for edge in edges)
        forward, right, up = np.array(self.eye.axes)
        right, up = right / reach, up / reach
        inwards = np.empty((4, 3, 1))
        inwards[0, :, 0], inwards[1, :, 0] = right - left * forward, to_right * forward - right
        inwards[2, :, 0], inwards[3, :, 0] = -top * forward - up, up + to_bottom * forward
        farthest = np.maximum(inwards * self.low, inwards * self.high)
        ahead = farthest[:, 0] + farthest[:, 1] + farthest[:, 2]
        return np.flatnonzero((ahead.min(0) >= 0.0) & (self.low[0] <= self.high[0]))

    def pixel_bounds(self, size: int) -> Ints:
        """Return the rectangles in pixels, widened by one on each side and clipped to the frame.

        They have the shape (4, boxes): left, top, right and bottom, the last two exclusive.
        The right is no greater than the left for a box that cannot be seen.
        """
        found = self._pixel_bounds.get(size)
        if found is None:
            pixels = np.clip(self.frame_rectangles, -1.0, 2.0) * size
            pixels[:2] = np.floor(pixels[:2]) - 1
            pixels[2:] = np.ceil(pixels[2:]) + 1
            found = np.clip(pixels, 0, size).astype(np.int64)
            self._pixel_bounds[size] = found
        return found


@cache
def _crossed_sides(is_rising: tuple[bool, ...]) -> Ints:
    """Return which sides a ray crosses that rises or falls along x, y and z: (6,).

    Sides are counted from the low x, y and z to the high ones; those where the ray enters are
    first.
    """
    going_in = [axis if up else axis + 3 for axis, up in enumerate(is_rising)]
    return np.array(going_in + [(side + 3) % 6 for side in going_in])


def _corners_along(axes: tuple[Vec3, ...], low: Floats, high: Floats) -> Floats:
    """Return how far the eight corners of each box lie along each axis: (axes, 8, boxes).

    Bit 2 of a corner's index stands for its x, bit 1 for y and bit 0 for z; 1 is the high side.
    """
    parts = np.array(axes)[:, :, None, None] * np.stack([low, high], axis=1)
    x, y, z = parts[:, 0, :, None, None], parts[:, 1, None, :, None], parts[:, 2, None, None]
    return (x + y + z).reshape(len(axes), 8, -1)


def _clip_at_near_plane(forward: Floats, right: Floats, up: Floats, half: float) -> Floats:
    """Return the rectangles around the parts of boxes that lie in front of the eye.

    Each column holds the eight corners of a box.  Two corners whose indices differ in one
    bit share an edge, which the near plane may cut.
    """
    plane = NEAR_PLANE_METRES / 2
    one = np.array([i for bit in (1, 2, 4) for i in range(8) if not i & bit])
    other = one + np.repeat([1, 2, 4], 4)
    start, along = forward[one], forward[other] - forward[one]
    meets = (start < plane) != (forward[other] < plane)
    share = (plane - start) / np.where(meets, along, 1.0)
    cuts = (side[one] + share * (side[other] - side[one]) for side in (right, up))
    depth = np.maximum(forward, plane) * half * 2
    seen = np.concatenate([forward >= plane, meets])
    u, v = (
        np.concatenate([side / depth, at / (plane * half * 2)])
        for side, at in zip((right, up), cuts, strict=True)
    )
    u, v = 0.5 + u, 0.5 - v
    least = [np.where(seen, each, inf).min(0) for each in (u, v)]
    most = [np.where(seen, each, -inf).max(0) for each in (u, v)]
    return np.stack([*least, *most])
