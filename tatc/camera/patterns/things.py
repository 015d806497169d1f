"""Patterns of small things: books, screens, cutlery, paper and cloth."""

import numpy as np

from tatc.camera.patterns.spot import (
    Spot,
    Tint,
    above,
    across,
    around,
    breadth,
    fract,
    front,
    near,
    noise,
    upright,
    within,
)
from tatc.camera.tracing import pick


def handled(s: Spot) -> Tint:
    """Return a tool: its handle is p of its length, the rest is bright metal."""
    long_x = s.hx >= s.hz
    along = pick(long_x, s.x / s.hx, s.z / s.hz)
    beside = pick(long_x, s.z / s.hz, s.x / s.hx)
    handle = pick(along < 2.0 * s.p - 1.0, 1.0, 0.0)
    rivet = handle * near(fract(along * 3.0), 0.5, 0.1) * near(beside, 0.0, 0.25)
    gleam = near(beside, -0.3, 0.14) * (1.0 - handle)
    return handle, rivet, 1.0 + 0.2 * gleam, s.x * 0.0


def book(s: Spot) -> Tint:
    """Return a cover with a title, and the edges of pages."""
    v = s.y / s.hy
    long_x = s.hx >= s.hz
    u, w = pick(long_x, s.x / s.hx, s.z / s.hz), pick(long_x, s.z / s.hz, s.x / s.hx)
    pages = upright(s) * near(v, 0.0, 0.72)
    title = above(s) * near(u, 0.45, 0.12) * near(w, 0.0, 0.6)
    frame = above(s) * pick(np.maximum(np.abs(u), np.abs(w)) > 0.93, 1.0, 0.0)
    leaf = 1.0 - 0.15 * pages * near(fract(v * 6.0), 0.5, 0.2)
    return np.maximum(title, frame * 0.5), pages, leaf, s.x * 0.0


def screen(s: Spot) -> Tint:
    """Return a dark screen in a frame; a picture when it is on."""
    a, half = across(s), breadth(s)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    pane = pick(edge > 0.03, 1.0, 0.0) * upright(s)
    u, v = a / half, s.y / s.hy
    scene = 0.55 + 0.45 * noise(u * 2.5 + 3.0, v * 2.5)
    land = pick(v < -0.1 + 0.35 * noise(u * 2.0, u * 0.0 + 4.0), 1.0, 0.0)
    sheen = near(fract((u + v) * 0.5), 0.3, 0.05) * (1.0 - s.on) * pane
    lit = pane * s.on
    dark = pane * (1.0 - s.on)
    shade = pick(lit > 0.5, scene + 0.35 * (1.0 - land), 1.0 + 0.9 * sheen)
    return lit, dark, shade, lit


def laptop(s: Spot) -> Tint:
    """Return a screen that stands behind keys."""
    u, v, w = s.x / s.hx, s.y / s.hy, s.z / s.hz
    face = front(s)
    pane = face * near(u, 0.0, 0.9) * within(v, -0.55, 0.9)
    keys = above(s) * near(u, 0.0, 0.85) * within(w, -0.8, 0.2)
    key = near(fract(u * 7.0), 0.5, 0.38) * near(fract(w * 5.0), 0.5, 0.36)
    pad = above(s) * near(u, 0.0, 0.22) * within(w, 0.4, 0.85)
    lit = pane * s.on
    bar = lit * within(v, 0.7, 0.9)
    dark = np.maximum(pane * (1.0 - s.on), keys * key)
    return lit, dark, 1.0 - 0.12 * pad - 0.4 * bar, lit


def buttons(s: Spot) -> Tint:
    """Return rows of buttons above; p tells how many to the side."""
    long_x = s.hx >= s.hz
    u, w = pick(long_x, s.x / s.hx, s.z / s.hz), pick(long_x, s.z / s.hz, s.x / s.hx)
    key = near(fract((w * 0.5 + 0.5) * s.p), 0.5, 0.3) * near(fract(u * 4.0), 0.5, 0.32)
    key = key * near(u, 0.0, 0.85) * above(s)
    red = key * pick((u > 0.7) & (w > 0.2), 1.0, 0.0)
    return key, red, s.x * 0.0 + 1.0, s.x * 0.0


def phone(s: Spot) -> Tint:
    """Return a phone: a screen that takes the whole of its upper side."""
    u, w = s.x / s.hx, s.z / s.hz
    pane = above(s) * near(u, 0.0, 0.86) * near(w, 0.0, 0.86)
    app = pane * near(fract(u * 2.0), 0.5, 0.28) * near(fract(w * 3.0), 0.5, 0.26)
    return app, pane * (1.0 - app), s.x * 0.0 + 1.0, app * 0.3


def clock(s: Spot) -> Tint:
    """Return a clock with red figures."""
    u, v = s.x / s.hx, s.y / s.hy
    face = front(s) * near(u, 0.0, 0.82) * near(v, 0.0, 0.6)
    digit = near(fract((u + 0.76) * 2.6), 0.45, 0.28) * near(v, 0.0, 0.42)
    gap = near(fract((u + 0.76) * 2.6), 0.45, 0.12) * near(np.abs(v), 0.2, 0.12)
    lit = face * digit * (1.0 - gap)
    return lit, face * (1.0 - lit), s.x * 0.0 + 1.0, lit


