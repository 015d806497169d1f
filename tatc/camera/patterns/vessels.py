"""Patterns of what holds food and water: mugs, pots, plates, bottles and basins."""

import numpy as np

from tatc.camera.patterns.spot import (
    Spot,
    Tint,
    above,
    across,
    around,
    breadth,
    fract,
    near,
    noise,
    upright,
    within,
)
from tatc.camera.rays import Floats
from tatc.camera.tracing import pick

LEVEL = 0.4
"""How high a liquid stands, as a share of half the height, from the middle."""


def _inside(s: Spot) -> Floats:
    """Return 1 on the inner sides and the floor of something hollow."""
    wall = pick(s.fx * s.x + s.fz * s.z < 0.0, 1.0, 0.0) * upright(s)
    return np.maximum(wall, above(s) * pick(s.y < 0.5 * s.hy, 1.0, 0.0))


def mug(s: Spot) -> Tint:
    """Return a glazed cup with a stripe, its rim, and what it is filled with."""
    v, inner = s.y / s.hy, _inside(s)
    wet = inner * s.full * pick(v < LEVEL, 1.0, 0.0)
    rim = pick(v > 0.9, 1.0, 0.0) * (1.0 - inner)
    stripe = within(v, 0.1, 0.45) * (1.0 - inner) * upright(s)
    foot = 1.0 - 0.15 * pick(v < -0.88, 1.0, 0.0)
    depth = 1.0 - 0.4 * inner * (0.5 - 0.5 * v)
    shade = pick(wet > 0.5, 1.0, (1.0 + 0.1 * rim) * foot * depth)
    return stripe * (1.0 - wet), wet, shade, s.x * 0.0


def pot(s: Spot) -> Tint:
    """Return a metal pot with bright bands and two handles, and what is in it."""
    v, inner = s.y / s.hy, _inside(s)
    wet = inner * s.full * pick(v < LEVEL, 1.0, 0.0)
    rim = pick(v > 0.86, 1.0, 0.0) * (1.0 - inner)
    gleam = near(fract(s.x / s.hx * 0.5 + 0.2), 0.5, 0.09) * upright(s) * (1.0 - inner)
    lug = near(np.abs(s.x), s.hx, 0.35 * s.hx) * near(v, 0.62, 0.13) * (1.0 - inner)
    depth = 1.0 - 0.5 * inner * (0.5 - 0.5 * v)
    shade = depth * (1.0 + 0.2 * rim + 0.25 * gleam)
    return lug * upright(s), wet, pick(wet > 0.5, 1.0, shade), s.x * 0.0


def plate(s: Spot) -> Tint:
    """Return rings around the middle."""
    r = around(s)
    ring = near(r, 0.9, 0.05) * above(s)
    dip = near(r, 0.66, 0.025) * above(s)
    return ring, s.x * 0.0, 1.0 - 0.18 * dip - 0.12 * upright(s), s.x * 0.0


def bottle(s: Spot) -> Tint:
    """Return a bottle with a label and a cap; p is where its neck begins."""
    v = 0.5 + 0.5 * s.y / s.hy
    r = around(s)
    cap = np.maximum(pick(v > 0.9, 1.0, 0.0), above(s) * pick(r < 0.35, 1.0, 0.0))
    label = within(v, 0.22, 0.22 + 0.5 * s.p) * upright(s)
    text = label * near(fract(v * 16.0), 0.5, 0.14) * pick(s.x > -0.5 * s.hx, 1.0, 0.0)
    slope = 1.0 - 0.35 * pick(v > s.p, 1.0, 0.0)
    gleam = near(s.x / s.hx, -0.45, 0.12) * upright(s)
    shade = slope * (1.0 + 0.35 * gleam * (1.0 - label)) * (1.0 - 0.5 * text)
    return label, cap, shade, s.x * 0.0


