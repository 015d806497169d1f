"""Patterns of the room itself: floors, walls, and what hangs on them."""

import numpy as np

from tatc.camera.patterns.spot import (
    Spot,
    Tint,
    above,
    across,
    breadth,
    clamp,
    fract,
    hashed,
    near,
    noise,
    soft,
    upright,
    within,
)
from tatc.camera.tracing import pick

TILE, BOARD, PLANK = 0.4, 0.13, 1.1  # metres
SKIRTING = 0.09
"""How high the board along the foot of the walls is, metres."""


def tiles(s: Spot) -> Tint:
    """Return square tiles with joints between them."""
    u, w = s.x / TILE, s.z / TILE
    du, dw = np.abs(fract(u) - 0.5), np.abs(fract(w) - 0.5)
    joint = pick(np.maximum(du, dw) > 0.488, 1.0, 0.0)
    shade = 0.95 + 0.08 * hashed(np.floor(u), np.floor(w))
    return joint, s.x * 0.0, shade, s.x * 0.0


def planks(s: Spot) -> Tint:
    """Return a floor of boards."""
    row = np.floor(s.z / BOARD)
    along = s.x / PLANK + hashed(row, row + 7.0)
    gap_z = near(fract(s.z / BOARD), 0.5, 0.485)
    gap_x = near(fract(along), 0.5, 0.497)
    shade = 0.86 + 0.18 * hashed(row, np.floor(along))
    lines = 0.94 + 0.1 * noise(s.x * 4.0, s.z * 70.0)
    return 1.0 - gap_z * gap_x, s.x * 0.0, shade * lines, s.x * 0.0


def wall(s: Spot) -> Tint:
    """Return plaster with a skirting board; tiles between the heights p and q."""
    height = s.y + s.hy
    side = upright(s)
    board = side * pick(height < SKIRTING, 1.0, 0.0)
    seam = 1.0 - 0.25 * side * near(height, SKIRTING, 0.006)
    course = np.floor(height / 0.1)
    along = across(s) / 0.2 + 0.5 * fract(course * 0.5) * 2.0
    joint = np.maximum(
        1.0 - near(fract(along), 0.5, 0.485), 1.0 - near(fract(height / 0.1), 0.5, 0.47)
    )
    tiled = side * within(height, s.p, s.q)
    gloss = 0.96 + 0.06 * hashed(np.floor(along), course)
    shade = pick(tiled > 0.5, gloss - 0.14 * joint, seam)
    ceiling = pick(s.fy < -0.5, 1.0, 0.0)
    shade = pick(s.fy < -0.5, 1.28, shade)  # a ceiling is lit from below
    return s.x * 0.0 + tiled, np.maximum(board, ceiling), shade, s.x * 0.0


def window(s: Spot) -> Tint:
    """Return a view of sky over hills, behind a frame with a cross."""
    a, half = across(s), breadth(s)
    u, v = a / half, s.y / s.hy
    hill = -0.35 + 0.25 * noise(u * 1.5 + s.seed * 9.0, s.seed) - 0.1 * u * u
    cloud = soft(noise(u * 2.0 + s.seed * 5.0, v * 4.0), 0.55, 0.8) * soft(v, 0.0, 0.5)
    land = pick(v < hill, 1.0, 0.0)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    frame = pick(edge < 0.05, 1.0, 0.0)
    bars = np.maximum(near(a, 0.0, 0.018), near(s.y, 0.15 * s.hy, 0.018))
    frame = np.maximum(np.maximum(frame, bars), 1.0 - upright(s))
    green = land * (1.0 - frame)
    white = np.maximum(frame, cloud * (1.0 - land) * 0.8)
    glow = 1.0 - frame
    shade = pick(frame > 0.5, 0.95, 0.82 + 0.2 * v * (1.0 - land))
    return green, white, shade, glow


def curtain(s: Spot) -> Tint:
    """Return cloth in upright folds."""
    fold = np.abs(fract(across(s) / 0.11 + 0.08 * s.y) - 0.5) * 2.0
    hem = near(s.y, -s.hy + 0.06, 0.01)
    rod = pick(s.y > s.hy - 0.03, 1.0, 0.0)
    return hem, rod, 0.72 + 0.33 * fold, s.x * 0.0


def blinds(s: Spot) -> Tint:
    """Return slats one over the other."""
    slat = fract((s.y + s.hy) / 0.045)
    cord = near(np.abs(across(s)), 0.6 * breadth(s), 0.006)
    return s.x * 0.0, cord, 0.72 + 0.3 * slat, s.x * 0.0


def painting(s: Spot) -> Tint:
    """Return a framed picture: a hilly land under the sun."""
    a, half = across(s), breadth(s)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    rim = pick(edge < 0.035, 1.0, 0.0)
    u, v = a / half, s.y / s.hy
    ridge = -0.2 + 0.5 * noise(u * 2.0 + s.seed * 20.0, s.seed * 7.0)
    land = pick(v < ridge, 1.0, 0.0)
    du, dv = (u - 0.6 * s.seed) * half, (v - 0.55) * s.hy
    sun = pick(du * du + dv * dv < 0.006 * half * half / 0.1, 1.0, 0.0)
    shade = 0.8 + 0.25 * noise(u * 8.0, v * 8.0)
    paint = clamp(land * (0.55 + 0.45 * noise(u * 4.0 + s.seed, v * 6.0)))
    bright = shade + 0.3 * sun * (1.0 - land)
    return paint * (1.0 - rim), rim, pick(rim > 0.5, 0.9, bright), s.x * 0.0


def mirror(s: Spot) -> Tint:
    """Return glass that shines aslant, in a frame."""
    a, half = across(s), breadth(s)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    rim = pick(edge < 0.03, 1.0, 0.0)
    slant = fract((a + s.y) / (1.3 * half + s.hy) + 0.3)
    shine = within(slant, 0.1, 0.22) + 0.6 * within(slant, 0.3, 0.36)
    sky = 0.84 + 0.12 * (s.y / s.hy)
    return shine * 0.7 * (1.0 - rim), rim, pick(rim > 0.5, 1.0, sky), (1.0 - rim) * 0.5


def switch(s: Spot) -> Tint:
    """Return a plate with a rocker, which shines when it is on."""
    a = across(s)
    rocker = near(a, 0.0, 0.4 * breadth(s)) * near(s.y, 0.0, 0.55 * s.hy)
    tilt = pick(s.y * (2.0 * s.on - 1.0) > 0.0, 1.0, 0.8)
    lamp = rocker * s.on * within(s.y, 0.2 * s.hy, 0.4 * s.hy)
    return rocker, lamp, pick(rocker > 0.5, tilt, 1.0), lamp


def carpet(s: Spot) -> Tint:
    """Return carpet: fine noise."""
    fine = noise(s.x * 60.0, s.z * 60.0)
    return s.x * 0.0, s.x * 0.0, 0.88 + 0.16 * fine, above(s) * 0.0
