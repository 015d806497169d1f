"""Patterns of furniture: wood, legs, beds, seats, lamps and plants."""

import numpy as np

from tatc.camera.patterns.spot import (
    Spot,
    Tint,
    above,
    across,
    around,
    breadth,
    clamp,
    fract,
    grain,
    near,
    noise,
    upright,
    within,
)
from tatc.camera.rays import Floats
from tatc.camera.tracing import pick

FAR = 1e9
"""Farther than any place within a thing, metres."""


def wood(s: Spot) -> Tint:
    """Return wood, its grain along the longer side."""
    long_x = s.hx >= s.hz
    along, beside = pick(long_x, s.x, s.z), pick(long_x, s.z, s.x)
    top = grain(along, beside, s.seed)
    side = grain(pick(long_x, s.x, s.z), s.y, s.seed)
    shade = pick(np.abs(s.fy) > 0.5, top, side)
    return s.x * 0.0, s.x * 0.0, shade, s.x * 0.0


def stone(s: Spot) -> Tint:
    """Return a worktop: speckled, with an edge that catches the light."""
    speck = noise(s.x * 90.0, s.z * 90.0 + s.y * 70.0)
    dark = pick(speck > 0.72, 1.0, 0.0)
    vein = noise(s.x * 6.0, s.z * 6.0)
    edge = upright(s)
    return dark * 0.5, s.x * 0.0, (0.95 + 0.07 * vein) * (1.0 - 0.08 * edge), s.x * 0.0


def _leg(s: Spot, at_x: Floats, at_z: Floats, thick: Floats) -> Floats:
    """Return how far along the ray an upright leg is met, FAR if it is not."""
    ix = 1.0 / pick(np.abs(s.dx) < 1e-9, 1e-9, s.dx)
    iz = 1.0 / pick(np.abs(s.dz) < 1e-9, 1e-9, s.dz)
    x0, x1 = (at_x - thick - s.x) * ix, (at_x + thick - s.x) * ix
    z0, z1 = (at_z - thick - s.z) * iz, (at_z + thick - s.z) * iz
    enter = np.maximum(np.minimum(x0, x1), np.minimum(z0, z1))
    leave = np.minimum(np.maximum(x0, x1), np.maximum(z0, z1))
    enter = np.maximum(enter, 0.0)
    y = s.y + enter * s.dy
    met = (leave >= enter) & (y > -s.hy) & (y < s.hy)
    return pick(met, enter, FAR)


def legs(s: Spot) -> Tint:
    """Return a seat on four legs, with the shade between them.

    p is how thick the seat is, as a share of the height, and q how thick the legs are,
    metres.
    """
    ax, az = s.hx - s.q, s.hz - s.q
    one = np.minimum(_leg(s, ax, az, s.q), _leg(s, -ax, az, s.q))
    two = np.minimum(_leg(s, ax, -az, s.q), _leg(s, -ax, -az, s.q))
    time = np.minimum(one, two)
    low = s.y + s.hy
    seat = pick((low > (1.0 - s.p) * 2.0 * s.hy) | (s.fy > 0.5), 1.0, 0.0)
    hollow = (1.0 - seat) * pick(time > 0.5 * FAR, 1.0, 0.0)
    floor = (-s.hy - s.y) / pick(s.dy < -1e-6, s.dy, -1e-6)
    u, w = s.x + floor * s.dx, s.z + floor * s.dz
    inside = pick((np.abs(u) < s.hx) & (np.abs(w) < s.hz), 1.0, 0.0)
    dark = 0.72 * inside + 0.5 * (1.0 - inside)
    depth = 1.0 / (1.0 + 1.2 * pick(time > 0.5 * FAR, 0.0, time))
    shade = pick(seat > 0.5, 1.0, depth)
    edge = near(low, (1.0 - s.p) * 2.0 * s.hy, 0.004) * upright(s)
    cushion = above(s)
    bright = pick(hollow > 0.5, dark, shade * (1.0 - 0.3 * edge))
    return cushion, hollow, bright, s.x * 0.0


def bed(s: Spot) -> Tint:
    """Return a mattress with a blanket and two pillows, on a frame."""
    low, foot = s.y + s.hy, s.z / s.hz
    side = upright(s)
    frame = side * pick(low < 0.42 * s.p, 1.0, 0.0)
    pillow = pick(foot < -0.62, 1.0, 0.0) * near(np.abs(s.x), 0.48 * s.hx, 0.4 * s.hx)
    pillow = pillow * pick(foot > -0.95, 1.0, 0.0) * above(s)
    pu = (np.abs(s.x) / s.hx - 0.48) / 0.4
    pw = (foot + 0.785) / 0.165
    puff = 1.06 - 0.16 * (pu * pu * pu * pu + pw * pw * pw * pw)
    fold = within(foot, -0.5, -0.36)
    blanket = pick(foot > -0.5, 1.0, 0.0) * (1.0 - frame) * (1.0 - 0.55 * fold)
    quilt = near(fract(s.x / 0.28), 0.5, 0.48) * near(fract(s.z / 0.28), 0.5, 0.48)
    crease = 0.93 + 0.1 * noise(s.x * 3.0, s.z * 3.0)
    shade = pick(
        pillow > 0.5, puff, crease * pick(blanket > 0.5, 0.88 + 0.12 * quilt, 1.0)
    )
    back = pick(foot < -0.97, 1.0, 0.0) * side
    return blanket * (1.0 - back), np.maximum(frame, back), shade, s.x * 0.0


