"""Textures of objects for food and water: mugs, pots, bottles, basins, faucets, burners."""

import numpy as np

from tatc.home.camera.ray_intersection import where
from tatc.home.camera.rays import Floats
from tatc.home.rendering.textures.surface_point import (
    SurfacePoint,
    TextureSample,
    axis_distance,
    fract,
    near_mask,
    range_mask,
    side_coordinate,
    side_half_width,
    side_mask,
    top_mask,
    value_noise,
)

LIQUID_LEVEL_SHARE = 0.4
"""The level of a liquid above the middle, as a share of half the height."""


def _inside_mask(s: SurfacePoint) -> Floats:
    """Return 1 on the inner sides and the floor of a hollow object, else 0."""
    wall = where(s.fx * s.x + s.fz * s.z < 0.0, 1.0, 0.0) * side_mask(s)
    return np.maximum(wall, top_mask(s) * where(s.y < 0.5 * s.hy, 1.0, 0.0))


def mug(s: SurfacePoint) -> TextureSample:
    """Return a glazed mug with a stripe and a rim, and its liquid when full."""
    v, inner = s.y / s.hy, _inside_mask(s)
    wet = inner * s.full * where(v < LIQUID_LEVEL_SHARE, 1.0, 0.0)
    rim = where(v > 0.9, 1.0, 0.0) * (1.0 - inner)
    stripe = range_mask(v, 0.1, 0.45) * (1.0 - inner) * side_mask(s)
    foot = 1.0 - 0.15 * where(v < -0.88, 1.0, 0.0)
    depth = 1.0 - 0.4 * inner * (0.5 - 0.5 * v)
    shade = where(wet > 0.5, 1.0, (1.0 + 0.1 * rim) * foot * depth)
    return stripe * (1.0 - wet), wet, shade, s.x * 0.0


def pot(s: SurfacePoint) -> TextureSample:
    """Return a metal pot with highlights and two handles, and its liquid when full."""
    v, inner = s.y / s.hy, _inside_mask(s)
    wet = inner * s.full * where(v < LIQUID_LEVEL_SHARE, 1.0, 0.0)
    rim = where(v > 0.86, 1.0, 0.0) * (1.0 - inner)
    gleam = near_mask(fract(s.x / s.hx * 0.5 + 0.2), 0.5, 0.09) * side_mask(s) * (1.0 - inner)
    lug = near_mask(np.abs(s.x), s.hx, 0.35 * s.hx) * near_mask(v, 0.62, 0.13) * (1.0 - inner)
    depth = 1.0 - 0.5 * inner * (0.5 - 0.5 * v)
    shade = depth * (1.0 + 0.2 * rim + 0.25 * gleam)
    return lug * side_mask(s), wet, where(wet > 0.5, 1.0, shade), s.x * 0.0


def plate(s: SurfacePoint) -> TextureSample:
    """Return a plate with rings around its middle."""
    r = axis_distance(s)
    ring = near_mask(r, 0.9, 0.05) * top_mask(s)
    dip = near_mask(r, 0.66, 0.025) * top_mask(s)
    return ring, s.x * 0.0, 1.0 - 0.18 * dip - 0.12 * side_mask(s), s.x * 0.0


def bottle(s: SurfacePoint) -> TextureSample:
    """Return a bottle with a label and a cap.

    p is the height at which its neck begins, as a share of the whole.
    """
    v = 0.5 + 0.5 * s.y / s.hy
    r = axis_distance(s)
    cap = np.maximum(where(v > 0.9, 1.0, 0.0), top_mask(s) * where(r < 0.35, 1.0, 0.0))
    label = range_mask(v, 0.22, 0.22 + 0.5 * s.p) * side_mask(s)
    text = label * near_mask(fract(v * 16.0), 0.5, 0.14) * where(s.x > -0.5 * s.hx, 1.0, 0.0)
    slope = 1.0 - 0.35 * where(v > s.p, 1.0, 0.0)
    gleam = near_mask(s.x / s.hx, -0.45, 0.12) * side_mask(s)
    shade = slope * (1.0 + 0.35 * gleam * (1.0 - label)) * (1.0 - 0.5 * text)
    return label, cap, shade, s.x * 0.0


