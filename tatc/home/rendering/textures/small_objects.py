"""Textures of small objects, of food, and of vessels, basins, faucets, burners and knobs."""

import numpy as np

from tatc.home.camera.ray_intersection import where
from tatc.home.camera.rays import Floats
from tatc.home.rendering.textures.surface_point import (
    SurfacePoint,
    TextureSample,
    axis_distance,
    fract,
    front_mask,
    near_mask,
    range_mask,
    side_coordinate,
    side_half_width,
    side_mask,
    top_mask,
    value_noise,
)

LIQUID_LEVEL_SHARE = 0.4  # the level of a liquid above the middle, as a share of half the height


def handled(s: SurfacePoint) -> TextureSample:
    """Return a tool: the share p of its length is handle, the rest is bright metal."""
    long_x = s.hx >= s.hz
    along = where(long_x, s.x / s.hx, s.z / s.hz)
    beside = where(long_x, s.z / s.hz, s.x / s.hx)
    handle = where(along < 2.0 * s.p - 1.0, 1.0, 0.0)
    rivet = handle * near_mask(fract(along * 3.0), 0.5, 0.1) * near_mask(beside, 0.0, 0.25)
    gleam = near_mask(beside, -0.3, 0.14) * (1.0 - handle)
    return handle, rivet, 1.0 + 0.2 * gleam, s.x * 0.0


def book(s: SurfacePoint) -> TextureSample:
    """Return a book: a cover with a title, and the edges of pages."""
    v = s.y / s.hy
    long_x = s.hx >= s.hz
    u, w = where(long_x, s.x / s.hx, s.z / s.hz), where(long_x, s.z / s.hz, s.x / s.hx)
    pages = side_mask(s) * near_mask(v, 0.0, 0.72)
    title = top_mask(s) * near_mask(u, 0.45, 0.12) * near_mask(w, 0.0, 0.6)
    frame = top_mask(s) * where(np.maximum(np.abs(u), np.abs(w)) > 0.93, 1.0, 0.0)
    leaf = 1.0 - 0.15 * pages * near_mask(fract(v * 6.0), 0.5, 0.2)
    return np.maximum(title, frame * 0.5), pages, leaf, s.x * 0.0


def screen(s: SurfacePoint) -> TextureSample:
    """Return a framed screen, dark when off, with a picture when on."""
    a, half = side_coordinate(s), side_half_width(s)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    pane = where(edge > 0.03, 1.0, 0.0) * side_mask(s)
    u, v = a / half, s.y / s.hy
    scene = 0.55 + 0.45 * value_noise(u * 2.5 + 3.0, v * 2.5)
    land = where(v < -0.1 + 0.35 * value_noise(u * 2.0, u * 0.0 + 4.0), 1.0, 0.0)
    sheen = near_mask(fract((u + v) * 0.5), 0.3, 0.05) * (1.0 - s.on) * pane
    lit = pane * s.on
    dark = pane * (1.0 - s.on)
    shade = where(lit > 0.5, scene + 0.35 * (1.0 - land), 1.0 + 0.9 * sheen)
    return lit, dark, shade, lit


def laptop(s: SurfacePoint) -> TextureSample:
    """Return a laptop: a screen behind a keyboard; the screen glows when on."""
    u, v, w = s.x / s.hx, s.y / s.hy, s.z / s.hz
    pane = front_mask(s) * near_mask(u, 0.0, 0.9) * range_mask(v, -0.55, 0.9)
    keys = top_mask(s) * near_mask(u, 0.0, 0.85) * range_mask(w, -0.8, 0.2)
    key = near_mask(fract(u * 7.0), 0.5, 0.38) * near_mask(fract(w * 5.0), 0.5, 0.36)
    pad = top_mask(s) * near_mask(u, 0.0, 0.22) * range_mask(w, 0.4, 0.85)
    lit = pane * s.on
    bar = lit * range_mask(v, 0.7, 0.9)
    dark = np.maximum(pane * (1.0 - s.on), keys * key)
    return lit, dark, 1.0 - 0.12 * pad - 0.4 * bar, lit


def buttons(s: SurfacePoint) -> TextureSample:
    """Return rows of buttons on top; p is the number of rows across the shorter side."""
    long_x = s.hx >= s.hz
    u, w = where(long_x, s.x / s.hx, s.z / s.hz), where(long_x, s.z / s.hz, s.x / s.hx)
    key = near_mask(fract((w * 0.5 + 0.5) * s.p), 0.5, 0.3) * near_mask(fract(u * 4.0), 0.5, 0.32)
    key = key * near_mask(u, 0.0, 0.85) * top_mask(s)
    red = key * where((u > 0.7) & (w > 0.2), 1.0, 0.0)
    return key, red, s.x * 0.0 + 1.0, s.x * 0.0