def sofa(s: Spot) -> Tint:
    """Return a padded seat with seams between its cushions."""
    count = np.maximum(np.floor(s.hx * 2.0 / 0.62 + 0.5), 1.0)
    cell = fract((s.x / s.hx + 1.0) * 0.5 * count) - 0.5
    seam = 1.0 - near(cell, 0.0, 0.488)
    puff = 1.05 - 0.5 * cell * cell
    low = pick(s.y < -s.hy + 0.07, 0.45, 1.0)
    weave = 0.94 + 0.08 * noise(s.x * 50.0 + s.z * 31.0, s.y * 50.0 + s.z * 40.0)
    inner = pick(np.abs(s.fx) > 0.5, 1.0, puff * (1.0 - 0.35 * seam))
    return s.x * 0.0, s.x * 0.0, inner * low * weave, s.x * 0.0


def shelves(s: Spot) -> Tint:
    """Return boards in a case, dark between them, where it is open to the front."""
    wood_ = grain(s.x, s.y, s.seed)
    a, half = across(s), breadth(s)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    rim = pick(edge < 0.025, 1.0, 0.84)
    return s.x * 0.0, s.x * 0.0, wood_ * pick(upright(s) > 0.5, rim, 1.0), s.x * 0.0


def lamp(s: Spot) -> Tint:
    """Return a shade over a stand; p is the share of the height that is shade."""
    v = 0.5 + 0.5 * s.y / s.hy
    shade = pick(v > 1.0 - s.p, 1.0, 0.0)
    glow = shade * s.on
    rim = near(v, 1.0 - s.p, 0.01)
    pleat = 0.95 + 0.05 * near(fract(across(s) / 0.03), 0.5, 0.25)
    bright = pick(
        shade > 0.5, pleat * (1.0 - 0.15 * rim), 0.8 + 0.3 * (1.0 - around(s))
    )
    return shade, s.x * 0.0, bright, glow


def plant(s: Spot) -> Tint:
    """Return leaves over a pot; p is the share of the height that is pot."""
    v = 0.5 + 0.5 * s.y / s.hy
    pot = pick(v < s.p, 1.0, 0.0)
    lip = within(v, s.p - 0.06, s.p)
    turn = across(s) / 0.055 + 0.5 * fract(np.floor(s.y / 0.06) * 0.5)
    rise = s.y / 0.06
    du, dv = fract(turn) - 0.5, fract(rise) - 0.4
    leaf = pick(du * du * 3.0 + dv * dv * 1.4 < 0.34, 1.0, 0.0)
    vein = near(du, 0.0, 0.05)
    tone = 0.62 + 0.55 * _tone(turn, rise, s.seed)
    green = pick(leaf > 0.5, tone * (1.0 + 0.15 * vein), 0.38)
    return 1.0 - pot, s.x * 0.0, pick(pot > 0.5, 1.0 + 0.12 * lip, green), s.x * 0.0


def _tone(turn: Floats, rise: Floats, seed: Floats) -> Floats:
    """Return the tone of one leaf."""
    return noise(np.floor(turn) * 7.3 + seed * 31.0, np.floor(rise) * 5.1)


def bin(s: Spot) -> Tint:
    """Return a bin with a rim and ribs, dark inside."""
    v = s.y / s.hy
    rim = pick(v > 0.9, 1.0, 0.0)
    rib = near(fract(across(s) / 0.05), 0.5, 0.42)
    inside = clamp(-(s.fx * s.x + s.fz * s.z) * 30.0) * upright(s)
    dark = 1.0 - 0.45 * inside - 0.3 * above(s) * pick(v < 0.5, 1.0, 0.0)
    return rim, s.x * 0.0, dark * (0.93 + 0.07 * rib), s.x * 0.0


def basket(s: Spot) -> Tint:
    """Return wickerwork."""
    row = np.floor(s.y / 0.03)
    weave = fract(across(s) / 0.06 + 0.5 * fract(row * 0.5) * 2.0)
    bulge = 0.75 + 0.35 * (1.0 - np.abs(weave - 0.5) * 2.0)
    line = 1.0 - 0.25 * pick(fract(s.y / 0.03) < 0.15, 1.0, 0.0)
    return s.x * 0.0, s.x * 0.0, bulge * line, s.x * 0.0


def toilet(s: Spot) -> Tint:
    """Return porcelain: a seat around a bowl, with a button on the tank."""
    u, w = s.x / s.hx, (s.z / s.hz - 0.25) / 0.7
    r = u * u + w * w
    top = above(s)
    bowl = pick(r < 0.42, 1.0, 0.0) * top
    ring = near(r, 0.8, 0.03) * top
    lever = near(s.x, -0.6 * s.hx, 0.04) * near(s.y, 0.85 * s.hy, 0.012) * upright(s)
    return bowl, lever, 1.0 - 0.2 * ring, s.x * 0.0