def paper(s: Spot) -> Tint:
    """Return lines of print."""
    u, w = s.x / s.hx, s.z / s.hz
    line = near(fract(w * 7.0), 0.5, 0.2) * near(fract(u * 1.5), 0.5, 0.42) * above(s)
    head = near(w, -0.82, 0.1) * near(u, 0.0, 0.8) * above(s)
    ink = np.maximum(line * near(u, 0.0, 0.88), head) * near(w, 0.0, 0.92)
    return ink, s.x * 0.0, s.x * 0.0 + 1.0, s.x * 0.0


def roll(s: Spot) -> Tint:
    """Return a roll of paper around its core."""
    r = around(s)
    core = np.abs(s.fy) * pick(r < 0.35, 1.0, 0.0)
    turns = near(fract(r * 7.0), 0.5, 0.3) * pick(np.abs(s.fy) > 0.5, 1.0, 0.0)
    sheet = near(fract(s.y / 0.02), 0.5, 0.4) * upright(s)
    return core, s.x * 0.0, 0.94 + 0.05 * turns + 0.03 * sheet, s.x * 0.0


def cloth(s: Spot) -> Tint:
    """Return woven cloth with stripes near its ends."""
    long_x = s.hx >= s.hz
    along = pick(
        s.hy > np.maximum(s.hx, s.hz), s.y / s.hy, pick(long_x, s.x / s.hx, s.z / s.hz)
    )
    stripe = np.maximum(
        near(np.abs(along), 0.72, 0.05), near(np.abs(along), 0.55, 0.025)
    )
    crease = noise(s.x * 14.0 + s.y * 9.0, s.z * 14.0 + s.y * 11.0)
    return stripe, s.x * 0.0, 0.84 + 0.24 * crease, s.x * 0.0


def pillow(s: Spot) -> Tint:
    """Return a cushion, full in its middle."""
    u, w, v = s.x / s.hx, s.z / s.hz, s.y / s.hy
    full = 1.08 - 0.16 * (u * u * u * u + w * w * w * w)
    piping = near(v, 0.0, 0.06) * upright(s)
    return s.x * 0.0, s.x * 0.0, full - 0.2 * piping, s.x * 0.0


def sponge(s: Spot) -> Tint:
    """Return a sponge with a rough side."""
    rough = pick(s.y > 0.3 * s.hy, 1.0, 0.0)
    pore = pick(
        noise(s.x * 160.0 + s.y * 90.0, s.z * 160.0 + s.y * 70.0) > 0.7, 1.0, 0.0
    )
    return rough, s.x * 0.0, 1.0 - 0.3 * pore, s.x * 0.0


def disc(s: Spot) -> Tint:
    """Return a disc with a hole, which shines like a rainbow."""
    r = around(s)
    hole = pick(r < 0.18, 1.0, 0.0)
    shine = near(fract((s.x / s.hx + s.z / s.hz) * 0.8), 0.5, 0.14)
    return shine * 0.7, hole, 0.9 + 0.12 * near(fract(r * 9.0), 0.5, 0.3), s.x * 0.0


def ball(s: Spot) -> Tint:
    """Return a ball with black seams."""
    u, v, w = s.x / s.hx, s.y / s.hy, s.z / s.hz
    seam = np.maximum(
        np.maximum(near(u, 0.0, 0.05), near(v, 0.0, 0.05)), near(np.abs(w), 0.6, 0.05)
    )
    pebble = 0.95 + 0.08 * noise(u * 30.0 + w * 20.0, v * 30.0)
    return s.x * 0.0, seam, pebble, s.x * 0.0


def vase(s: Spot) -> Tint:
    """Return glaze with bands and a dark mouth."""
    v, r = s.y / s.hy, around(s)
    band = np.maximum(near(v, 0.55, 0.06), near(v, -0.5, 0.06)) * upright(s)
    zig = near(v, 0.1 * np.abs(fract(across(s) / (0.7 * s.hx)) - 0.5) * 8.0 - 0.2, 0.06)
    mouth = above(s) * pick(r < 0.7, 1.0, 0.0)
    gleam = near(s.x / s.hx, -0.4, 0.1) * upright(s)
    return np.maximum(band, zig * upright(s)), mouth, 1.0 + 0.2 * gleam, s.x * 0.0


def candle(s: Spot) -> Tint:
    """Return wax with a wick, which burns when it is lit."""
    r = around(s)
    wick = above(s) * pick(r < 0.22, 1.0, 0.0)
    flame = wick * s.on
    glow = s.on * pick(s.y > 0.3 * s.hy, 0.35, 0.0)
    return flame, wick * (1.0 - flame), 1.0 + 0.2 * glow, np.maximum(flame, glow)


def statue(s: Spot) -> Tint:
    """Return mottled stone or bronze that grows narrow upwards, on a foot."""
    vein = noise(s.x * 25.0 + s.y * 17.0, s.z * 25.0 + s.y * 13.0)
    foot = pick(s.y < -0.75 * s.hy, 1.0, 0.0)
    fold = 0.88 + 0.2 * np.abs(fract(across(s) / (0.5 * breadth(s)) + s.y * 4.0) - 0.5)
    return foot, s.x * 0.0, fold * (0.9 + 0.2 * vein), s.x * 0.0


def carton(s: Spot) -> Tint:
    """Return cardboard with tape along its middle."""
    long_x = s.hx >= s.hz
    tape = near(pick(long_x, s.z / s.hz, s.x / s.hx), 0.0, 0.12)
    wave = 0.95 + 0.05 * near(fract(s.y / 0.01), 0.5, 0.25) * upright(s)
    return (
        tape * np.maximum(above(s), near(s.y, s.hy, 0.05)),
        s.x * 0.0,
        wave,
        s.x * 0.0,
    )
