"""Textures of furniture: wood, legs, beds, seats, lamps and plants."""

import numpy as np

from tatc.home.camera.ray_intersection import where
from tatc.home.camera.rays import Floats
from tatc.home.rendering.textures.surface_point import (
    SurfacePoint,
    TextureSample,
    axis_distance,
    clamp_to_unit,
    fract,
    near_mask,
    range_mask,
    side_coordinate,
    side_half_width,
    side_mask,
    top_mask,
    value_noise,
    wood_grain,
)

BEYOND_OBJECT_METRES = 1e9
"""Farther than any point within an object, metres."""


def wood(s: SurfacePoint) -> TextureSample:
    """Return wood with its grain along the longer side."""
    long_x = s.hx >= s.hz
    along, beside = where(long_x, s.x, s.z), where(long_x, s.z, s.x)
    top = wood_grain(along, beside, s.seed)
    side = wood_grain(where(long_x, s.x, s.z), s.y, s.seed)
    shade = where(np.abs(s.fy) > 0.5, top, side)
    return s.x * 0.0, s.x * 0.0, shade, s.x * 0.0


def stone(s: SurfacePoint) -> TextureSample:
    """Return a speckled worktop with darker sides."""
    speck = value_noise(s.x * 90.0, s.z * 90.0 + s.y * 70.0)
    dark = where(speck > 0.72, 1.0, 0.0)
    vein = value_noise(s.x * 6.0, s.z * 6.0)
    edge = side_mask(s)
    return dark * 0.5, s.x * 0.0, (0.95 + 0.07 * vein) * (1.0 - 0.08 * edge), s.x * 0.0


def _leg_depth(s: SurfacePoint, at_x: Floats, at_z: Floats, thick: Floats) -> Floats:
    """Return how far along the ray an upright leg is met.

    `BEYOND_OBJECT_METRES` if the ray misses it.
    """
    ix = 1.0 / where(np.abs(s.dx) < 1e-9, 1e-9, s.dx)
    iz = 1.0 / where(np.abs(s.dz) < 1e-9, 1e-9, s.dz)
    x0, x1 = (at_x - thick - s.x) * ix, (at_x + thick - s.x) * ix
    z0, z1 = (at_z - thick - s.z) * iz, (at_z + thick - s.z) * iz
    enter = np.maximum(np.minimum(x0, x1), np.minimum(z0, z1))
    leave = np.minimum(np.maximum(x0, x1), np.maximum(z0, z1))
    enter = np.maximum(enter, 0.0)
    y = s.y + enter * s.dy
    met = (leave >= enter) & (y > -s.hy) & (y < s.hy)
    return where(met, enter, BEYOND_OBJECT_METRES)


def legs(s: SurfacePoint) -> TextureSample:
    """Return a seat on four legs, with shade between the legs.

    p is the thickness of the seat as a share of the height, and q the thickness of the
    legs, metres.
    """
    ax, az = s.hx - s.q, s.hz - s.q
    one = np.minimum(_leg_depth(s, ax, az, s.q), _leg_depth(s, -ax, az, s.q))
    two = np.minimum(_leg_depth(s, ax, -az, s.q), _leg_depth(s, -ax, -az, s.q))
    time = np.minimum(one, two)
    low = s.y + s.hy
    seat = where((low > (1.0 - s.p) * 2.0 * s.hy) | (s.fy > 0.5), 1.0, 0.0)
    hollow = (1.0 - seat) * where(time > 0.5 * BEYOND_OBJECT_METRES, 1.0, 0.0)
    floor = (-s.hy - s.y) / where(s.dy < -1e-6, s.dy, -1e-6)
    u, w = s.x + floor * s.dx, s.z + floor * s.dz
    inside = where((np.abs(u) < s.hx) & (np.abs(w) < s.hz), 1.0, 0.0)
    dark = 0.72 * inside + 0.5 * (1.0 - inside)
    depth = 1.0 / (1.0 + 1.2 * where(time > 0.5 * BEYOND_OBJECT_METRES, 0.0, time))
    shade = where(seat > 0.5, 1.0, depth)
    edge = near_mask(low, (1.0 - s.p) * 2.0 * s.hy, 0.004) * side_mask(s)
    cushion = top_mask(s)
    bright = where(hollow > 0.5, dark, shade * (1.0 - 0.3 * edge))
    return cushion, hollow, bright, s.x * 0.0


def bed(s: SurfacePoint) -> TextureSample:
    """Return a mattress with a blanket and two pillows, on a frame."""
    low, foot = s.y + s.hy, s.z / s.hz
    side = side_mask(s)
    frame = side * where(low < 0.42 * s.p, 1.0, 0.0)
    pillow = where(foot < -0.62, 1.0, 0.0) * near_mask(np.abs(s.x), 0.48 * s.hx, 0.4 * s.hx)
    pillow = pillow * where(foot > -0.95, 1.0, 0.0) * top_mask(s)
    pu = (np.abs(s.x) / s.hx - 0.48) / 0.4
    pw = (foot + 0.785) / 0.165
    puff = 1.06 - 0.16 * (pu * pu * pu * pu + pw * pw * pw * pw)
    fold = range_mask(foot, -0.5, -0.36)
    blanket = where(foot > -0.5, 1.0, 0.0) * (1.0 - frame) * (1.0 - 0.55 * fold)
    quilt = near_mask(fract(s.x / 0.28), 0.5, 0.48) * near_mask(fract(s.z / 0.28), 0.5, 0.48)
    crease = 0.93 + 0.1 * value_noise(s.x * 3.0, s.z * 3.0)
    shade = where(pillow > 0.5, puff, crease * where(blanket > 0.5, 0.88 + 0.12 * quilt, 1.0))
    back = where(foot < -0.97, 1.0, 0.0) * side
    return blanket * (1.0 - back), np.maximum(frame, back), shade, s.x * 0.0


