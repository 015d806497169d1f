"""The point on an object that a texture colours, and the formulas that textures share.

All formulas take numbers and arrays alike; `numba_backend` compiles them.  They use only
sums, products, quotients, roots and floors, which give the same result on every machine.
"""

from typing import NamedTuple

import numpy as np

from tatc.home.camera.ray_intersection import where
from tatc.home.camera.rays import Floats

TextureSample = tuple[Floats, Floats, Floats, Floats]
"""The shares of the second and third colour, the brightness, and the glow from 0 to 1."""


class SurfacePoint(NamedTuple):
    """A point on an object, in the object's own axes: x right, y up, z out of its front.

    `x, y, z` are metres from the centre of its box; `fx, fy, fz` is the surface normal;
    `hx, hy, hz` are the box's half sizes, metres; `dx, dy, dz` is the ray's direction.
    `p` and `q` are the material's parameters.  `on` and `full` are 1 or 0 for the
    object's state.  `seed` is a number from 0 to 1 that varies from object to object.
    """

    x: Floats
    y: Floats
    z: Floats
    fx: Floats
    fy: Floats
    fz: Floats
    hx: Floats
    hy: Floats
    hz: Floats
    dx: Floats
    dy: Floats
    dz: Floats
    p: Floats
    q: Floats
    on: Floats
    full: Floats
    seed: Floats


def fract(value: Floats) -> Floats:
    """Return the fractional part: the value minus its floor."""
    return value - np.floor(value)


def clamp_to_unit(value: Floats) -> Floats:
    """Return a value clamped to between 0 and 1."""
    return np.minimum(np.maximum(value, 0.0), 1.0)


def range_mask(value: Floats, low: Floats | float, high: Floats | float) -> Floats:
    """Return 1 where a value lies between `low` and `high`, else 0."""
    return where((value > low) & (value < high), 1.0, 0.0)


def near_mask(value: Floats, at: Floats | float, by: Floats | float) -> Floats:
    """Return 1 where a value is less than `by` from `at`, else 0."""
    return where(np.abs(value - at) < by, 1.0, 0.0)


def linear_step(value: Floats, low: Floats | float, high: Floats | float) -> Floats:
    """Return a linear ramp: 0 up to `low`, 1 from `high` on."""
    return clamp_to_unit((value - low) / (high - low))


def hash_noise(x: Floats, y: Floats) -> Floats:
    """Return a pseudo-random number from 0 to 1 that is fixed for a pair of numbers."""
    a, b, c = fract(x * 0.1031), fract(y * 0.1030), fract(x * 0.0973)
    mixed = a * (b + 33.33) + b * (c + 33.33) + c * (a + 33.33)
    return fract((a + b + 2.0 * mixed) * (c + mixed))


def value_noise(x: Floats, y: Floats) -> Floats:
    """Return smooth noise from 0 to 1, whose features are about 1 wide."""
    left, low = np.floor(x), np.floor(y)
    u, v = x - left, y - low
    u, v = u * u * (3.0 - 2.0 * u), v * v * (3.0 - 2.0 * v)
    below = hash_noise(left, low) * (1.0 - u) + hash_noise(left + 1.0, low) * u
    over = hash_noise(left, low + 1.0) * (1.0 - u) + hash_noise(left + 1.0, low + 1.0) * u
    return below * (1.0 - v) + over * v


def side_coordinate(s: SurfacePoint) -> Floats:
    """Return the horizontal position along an upright side, metres from its middle."""
    return where(np.abs(s.fz) >= np.abs(s.fx), s.x, s.z)


def side_half_width(s: SurfacePoint) -> Floats:
    """Return half the width of an upright side, metres."""
    return where(np.abs(s.fz) >= np.abs(s.fx), s.hx, s.hz)


def top_mask(s: SurfacePoint) -> Floats:
    """Return 1 on surfaces that face up, else 0."""
    return where(s.fy > 0.5, 1.0, 0.0)


def side_mask(s: SurfacePoint) -> Floats:
    """Return 1 on surfaces that face sideways, else 0."""
    return where(np.abs(s.fy) < 0.5, 1.0, 0.0)


def front_mask(s: SurfacePoint) -> Floats:
    """Return 1 on surfaces that face the front, else 0."""
    return where(s.fz > 0.5, 1.0, 0.0)


def axis_distance(s: SurfacePoint) -> Floats:
    """Return the distance of a point from the vertical axis, 1 at the sides."""
    u, w = s.x / s.hx, s.z / s.hz
    return np.sqrt(u * u + w * w)


def wood_grain(along: Floats, beside: Floats, seed: Floats) -> Floats:
    """Return the brightness of wood: fine, wavering lines along the grain."""
    return 0.9 + 0.14 * value_noise(along * 3.0 + seed * 50.0, beside * 40.0)


def plain(s: SurfacePoint) -> TextureSample:
    """Return the first colour all over."""
    none = s.x * 0.0
    return none, none, none + 1.0, none
