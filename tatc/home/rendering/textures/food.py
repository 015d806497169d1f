"""Textures of food, whole and cut."""

import numpy as np

from tatc.home.camera.ray_intersection import where
from tatc.home.rendering.textures.surface_point import (
    SurfacePoint,
    TextureSample,
    axis_distance,
    fract,
    near_mask,
    side_mask,
    top_mask,
    value_noise,
)


def apple(s: SurfacePoint) -> TextureSample:
    """Return an apple's streaked skin, pale around a dark stem."""
    r, v = axis_distance(s), s.y / s.hy
    streak = value_noise(s.x / s.hx * 5.0 + 9.0 * s.seed, v * 1.5)
    pale = where(streak > 0.7, 0.7, 0.0) + 0.5 * top_mask(s) * (1.0 - np.minimum(r, 1.0))
    stem = top_mask(s) * where(r < 0.14, 1.0, 0.0)
    highlight = near_mask(s.x / s.hx, -0.35, 0.12) * near_mask(v, 0.4, 0.14)
    return np.minimum(pale, 1.0) * 0.6, stem, 1.0 + 0.35 * highlight, s.x * 0.0


def tomato(s: SurfacePoint) -> TextureSample:
    """Return a tomato's smooth skin under a green star."""
    r = axis_distance(s)
    star = where(np.abs(s.x * s.z) < 0.035 * s.hx * s.hz, 1.0, 0.0)
    star = star * top_mask(s) * where(r < 0.62, 1.0, 0.0)
    highlight = near_mask(s.x / s.hx, -0.35, 0.12) * near_mask(s.y / s.hy, 0.4, 0.14)
    return star, s.x * 0.0, 1.0 + 0.4 * highlight, s.x * 0.0


def potato(s: SurfacePoint) -> TextureSample:
    """Return a potato's earthy skin with eyes."""
    speck = value_noise(s.x * 130.0 + s.seed * 40.0, s.y * 130.0 + s.z * 90.0)
    eyes = where(speck > 0.78, 1.0, 0.0)
    return eyes, s.x * 0.0, 0.88 + 0.2 * value_noise(s.x * 40.0, s.z * 40.0), s.x * 0.0


def lettuce(s: SurfacePoint) -> TextureSample:
    """Return curly lettuce leaves with pale ribs."""
    u = s.x * 55.0 + 3.0 * value_noise(s.y * 30.0, s.z * 30.0)
    curl = value_noise(u, s.y * 45.0 + s.z * 38.0)
    rib = near_mask(curl, 0.5, 0.05)
    return rib * 0.7, s.x * 0.0, 0.6 + 0.7 * curl, s.x * 0.0


def bread(s: SurfacePoint) -> TextureSample:
    """Return the crust of a loaf, scored on top."""
    long_x = s.hx >= s.hz
    along = where(long_x, s.x, s.z)
    score = near_mask(fract(along / 0.055), 0.5, 0.09) * top_mask(s)
    crumb = value_noise(s.x * 70.0, s.y * 70.0 + s.z * 70.0)
    shade = 0.9 + 0.15 * crumb - 0.12 * where(s.y < -0.6 * s.hy, 1.0, 0.0)
    return score, s.x * 0.0, shade, s.x * 0.0


def cut(s: SurfacePoint) -> TextureSample:
    """Return a cut face: flesh inside a skin, with seeds if p is 1."""
    ax = np.minimum(s.hx, np.minimum(s.hy, s.hz)) < s.hx * 0.999
    u = where(ax, s.x / s.hx, s.z / s.hz)
    v = s.y / s.hy
    r = np.sqrt(u * u + v * v)
    flesh = where(r < 0.84, 1.0, 0.0)
    seed = near_mask(fract(u * 2.2), 0.5, 0.12) * near_mask(fract(v * 2.2), 0.5, 0.16) * flesh
    pore = value_noise(s.x * 110.0, s.y * 110.0 + s.z * 110.0)
    return flesh, seed * s.p, 0.9 + 0.14 * pore, s.x * 0.0


def egg(s: SurfacePoint) -> TextureSample:
    """Return an eggshell, or egg white around a yolk if p is 1."""
    r = axis_distance(s)
    yolk = s.p * top_mask(s) * where(r < 0.5, 1.0, 0.0)
    return (
        yolk,
        s.x * 0.0,
        1.0 + 0.06 * value_noise(s.x * 60.0, s.z * 60.0) - 0.06 * side_mask(s),
        r * 0.0,
    )
