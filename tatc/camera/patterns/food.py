"""Patterns of food, raw, cooked and cut."""

import numpy as np

from tatc.camera.patterns.spot import (
    Spot,
    Tint,
    above,
    around,
    fract,
    near,
    noise,
    upright,
)
from tatc.camera.tracing import pick


def apple(s: Spot) -> Tint:
    """Return a streaked skin, pale around a dark stem."""
    r, v = around(s), s.y / s.hy
    streak = noise(s.x / s.hx * 5.0 + 9.0 * s.seed, v * 1.5)
    pale = pick(streak > 0.7, 0.7, 0.0) + 0.5 * above(s) * (1.0 - np.minimum(r, 1.0))
    stem = above(s) * pick(r < 0.14, 1.0, 0.0)
    spot = near(s.x / s.hx, -0.35, 0.12) * near(v, 0.4, 0.14)
    return np.minimum(pale, 1.0) * 0.6, stem, 1.0 + 0.35 * spot, s.x * 0.0


def tomato(s: Spot) -> Tint:
    """Return a smooth skin under a green star."""
    r = around(s)
    star = pick(np.abs(s.x * s.z) < 0.035 * s.hx * s.hz, 1.0, 0.0)
    star = star * above(s) * pick(r < 0.62, 1.0, 0.0)
    spot = near(s.x / s.hx, -0.35, 0.12) * near(s.y / s.hy, 0.4, 0.14)
    return star, s.x * 0.0, 1.0 + 0.4 * spot, s.x * 0.0


def potato(s: Spot) -> Tint:
    """Return an earthy skin with eyes."""
    speck = noise(s.x * 130.0 + s.seed * 40.0, s.y * 130.0 + s.z * 90.0)
    eyes = pick(speck > 0.78, 1.0, 0.0)
    return eyes, s.x * 0.0, 0.88 + 0.2 * noise(s.x * 40.0, s.z * 40.0), s.x * 0.0


def lettuce(s: Spot) -> Tint:
    """Return curled leaves with pale ribs."""
    u = s.x * 55.0 + 3.0 * noise(s.y * 30.0, s.z * 30.0)
    curl = noise(u, s.y * 45.0 + s.z * 38.0)
    rib = near(curl, 0.5, 0.05)
    return rib * 0.7, s.x * 0.0, 0.6 + 0.7 * curl, s.x * 0.0


def bread(s: Spot) -> Tint:
    """Return a loaf: its crust, scored above."""
    long_x = s.hx >= s.hz
    along = pick(long_x, s.x, s.z)
    score = near(fract(along / 0.055), 0.5, 0.09) * above(s)
    crumb = noise(s.x * 70.0, s.y * 70.0 + s.z * 70.0)
    shade = 0.9 + 0.15 * crumb - 0.12 * pick(s.y < -0.6 * s.hy, 1.0, 0.0)
    return score, s.x * 0.0, shade, s.x * 0.0


def cut(s: Spot) -> Tint:
    """Return a cut: its flesh within its skin."""
    ax = np.minimum(s.hx, np.minimum(s.hy, s.hz)) < s.hx * 0.999
    u = pick(ax, s.x / s.hx, s.z / s.hz)
    v = s.y / s.hy
    r = np.sqrt(u * u + v * v)
    flesh = pick(r < 0.84, 1.0, 0.0)
    seed = near(fract(u * 2.2), 0.5, 0.12) * near(fract(v * 2.2), 0.5, 0.16) * flesh
    pore = noise(s.x * 110.0, s.y * 110.0 + s.z * 110.0)
    return flesh, seed * s.p, 0.9 + 0.14 * pore, s.x * 0.0


def egg(s: Spot) -> Tint:
    """Return a shell, or white around a yolk where p is 1."""
    r = around(s)
    yolk = s.p * above(s) * pick(r < 0.5, 1.0, 0.0)
    return (
        yolk,
        s.x * 0.0,
        1.0 + 0.06 * noise(s.x * 60.0, s.z * 60.0) - 0.06 * upright(s),
        r * 0.0,
    )
