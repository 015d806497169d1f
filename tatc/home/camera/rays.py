"""The camera's rays: an eye, the pixels of its square frame, and where solids show in it.

The camera is AI2-THOR's: a square frame and no roll.  Rays are counted in TEACh's frame of 900
pixels a side, whatever the size of the images that a body's camera makes.  A pixel stands for the
ray through its centre.  All arithmetic is plain double precision without fused or reordered sums,
and sines of multiples of 15 degrees come from a table, so that every machine sees the same.
"""

from dataclasses import dataclass
from functools import cached_property
from math import cos, fsum, inf, radians, sin, sqrt
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tatc.home import actions, body, state

FRAME_PIXELS = body.TEACH.frame_pixels  # pixels along each side of TEACh's frame (spec section 1.5)
EYE_HEIGHT_METRES = 0.675
"""The height of the camera above the agent's y, metres (fitted to recorded clicks)."""
NEAR_PLANE_METRES = 0.05  # nothing nearer than this depth is seen, metres
MIN_RAY_COMPONENT = 1e-30
"""Replaces a ray component that is exactly zero, so that no test divides by zero."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rgb = NDArray[np.uint8]
VectorArrays = tuple[Floats, Floats, Floats]

_SIN_15, _SIN_75 = (sqrt(6.0) - sqrt(2.0)) / 4.0, (sqrt(6.0) + sqrt(2.0)) / 4.0
_RISING_SINES = (0.0, _SIN_15, 0.5, sqrt(2.0) / 2.0, sqrt(3.0) / 2.0, _SIN_75)
_SINES_BY_15_DEGREES = (*_RISING_SINES, 1.0, *_RISING_SINES[:0:-1])
_STEP_DEGREES = 15.0
_SNAP_DEGREES = 0.01  # tolerance of recorded angles around multiples of 15


def snapped_sin_cos(degrees: float) -> tuple[float, float]:
    """Return the sine and cosine of degrees; within 0.01 of a multiple of 15 from a table."""
    step = round(degrees / _STEP_DEGREES)
    if abs(degrees - step * _STEP_DEGREES) <= _SNAP_DEGREES:
        return _table_sine(step), _table_sine(step + 6)
    return sin(radians(degrees)), cos(radians(degrees))


def _table_sine(step: int) -> float:
    turn = step % 24
    return _SINES_BY_15_DEGREES[turn] if turn < 12 else -_SINES_BY_15_DEGREES[turn - 12]


@dataclass(frozen=True)
class Eye:
    """A camera: its position, its yaw and horizon (degrees), its field of view (degrees)."""

    position: state.Vec3
    yaw: float
    horizon: float
    fov: float = body.TEACH.fov_degrees

    @cached_property
    def axes(self) -> tuple[state.Vec3, state.Vec3, state.Vec3]:
        """Forward, right and up in world axes.

        Forward is one metre long; right and up are half as long as the frame is wide at that depth.
        """
        sine, cosine = snapped_sin_cos(self.yaw)
        down, level = snapped_sin_cos(self.horizon)
        opposite, adjacent = snapped_sin_cos(self.fov / 2.0)
        half = opposite / adjacent
        forward = (sine * level, -down, cosine * level)
        right = (cosine * half, 0.0, -sine * half)
        up = (sine * down * half, level * half, cosine * down * half)
        return forward, right, up

    def ray(self, column: int, row: int, size: int = FRAME_PIXELS) -> state.Vec3:
        """Return the direction through a pixel's centre, one metre deep, with no zero component."""
        u = (2 * column + 1 - size) / size
        v = (size - 2 * row - 1) / size
        (fx, fy, fz), (rx, ry, rz), (ux, uy, uz) = self.axes
        return (
            (fx + u * rx) + v * ux or MIN_RAY_COMPONENT,
            (fy + u * ry) + v * uy or MIN_RAY_COMPONENT,
            (fz + u * rz) + v * uz or MIN_RAY_COMPONENT,
        )

    def rays(self, columns: Ints, rows: Ints, size: int = FRAME_PIXELS) -> VectorArrays:
        """Return the directions through the pixels where columns and rows cross.

        x and z have the shape (rows, columns); y, which is the same all along a row, has
        (rows, 1).  They are bit for bit what `ray` returns for one pixel.
        """
        u = (2 * columns + 1 - size) / size
        v = ((size - 2 * rows - 1) / size)[:, None]
        (fx, fy, fz), (rx, _, rz), (ux, uy, uz) = self.axes
        x, y, z = (fx + u * rx) + v * ux, fy + v * uy, (fz + u * rz) + v * uz
        return _replace_zeros(x), _replace_zeros(y), _replace_zeros(z)

    def project(self, point: state.Vec3) -> tuple[float, float, float]:
        """Return where a point appears: x and y as fractions of the frame, and its depth.

        At a depth (metres) of zero or less it is behind the eye, and x and y mean nothing.
        """
        (fx, fy, fz), (rx, ry, rz), (ux, uy, uz) = self.axes
        x, y, z = (p - o for p, o in zip(point, self.position, strict=True))
        depth = x * fx + y * fy + z * fz
        if depth <= 0.0:
            return 0.0, 0.0, depth
        reach = depth * (rx * rx + ry * ry + rz * rz)
        across = (x * rx + y * ry + z * rz) / reach
        above = (x * ux + y * uy + z * uz) / reach
        return 0.5 + across / 2.0, 0.5 - above / 2.0, depth