def shaker(s: Spot) -> Tint:
    """Return glass with what it shakes, under a metal cap with holes."""
    v, r = 0.5 + 0.5 * s.y / s.hy, around(s)
    cap = pick(v > 0.72, 1.0, 0.0)
    hole = near(fract(s.x / s.hx * 2.0), 0.5, 0.16) * near(
        fract(s.z / s.hz * 2.0), 0.5, 0.16
    )
    hole = hole * above(s) * pick(r < 0.7, 1.0, 0.0)
    grains = (1.0 - cap) * pick(v < 0.5, 1.0, 0.0)
    return cap, grains, 1.0 - 0.7 * hole, s.x * 0.0


def basin(s: Spot) -> Tint:
    """Return a basin with a drain and, when it is full, water."""
    r = np.sqrt(s.x * s.x + s.z * s.z)
    floor = above(s)
    drain = pick(r < 0.045, 1.0, 0.0) * floor
    ring = near(r, 0.05, 0.006) * floor
    brushed = 0.95 + 0.08 * noise(s.x * 4.0, s.z * 60.0)
    wave = 0.9 + 0.2 * noise(s.x * 12.0, s.z * 12.0)
    wet = s.full * floor
    shade = pick(wet > 0.5, wave, brushed - 0.3 * ring)
    return drain * (1.0 - wet), wet, shade, s.x * 0.0


def kettle(s: Spot) -> Tint:
    """Return a kettle: a body that bulges, a lid and a handle."""
    v, r = s.y / s.hy, around(s)
    lid = pick(v > 0.55, 1.0, 0.0) * pick(r < 0.6, 1.0, 0.0)
    handle = near(s.x, 0.0, 0.12 * s.hx) * pick(v > 0.6, 1.0, 0.0)
    gleam = near(s.x / s.hx, -0.4, 0.1) * upright(s)
    seam = near(v, -0.75, 0.04)
    return (
        np.maximum(lid * 0.3, handle),
        s.x * 0.0,
        1.0 + 0.3 * gleam - 0.25 * seam,
        r * 0.0,
    )


def pan(s: Spot) -> Tint:
    """Return a dark pan with a bright rim."""
    v, inner = s.y / s.hy, _inside(s)
    rim = pick(v > 0.7, 1.0, 0.0) * (1.0 - inner)
    rings = near(fract(around(s) * 6.0), 0.5, 0.1) * above(s)
    wet = inner * s.full * pick(v < LEVEL, 1.0, 0.0)
    shade = 1.0 + 0.3 * rings * inner - 0.1 * inner
    return rim, wet, shade, s.x * 0.0


def faucet(s: Spot) -> Tint:
    """Return polished metal, with running water when it is on."""
    a, half = across(s), breadth(s)
    gleam = near(a / half, -0.3, 0.22)
    dark = near(a / half, 0.45, 0.2)
    stream = (
        s.on * near(a, 0.0, 0.35 * half) * upright(s) * pick(s.y < 0.4 * s.hy, 1.0, 0.0)
    )
    flow = 0.85 + 0.3 * noise(a * 90.0, s.y * 14.0)
    shade = pick(stream > 0.5, flow, 0.95 + 0.3 * gleam - 0.3 * dark)
    return s.x * 0.0, stream, shade, s.x * 0.0


def burner(s: Spot) -> Tint:
    """Return a cooker's ring, which glows when it is on."""
    r = around(s)
    ring = near(fract(r * 3.5), 0.5, 0.24) * pick(r < 0.97, 1.0, 0.0)
    bar = np.maximum(near(s.x, 0.0, 0.008), near(s.z, 0.0, 0.008)) * pick(
        r < 1.0, 1.0, 0.0
    )
    hot = ring * s.on * above(s)
    iron = np.maximum(ring, bar) * (1.0 - hot)
    return hot, iron, 1.0 + 0.2 * hot, hot


def knob(s: Spot) -> Tint:
    """Return a knob with a mark, which turns with it."""
    a, b = across(s), s.y
    turned_a = pick(s.on > 0.5, b, a)
    turned_b = pick(s.on > 0.5, -a, b)
    mark = (
        near(turned_a, 0.0, 0.12 * s.hy) * pick(turned_b > 0.0, 1.0, 0.0) * upright(s)
    )
    r = np.sqrt(a * a + b * b) / np.maximum(s.hy, 1e-3)
    rim = pick(r > 0.85, 0.7, 1.0)
    return mark, mark * s.on, rim, mark * s.on