def phone(s: SurfacePoint) -> TextureSample:
    """Return a phone whose screen fills most of its upper side."""
    u, w = s.x / s.hx, s.z / s.hz
    pane = top_mask(s) * near_mask(u, 0.0, 0.86) * near_mask(w, 0.0, 0.86)
    app = pane * near_mask(fract(u * 2.0), 0.5, 0.28) * near_mask(fract(w * 3.0), 0.5, 0.26)
    return app, pane * (1.0 - app), s.x * 0.0 + 1.0, app * 0.3


def clock(s: SurfacePoint) -> TextureSample:
    """Return a digital clock with glowing digits."""
    u, v = s.x / s.hx, s.y / s.hy
    face = front_mask(s) * near_mask(u, 0.0, 0.82) * near_mask(v, 0.0, 0.6)
    digit = near_mask(fract((u + 0.76) * 2.6), 0.45, 0.28) * near_mask(v, 0.0, 0.42)
    gap = near_mask(fract((u + 0.76) * 2.6), 0.45, 0.12) * near_mask(np.abs(v), 0.2, 0.12)
    lit = face * digit * (1.0 - gap)
    return lit, face * (1.0 - lit), s.x * 0.0 + 1.0, lit


def paper(s: SurfacePoint) -> TextureSample:
    """Return a sheet of paper with lines of print."""
    u, w = s.x / s.hx, s.z / s.hz
    line = near_mask(fract(w * 7.0), 0.5, 0.2) * near_mask(fract(u * 1.5), 0.5, 0.42) * top_mask(s)
    head = near_mask(w, -0.82, 0.1) * near_mask(u, 0.0, 0.8) * top_mask(s)
    ink = np.maximum(line * near_mask(u, 0.0, 0.88), head) * near_mask(w, 0.0, 0.92)
    return ink, s.x * 0.0, s.x * 0.0 + 1.0, s.x * 0.0


def roll(s: SurfacePoint) -> TextureSample:
    """Return a roll of paper around its core."""
    r = axis_distance(s)
    core = np.abs(s.fy) * where(r < 0.35, 1.0, 0.0)
    turns = near_mask(fract(r * 7.0), 0.5, 0.3) * where(np.abs(s.fy) > 0.5, 1.0, 0.0)
    sheet = near_mask(fract(s.y / 0.02), 0.5, 0.4) * side_mask(s)
    return core, s.x * 0.0, 0.94 + 0.05 * turns + 0.03 * sheet, s.x * 0.0


def cloth(s: SurfacePoint) -> TextureSample:
    """Return woven cloth with stripes near its ends."""
    long_x = s.hx >= s.hz
    along = where(s.hy > np.maximum(s.hx, s.hz), s.y / s.hy, where(long_x, s.x / s.hx, s.z / s.hz))
    stripe = np.maximum(near_mask(np.abs(along), 0.72, 0.05), near_mask(np.abs(along), 0.55, 0.025))
    crease = value_noise(s.x * 14.0 + s.y * 9.0, s.z * 14.0 + s.y * 11.0)
    return stripe, s.x * 0.0, 0.84 + 0.24 * crease, s.x * 0.0


def pillow(s: SurfacePoint) -> TextureSample:
    """Return a cushion that bulges in the middle."""
    u, w, v = s.x / s.hx, s.z / s.hz, s.y / s.hy
    full = 1.08 - 0.16 * (u * u * u * u + w * w * w * w)
    piping = near_mask(v, 0.0, 0.06) * side_mask(s)
    return s.x * 0.0, s.x * 0.0, full - 0.2 * piping, s.x * 0.0


def sponge(s: SurfacePoint) -> TextureSample:
    """Return a sponge with a rough side."""
    rough = where(s.y > 0.3 * s.hy, 1.0, 0.0)
    pore = where(value_noise(s.x * 160.0 + s.y * 90.0, s.z * 160.0 + s.y * 70.0) > 0.7, 1.0, 0.0)
    return rough, s.x * 0.0, 1.0 - 0.3 * pore, s.x * 0.0


def disc(s: SurfacePoint) -> TextureSample:
    """Return a compact disc: a hole in the middle, and a shimmer."""
    r = axis_distance(s)
    hole = where(r < 0.18, 1.0, 0.0)
    shine = near_mask(fract((s.x / s.hx + s.z / s.hz) * 0.8), 0.5, 0.14)
    return (shine * 0.7, hole, 0.9 + 0.12 * near_mask(fract(r * 9.0), 0.5, 0.3), s.x * 0.0)


