"""The place on a thing that is to be coloured, and the few formulas patterns share.

All of it is written for numbers and arrays alike; `compiled` makes machine code of it.
Only sums, products, roots and floors are used, which are the same on every machine.
"""

from typing import NamedTuple

import numpy as np

from tatc.camera.ray_intersection import where
from tatc.camera.rays import Floats

TextureSample = tuple[Floats, Floats, Floats, Floats]
"""Shares of the second and of the third colour, brightness, and glow from 0 to 1."""


class SurfacePoint(NamedTuple):
    """A place on a thing, in the thing's own axes: x right, y up, z out of its front.

    `x, y, z` are metres from the middle of its box, `fx, fy, fz` is the way that the
    surface faces, `hx, hy, hz` are half the box's sizes and `dx, dy, dz` is the ray.
    `p` and `q` are the look's own numbers, `on` and `full` tell of the thing's state,
    `seed` is a number from 0 to 1 that differs from thing to thing.
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
    """Return what is over the next lower whole number."""
    return value - np.floor(value)


def clamp_to_unit(value: Floats) -> Floats:
    """Return a value brought to between 0 and 1."""
    return np.minimum(np.maximum(value, 0.0), 1.0)


def range_mask(value: Floats, low: Floats | float, high: Floats | float) -> Floats:
    """Return 1 where a value lies between two others, else 0."""
    return where((value > low) & (value < high), 1.0, 0.0)


def near_mask(value: Floats, at: Floats | float, by: Floats | float) -> Floats:
    """Return 1 where a value is no farther from another than this, else 0."""
    return where(np.abs(value - at) < by, 1.0, 0.0)


def linear_step(value: Floats, low: Floats | float, high: Floats | float) -> Floats:
    """Return how far a value is on its way from one to another, from 0 to 1."""
    return clamp_to_unit((value - low) / (high - low))


def hash_noise(x: Floats, y: Floats) -> Floats:
    """Return a number from 0 to 1 that looks drawn by chance for a pair of numbers."""
    a, b, c = fract(x * 0.1031), fract(y * 0.1030), fract(x * 0.0973)
    mixed = a * (b + 33.33) + b * (c + 33.33) + c * (a + 33.33)
    return fract((a + b + 2.0 * mixed) * (c + mixed))


def value_noise(x: Floats, y: Floats) -> Floats:
    """Return smooth noise from 0 to 1, with a period of about 1."""
    left, low = np.floor(x), np.floor(y)
    u, v = x - left, y - low
    u, v = u * u * (3.0 - 2.0 * u), v * v * (3.0 - 2.0 * v)
    below = hash_noise(left, low) * (1.0 - u) + hash_noise(left + 1.0, low) * u
    over = hash_noise(left, low + 1.0) * (1.0 - u) + hash_noise(left + 1.0, low + 1.0) * u
    return below * (1.0 - v) + over * v


def side_coordinate(s: SurfacePoint) -> Floats:
    """Return the place along the breadth of an upright side, metres."""
    return where(np.abs(s.fz) >= np.abs(s.fx), s.x, s.z)


def side_half_width(s: SurfacePoint) -> Floats:
    """Return half the breadth of an upright side."""
    return where(np.abs(s.fz) >= np.abs(s.fx), s.hx, s.hz)


def top_mask(s: SurfacePoint) -> Floats:
    """Return 1 on what faces up, else 0."""
    return where(s.fy > 0.5, 1.0, 0.0)


def side_mask(s: SurfacePoint) -> Floats:
    """Return 1 on what faces sideways, else 0."""
    return where(np.abs(s.fy) < 0.5, 1.0, 0.0)


def front_mask(s: SurfacePoint) -> Floats:
    """Return 1 on the front, else 0."""
    return where(s.fz > 0.5, 1.0, 0.0)


def axis_distance(s: SurfacePoint) -> Floats:
    """Return how far from the upright middle line a place is, 1 at the sides."""
    u, w = s.x / s.hx, s.z / s.hz
    return np.sqrt(u * u + w * w)


def wood_grain(along: Floats, beside: Floats, seed: Floats) -> Floats:
    """Return the brightness of wood: fine lines along it that wander."""
    wave = value_noise(along * 3.0 + seed * 50.0, beside * 40.0)
    return 0.9 + 0.14 * wave


def plain(s: SurfacePoint) -> TextureSample:
    """Return one colour all over."""
    none = s.x * 0.0
    return none, none, none + 1.0, none
