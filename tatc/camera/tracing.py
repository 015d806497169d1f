"""Where a ray meets one solid: the exact tests, for one ray and for many at once.

`meet` and `meet_many` do the same arithmetic in the same order, so that their answers
are equal to the last bit; a test holds them to it.
"""

from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from tatc.camera.rays import Floats
from tatc.camera.recipes import Opening
from tatc.camera.shapes import Solid
from tatc.state import Box, Vec3, turned

NEAR = 0.05
"""Depth in metres before which nothing is seen."""


class Target(NamedTuple):
    """A solid as rays are tried on it: its centre, half sizes, turn and kind."""

    center: Vec3
    half: Vec3
    sine: float
    cosine: float
    round: bool
    opening: Opening
    plain: bool
    """Whether it is an upright box along the world's axes without an opening."""


def target_of(solid: Solid) -> Target:
    """Return a solid as a target; quarter turns become plain sizes."""
    width, height, depth = solid.size
    sine, cosine = turned(solid.yaw)
    if solid.round or cosine == 0.0:
        width, depth = depth, width
    if solid.round or sine == 0.0 or cosine == 0.0:
        sine, cosine = 0.0, 1.0
    half = (width / 2, height / 2, depth / 2)
    plain = not solid.round and sine == 0.0 and solid.opening is Opening.NONE
    return Target(solid.center, half, sine, cosine, solid.round, solid.opening, plain)


def bounds(target: Target) -> tuple[Vec3, Vec3]:
    """Return the lowest and highest corner of the world box around a target."""
    width, height, depth = (2 * h for h in target.half)
    if target.sine == 0.0:
        return Box(target.center, (width, height, depth)).bounds()
    x = abs(target.cosine) * target.half[0] + abs(target.sine) * target.half[2]
    z = abs(target.sine) * target.half[0] + abs(target.cosine) * target.half[2]
    return Box(target.center, (2 * x, height, 2 * z)).bounds()


def meet(target: Target, origin: Vec3, direction: Vec3) -> float:
    """Return the depth at which a ray meets a target, or infinity.

    No component of `direction` may be zero.
    """
    x, y, z = (o - c for o, c in zip(origin, target.center, strict=True))
    dx, dy, dz = direction
    if target.sine != 0.0:
        sine, cosine = target.sine, target.cosine
        x, z = x * cosine - z * sine, x * sine + z * cosine
        dx, dz = dx * cosine - dz * sine, dx * sine + dz * cosine
    top, under = _between(y, target.half[1], dy)
    if target.round:
        enter, leave = _tube(x, z, dx, dz, target.half[0])
    else:
        enter_x, leave_x = _between(x, target.half[0], dx)
        enter_z, leave_z = _between(z, target.half[2], dz)
        enter, leave = max(enter_x, enter_z), min(leave_x, leave_z)
    through_top = top >= enter and dy < 0
    enter, leave = max(enter, top), min(leave, under)
    if enter > leave or leave <= NEAR:
        return inf
    if target.opening is Opening.NONE:
        return enter if enter > NEAR else inf
    passes = target.opening is Opening.ALL or through_top or enter <= NEAR
    return leave if passes else enter


def _between(start: float, half: float, step: float) -> tuple[float, float]:
    inverse = 1.0 / step
    one, other = (-half - start) * inverse, (half - start) * inverse
    return (one, other) if one < other else (other, one)


def _tube(
    x: float, z: float, dx: float, dz: float, radius: float
) -> tuple[float, float]:
    square = dx * dx + dz * dz
    toward = x * dx + z * dz
    inside = toward * toward - square * ((x * x + z * z) - radius * radius)
    if inside < 0.0:
        return inf, -inf
    root = sqrt(inside)
    return (-toward - root) / square, (-toward + root) / square


class Rays(NamedTuple):
    """Many rays from one origin: x, y, z of their directions, and one over each.

    x and z have the shape (rows, columns), y has (rows, 1): the camera does not roll.
    """

    direction: tuple[Floats, Floats, Floats]
    inverse: tuple[Floats, Floats, Floats]

    @staticmethod
    def of(direction: tuple[Floats, Floats, Floats]) -> "Rays":
        """Take these directions, none of which has a component that is zero."""
        x, y, z = direction
        return Rays(direction, (1.0 / x, 1.0 / y, 1.0 / z))

    def part(self, rows: slice, columns: slice) -> "Rays":
        """Return the rays of a rectangle."""
        (x, y, z), (ix, iy, iz) = self
        both = rows, columns
        return Rays((x[both], y[rows], z[both]), (ix[both], iy[rows], iz[both]))


def meet_many(target: Target, origin: Vec3, rays: Rays) -> Floats:
    """Return for many rays from one origin what `meet` returns for each."""
    x, y, z = (o - c for o, c in zip(origin, target.center, strict=True))
    dx, dy, dz = rays.direction
    ix, iy, iz = rays.inverse
    if target.sine != 0.0:
        sine, cosine = target.sine, target.cosine
        x, z = x * cosine - z * sine, x * sine + z * cosine
        dx, dz = dx * cosine - dz * sine, dx * sine + dz * cosine
        ix, iz = 1.0 / dx, 1.0 / dz
    top, under = _between_many(y, target.half[1], iy)
    if target.round:
        enter, leave = _tube_many(x, z, dx, dz, target.half[0])
    else:
        enter, leave = _between_many(x, target.half[0], ix)
        enter_z, leave_z = _between_many(z, target.half[2], iz)
        enter = np.maximum(enter, enter_z)
        leave = np.minimum(leave, leave_z)
    through_top = (top >= enter) & (dy < 0)
    enter, leave = np.maximum(enter, top), np.minimum(leave, under)
    if target.opening is Opening.NONE:
        return np.where((enter > leave) | (enter <= NEAR), inf, enter)
    missed = (enter > leave) | (leave <= NEAR)
    if target.opening is Opening.TOP:
        leave = np.where(through_top | (enter <= NEAR), leave, enter)
    return np.where(missed, inf, leave)


def _between_many(start: float, half: float, inverse: Floats) -> tuple[Floats, Floats]:
    one, other = (-half - start) * inverse, (half - start) * inverse
    return np.minimum(one, other), np.maximum(one, other)


def _tube_many(
    x: float, z: float, dx: Floats, dz: Floats, radius: float
) -> tuple[Floats, Floats]:
    square = dx * dx + dz * dz
    toward = x * dx + z * dz
    inside = toward * toward - square * ((x * x + z * z) - radius * radius)
    root = np.sqrt(np.maximum(inside, 0.0))
    missed = inside < 0.0
    enter = np.where(missed, inf, (-toward - root) / square)
    leave = np.where(missed, -inf, (-toward + root) / square)
    return enter, leave