def ball(s: SurfacePoint) -> TextureSample:
    """Return a ball with black seams."""
    u, v, w = s.x / s.hx, s.y / s.hy, s.z / s.hz
    seam = np.maximum(near_mask(u, 0.0, 0.05), near_mask(v, 0.0, 0.05))
    seam = np.maximum(seam, near_mask(np.abs(w), 0.6, 0.05))
    pebble = 0.95 + 0.08 * value_noise(u * 30.0 + w * 20.0, v * 30.0)
    return s.x * 0.0, seam, pebble, s.x * 0.0


def vase(s: SurfacePoint) -> TextureSample:
    """Return a glazed vase with bands and a dark mouth."""
    v, r = s.y / s.hy, axis_distance(s)
    band = np.maximum(near_mask(v, 0.55, 0.06), near_mask(v, -0.5, 0.06)) * side_mask(s)
    wave = np.abs(fract(side_coordinate(s) / (0.7 * s.hx)) - 0.5)
    zig = near_mask(v, 0.1 * wave * 8.0 - 0.2, 0.06)
    mouth = top_mask(s) * where(r < 0.7, 1.0, 0.0)
    gleam = near_mask(s.x / s.hx, -0.4, 0.1) * side_mask(s)
    return np.maximum(band, zig * side_mask(s)), mouth, 1.0 + 0.2 * gleam, s.x * 0.0


def candle(s: SurfacePoint) -> TextureSample:
    """Return a wax candle with a wick, which burns when on."""
    wick = top_mask(s) * where(axis_distance(s) < 0.22, 1.0, 0.0)
    flame = wick * s.on
    glow = s.on * where(s.y > 0.3 * s.hy, 0.35, 0.0)
    return flame, wick * (1.0 - flame), 1.0 + 0.2 * glow, np.maximum(flame, glow)


def statue(s: SurfacePoint) -> TextureSample:
    """Return mottled, folded stone or bronze on a foot."""
    vein = value_noise(s.x * 25.0 + s.y * 17.0, s.z * 25.0 + s.y * 13.0)
    foot = where(s.y < -0.75 * s.hy, 1.0, 0.0)
    fold = fract(side_coordinate(s) / (0.5 * side_half_width(s)) + s.y * 4.0)
    fold = 0.88 + 0.2 * np.abs(fold - 0.5)
    return foot, s.x * 0.0, fold * (0.9 + 0.2 * vein), s.x * 0.0


def carton(s: SurfacePoint) -> TextureSample:
    """Return a cardboard box with tape along its middle."""
    long_x = s.hx >= s.hz
    tape = near_mask(where(long_x, s.z / s.hz, s.x / s.hx), 0.0, 0.12)
    wave = 0.95 + 0.05 * near_mask(fract(s.y / 0.01), 0.5, 0.25) * side_mask(s)
    return (tape * np.maximum(top_mask(s), near_mask(s.y, s.hy, 0.05)), s.x * 0.0, wave, s.x * 0.0)


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
    grain = value_noise(s.x * 60.0, s.z * 60.0)
    return yolk, s.x * 0.0, 1.0 + 0.06 * grain - 0.06 * side_mask(s), r * 0.0


def _inside_mask(s: SurfacePoint) -> Floats:
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
    """Return a bottle with a label and a cap; its neck begins at the share p of the height."""
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
    u, w = fract(s.x / s.hx * 2.0), fract(s.z / s.hz * 2.0)
    hole = near_mask(u, 0.5, 0.16) * near_mask(w, 0.5, 0.16)
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
    stream = s.on * near_mask(a, 0.0, 0.35 * half) * side_mask(s)
    stream = stream * where(s.y < 0.4 * s.hy, 1.0, 0.0)
    flow = 0.85 + 0.3 * value_noise(a * 90.0, s.y * 14.0)
    shade = where(stream > 0.5, flow, 0.95 + 0.3 * gleam - 0.3 * dark)
    return s.x * 0.0, stream, shade, s.x * 0.0


def burner(s: SurfacePoint) -> TextureSample:
    """Return a stove burner, which glows when on."""
    r = axis_distance(s)
    ring = near_mask(fract(r * 3.5), 0.5, 0.24) * where(r < 0.97, 1.0, 0.0)
    bar = np.maximum(near_mask(s.x, 0.0, 0.008), near_mask(s.z, 0.0, 0.008))
    bar = bar * where(r < 1.0, 1.0, 0.0)
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