def pixel_of(click: actions.Click) -> tuple[int, int]:
    """Return the column and row of a click: fraction * 900, with halves rounded to even.

    TEACh indexes out of bounds from about 0.99945 on (spec 8.1, trap 2); here such a
    click maps to the last pixel.
    """
    column, row = round(click.x * FRAME_PIXELS), round(click.y * FRAME_PIXELS)
    return min(max(column, 0), FRAME_PIXELS - 1), min(max(row, 0), FRAME_PIXELS - 1)


def _replace_zeros(values: Floats) -> Floats:
    return np.where(values == 0.0, MIN_RAY_COMPONENT, values)


class Rays(NamedTuple):
    """Many rays from one origin: the x, y, z of their directions, and the inverses.

    x and z have the shape (rows, columns); y has (rows, 1), since the camera does not roll.
    """

    direction: VectorArrays
    inverse: VectorArrays

    @staticmethod
    def from_directions(direction: VectorArrays) -> "Rays":
        """Return rays with these directions, none of whose components may be zero."""
        x, y, z = direction
        return Rays(direction, (1.0 / x, 1.0 / y, 1.0 / z))

    @staticmethod
    def single(direction: state.Vec3) -> "Rays":
        """Return one ray: numbers in place of arrays, none of which may be zero."""
        return Rays.from_directions(cast(VectorArrays, direction))

    def window(self, rows: slice, columns: slice) -> "Rays":
        """Return the rays of a rectangle of pixels."""
        (x, y, z), (ix, iy, iz) = self
        both = rows, columns
        return Rays((x[both], y[rows], z[both]), (ix[both], iy[rows], iz[both]))

    def of_pixels(self, rows: Ints, columns: Ints) -> "Rays":
        """Return the rays of single pixels, by their rows and columns: all of shape (pixels,)."""
        (x, y, z), (ix, iy, iz) = self
        both = rows, columns
        return Rays((x[both], y[rows, 0], z[both]), (ix[both], iy[rows, 0], iz[both]))


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
        self.low, self.high = low - origin, high - origin
        self._pixel_bounds: dict[int, Ints] = {}

    @cached_property
    def frame_rectangles(self) -> Floats:
        """The boxes' left, top, right and bottom as fractions of the frame: (4, boxes).

        Only what is before the eye counts; a box wholly behind it gets an empty rectangle.
        """
        forward, right, up = _corners_along(self.eye.axes, self.low, self.high)
        half = fsum(a * a for a in self.eye.axes[1])
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
        """Return the boxes not wholly beyond a side of a rectangle, faster than `pixel_bounds`."""
        reach = fsum(a * a for a in self.eye.axes[1])
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

        (4, boxes): left, top, right and bottom, the last two exclusive; right <= left if unseen.
        """
        found = self._pixel_bounds.get(size)
        if found is None:
            pixels = np.clip(self.frame_rectangles, -1.0, 2.0) * size
            pixels[:2] = np.floor(pixels[:2]) - 1
            pixels[2:] = np.ceil(pixels[2:]) + 1
            found = np.clip(pixels, 0, size).astype(np.int64)
            self._pixel_bounds[size] = found
        return found


def _corners_along(axes: tuple[state.Vec3, ...], low: Floats, high: Floats) -> Floats:
    """Return how far the eight corners of each box lie along each axis: (axes, 8, boxes).

    Bit 2 of a corner's index stands for its x, bit 1 for y and bit 0 for z; 1 is the high side.
    """
    parts = np.array(axes)[:, :, None, None] * np.stack([low, high], axis=1)
    x, y, z = parts[:, 0, :, None, None], parts[:, 1, None, :, None], parts[:, 2, None, None]
    return (x + y + z).reshape(len(axes), 8, -1)


def _clip_at_near_plane(forward: Floats, right: Floats, up: Floats, half: float) -> Floats:
    """Return the rectangles around the parts of boxes that lie in front of the eye.

    A column holds a box's corners; two whose indices differ in one bit share an edge.
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