def shaker(s: SurfacePoint) -> TextureSample:
    """Return a glass shaker with its contents, under a metal cap with holes."""
    v, r = 0.5 + 0.5 * s.y / s.hy, axis_distance(s)
    cap = where(v > 0.72, 1.0, 0.0)
    hole = near_mask(fract(s.x / s.hx * 2.0), 0.5, 0.16) * near_mask(
        fract(s.z / s.hz * 2.0), 0.5, 0.16
    )
    hole = hole * top_mask(s) * where(r < 0.7, 1.0, 0.0)
    grains = (1.0 - cap) * where(v < 0.5, 1.0, 0.0)
    return cap, grains, 1.0 - 0.7 * hole, s.x * 0.0


def basin(s: SurfacePoint) -> TextureSample:
    """Return a basin with a drain, and water when full."""
    r = np.sqrt(s.x * s.x + s.z * s.z)
    floor = top_mask(s)
    drain = where(r < 0.045, 1.0, 0.0) * floor
    ring = near_mask(r, 0.05, 0.006) * floor
    brushed = 0.95 + 0.08 * value_noise(s.x * 4.0, s.z * 60.0)
    wave = 0.9 + 0.2 * value_noise(s.x * 12.0, s.z * 12.0)
    wet = s.full * floor
    shade = where(wet > 0.5, wave, brushed - 0.3 * ring)
    return drain * (1.0 - wet), wet, shade, s.x * 0.0


def kettle(s: SurfacePoint) -> TextureSample:
    """Return a kettle: a shiny body, a lid and a handle."""
    v, r = s.y / s.hy, axis_distance(s)
    lid = where(v > 0.55, 1.0, 0.0) * where(r < 0.6, 1.0, 0.0)
    handle = near_mask(s.x, 0.0, 0.12 * s.hx) * where(v > 0.6, 1.0, 0.0)
    gleam = near_mask(s.x / s.hx, -0.4, 0.1) * side_mask(s)
    seam = near_mask(v, -0.75, 0.04)
    return (np.maximum(lid * 0.3, handle), s.x * 0.0, 1.0 + 0.3 * gleam - 0.25 * seam, r * 0.0)


def pan(s: SurfacePoint) -> TextureSample:
    """Return a pan with a rim and rings on its floor, and its liquid when full."""
    v, inner = s.y / s.hy, _inside_mask(s)
    rim = where(v > 0.7, 1.0, 0.0) * (1.0 - inner)
    rings = near_mask(fract(axis_distance(s) * 6.0), 0.5, 0.1) * top_mask(s)
    wet = inner * s.full * where(v < LIQUID_LEVEL_SHARE, 1.0, 0.0)
    shade = 1.0 + 0.3 * rings * inner - 0.1 * inner
    return rim, wet, shade, s.x * 0.0


def faucet(s: SurfacePoint) -> TextureSample:
    """Return a faucet of polished metal, with running water when on."""
    a, half = side_coordinate(s), side_half_width(s)
    gleam = near_mask(a / half, -0.3, 0.22)
    dark = near_mask(a / half, 0.45, 0.2)
    stream = (
        s.on * near_mask(a, 0.0, 0.35 * half) * side_mask(s) * where(s.y < 0.4 * s.hy, 1.0, 0.0)
    )
    flow = 0.85 + 0.3 * value_noise(a * 90.0, s.y * 14.0)
    shade = where(stream > 0.5, flow, 0.95 + 0.3 * gleam - 0.3 * dark)
    return s.x * 0.0, stream, shade, s.x * 0.0


def burner(s: SurfacePoint) -> TextureSample:
    """Return a stove burner, which glows when on."""
    r = axis_distance(s)
    ring = near_mask(fract(r * 3.5), 0.5, 0.24) * where(r < 0.97, 1.0, 0.0)
    bar = np.maximum(near_mask(s.x, 0.0, 0.008), near_mask(s.z, 0.0, 0.008)) * where(
        r < 1.0, 1.0, 0.0
    )
    hot = ring * s.on * top_mask(s)
    iron = np.maximum(ring, bar) * (1.0 - hot)
    return hot, iron, 1.0 + 0.2 * hot, hot


def knob(s: SurfacePoint) -> TextureSample:
    """Return a knob with a mark that turns, and glows, when on."""
    a, b = side_coordinate(s), s.y
    turned_a = where(s.on > 0.5, b, a)
    turned_b = where(s.on > 0.5, -a, b)
    mark = near_mask(turned_a, 0.0, 0.12 * s.hy) * where(turned_b > 0.0, 1.0, 0.0) * side_mask(s)
    r = np.sqrt(a * a + b * b) / np.maximum(s.hy, 1e-3)
    rim = where(r > 0.85, 0.7, 1.0)
    return mark, mark * s.on, rim, mark * s.on