def sofa(s: SurfacePoint) -> TextureSample:
    """Return a padded seat with seams between its cushions."""
    count = np.maximum(np.floor(s.hx * 2.0 / 0.62 + 0.5), 1.0)
    cell = fract((s.x / s.hx + 1.0) * 0.5 * count) - 0.5
    seam = 1.0 - near_mask(cell, 0.0, 0.488)
    puff = 1.05 - 0.5 * cell * cell
    low = where(s.y < -s.hy + 0.07, 0.45, 1.0)
    weave = 0.94 + 0.08 * value_noise(s.x * 50.0 + s.z * 31.0, s.y * 50.0 + s.z * 40.0)
    inner = where(np.abs(s.fx) > 0.5, 1.0, puff * (1.0 - 0.35 * seam))
    return s.x * 0.0, s.x * 0.0, inner * low * weave, s.x * 0.0


def shelves(s: SurfacePoint) -> TextureSample:
    """Return the wood of a shelving unit, with a light rim around its sides."""
    wood_ = wood_grain(s.x, s.y, s.seed)
    a, half = side_coordinate(s), side_half_width(s)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    rim = where(edge < 0.025, 1.0, 0.84)
    return s.x * 0.0, s.x * 0.0, wood_ * where(side_mask(s) > 0.5, rim, 1.0), s.x * 0.0


def lamp(s: SurfacePoint) -> TextureSample:
    """Return a lamp's shade above its stand; p is the shade's share of the height."""
    v = 0.5 + 0.5 * s.y / s.hy
    shade = where(v > 1.0 - s.p, 1.0, 0.0)
    glow = shade * s.on
    rim = near_mask(v, 1.0 - s.p, 0.01)
    pleat = 0.95 + 0.05 * near_mask(fract(side_coordinate(s) / 0.03), 0.5, 0.25)
    bright = where(shade > 0.5, pleat * (1.0 - 0.15 * rim), 0.8 + 0.3 * (1.0 - axis_distance(s)))
    return shade, s.x * 0.0, bright, glow


def plant(s: SurfacePoint) -> TextureSample:
    """Return leaves above a pot; p is the pot's share of the height."""
    v = 0.5 + 0.5 * s.y / s.hy
    pot = where(v < s.p, 1.0, 0.0)
    lip = range_mask(v, s.p - 0.06, s.p)
    turn = side_coordinate(s) / 0.055 + 0.5 * fract(np.floor(s.y / 0.06) * 0.5)
    rise = s.y / 0.06
    du, dv = fract(turn) - 0.5, fract(rise) - 0.4
    leaf = where(du * du * 3.0 + dv * dv * 1.4 < 0.34, 1.0, 0.0)
    vein = near_mask(du, 0.0, 0.05)
    tone = 0.62 + 0.55 * _leaf_tone(turn, rise, s.seed)
    green = where(leaf > 0.5, tone * (1.0 + 0.15 * vein), 0.38)
    return 1.0 - pot, s.x * 0.0, where(pot > 0.5, 1.0 + 0.12 * lip, green), s.x * 0.0


def _leaf_tone(turn: Floats, rise: Floats, seed: Floats) -> Floats:
    """Return the tone of one leaf, from 0 to 1."""
    return value_noise(np.floor(turn) * 7.3 + seed * 31.0, np.floor(rise) * 5.1)


def bin(s: SurfacePoint) -> TextureSample:
    """Return a bin with a rim and ribs, dark inside."""
    v = s.y / s.hy
    rim = where(v > 0.9, 1.0, 0.0)
    rib = near_mask(fract(side_coordinate(s) / 0.05), 0.5, 0.42)
    inside = clamp_to_unit(-(s.fx * s.x + s.fz * s.z) * 30.0) * side_mask(s)
    dark = 1.0 - 0.45 * inside - 0.3 * top_mask(s) * where(v < 0.5, 1.0, 0.0)
    return rim, s.x * 0.0, dark * (0.93 + 0.07 * rib), s.x * 0.0


def basket(s: SurfacePoint) -> TextureSample:
    """Return wickerwork."""
    row = np.floor(s.y / 0.03)
    weave = fract(side_coordinate(s) / 0.06 + 0.5 * fract(row * 0.5) * 2.0)
    bulge = 0.75 + 0.35 * (1.0 - np.abs(weave - 0.5) * 2.0)
    line = 1.0 - 0.25 * where(fract(s.y / 0.03) < 0.15, 1.0, 0.0)
    return s.x * 0.0, s.x * 0.0, bulge * line, s.x * 0.0


def toilet(s: SurfacePoint) -> TextureSample:
    """Return porcelain: a seat around a bowl, with a button on the tank."""
    u, w = s.x / s.hx, (s.z / s.hz - 0.25) / 0.7
    r = u * u + w * w
    top = top_mask(s)
    bowl = where(r < 0.42, 1.0, 0.0) * top
    ring = near_mask(r, 0.8, 0.03) * top
    lever = near_mask(s.x, -0.6 * s.hx, 0.04) * near_mask(s.y, 0.85 * s.hy, 0.012) * side_mask(s)
    return bowl, lever, 1.0 - 0.2 * ring, s.x * 0.0
