"""The camera's rays: an eye, the pixels of its square frame, and projected points.

The camera is AI2-THOR's: a square frame and no roll.  Rays are counted in TEACh's frame of 900
pixels a side, whatever the size of the images that a body's camera makes.  A pixel stands for the
ray through its centre.  All arithmetic is plain double precision without fused or reordered sums,
and sines of multiples of 15 degrees come from a table, so that every machine sees the same.
"""

from dataclasses import dataclass
from functools import cached_property
from math import cos, radians, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tatc.home.actions import Click
from tatc.home.body import TEACH
from tatc.home.state import Vec3

FRAME_PIXELS = TEACH.frame_pixels
"""Pixels along each side of TEACh's frame (spec section 1.5)."""
EYE_HEIGHT_METRES = 0.675
"""The height of the camera above the agent's y, metres (fitted to recorded clicks)."""

MIN_RAY_COMPONENT = 1e-30
"""Replaces a ray component that is exactly zero, so that no test divides by zero."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rgb = NDArray[np.uint8]

_SIN_15, _SIN_75 = (sqrt(6.0) - sqrt(2.0)) / 4.0, (sqrt(6.0) + sqrt(2.0)) / 4.0
_RISING_SINES = (0.0, _SIN_15, 0.5, sqrt(2.0) / 2.0, sqrt(3.0) / 2.0, _SIN_75)
_SINES_BY_15_DEGREES = (*_RISING_SINES, 1.0, *_RISING_SINES[:0:-1])
_STEP_DEGREES = 15.0
_SNAP_DEGREES = 0.01  # tolerance of recorded angles around multiples of 15


def snapped_sin_cos(degrees: float) -> tuple[float, float]:
    """Return the sine and cosine of an angle in degrees.

    Within 0.01 degrees of a multiple of 15, they come from a table.
    """
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

    position: Vec3
    yaw: float
    horizon: float
    fov: float = TEACH.fov_degrees

    @cached_property
    def axes(self) -> tuple[Vec3, Vec3, Vec3]:
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

    def ray(self, column: int, row: int, size: int = FRAME_PIXELS) -> Vec3:
        """Return the direction through a pixel's centre, one metre deep, with no zero component."""
        u = (2 * column + 1 - size) / size
        v = (size - 2 * row - 1) / size
        (fx, fy, fz), (rx, ry, rz), (ux, uy, uz) = self.axes
        return (
            (fx + u * rx) + v * ux or MIN_RAY_COMPONENT,
            (fy + u * ry) + v * uy or MIN_RAY_COMPONENT,
            (fz + u * rz) + v * uz or MIN_RAY_COMPONENT,
        )

    def rays(
        self, columns: Ints, rows: Ints, size: int = FRAME_PIXELS
    ) -> tuple[Floats, Floats, Floats]:
        """Return the directions through the pixels where columns and rows cross.

        x and z have the shape (rows, columns); y, which is the same all along a row, has
        (rows, 1).  They are bit for bit what `ray` returns for one pixel.
        """
        u = (2 * columns + 1 - size) / size
        v = ((size - 2 * rows - 1) / size)[:, None]
        (fx, fy, fz), (rx, _, rz), (ux, uy, uz) = self.axes
        x, y, z = (fx + u * rx) + v * ux, fy + v * uy, (fz + u * rz) + v * uz
        return _replace_zeros(x), _replace_zeros(y), _replace_zeros(z)

    def project(self, point: Vec3) -> tuple[float, float, float]:
        """Return where a point appears: x and y as fractions of the frame, and its depth.

        The depth is in metres.  If it is zero or less, the point is behind the eye, and x
        and y mean nothing.
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


def pixel_of(click: Click) -> tuple[int, int]:
    """Return the column and row of a click: fraction * 900, with halves rounded to even.

    TEACh indexes out of bounds from about 0.99945 on (spec 8.1, trap 2); here such a
    click maps to the last pixel.
    """
    column, row = (
        min(max(round(share * FRAME_PIXELS), 0), FRAME_PIXELS - 1) for share in (click.x, click.y)
    )
    return column, row


def _replace_zeros(values: Floats) -> Floats:
    return np.where(values == 0.0, MIN_RAY_COMPONENT, values)


class Rays(NamedTuple):
    """Many rays from one origin: the x, y, z of their directions, and the inverses.

    x and z have the shape (rows, columns); y has (rows, 1), since the camera does not roll.
    """

    direction: tuple[Floats, Floats, Floats]
    inverse: tuple[Floats, Floats, Floats]

    @staticmethod
    def from_directions(direction: tuple[Floats, Floats, Floats]) -> "Rays":
        """Return rays with these directions, none of whose components may be zero."""
        x, y, z = direction
        return Rays(direction, (1.0 / x, 1.0 / y, 1.0 / z))

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
