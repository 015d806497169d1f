"""Textures of objects with a front: doors, drawers and kitchen appliances."""

import numpy as np

from tatc.home.camera.ray_intersection import where
from tatc.home.camera.rays import Floats
from tatc.home.rendering.textures.surface_point import (
    SurfacePoint,
    TextureSample,
    fract,
    front_mask,
    near_mask,
    range_mask,
    side_coordinate,
    side_half_width,
    side_mask,
    top_mask,
    wood_grain,
)

HANDLE_HALF_WIDTH_METRES = 0.009
"""Half the width of a handle, metres."""


def _door_panel(a: Floats, y: Floats, half: Floats, tall: Floats) -> Floats:
    """Return the brightness of a door with a sunken panel and a gap around it."""
    edge = np.minimum(half - np.abs(a), tall - np.abs(y))
    gap = where(edge < 0.006, 0.45, 1.0)
    lit = where((y > 0.0) | (a < 0.0), 0.74, 1.1)
    inset = np.minimum(0.062, 0.3 * np.minimum(half, tall))
    groove = near_mask(edge, inset, 0.006)
    return gap * where(groove > 0.5, lit, where(edge > inset, 0.96, 1.0))


def _door_handle(a: Floats, y: Floats, half: Floats, tall: Floats) -> tuple[Floats, Floats]:
    """Return a mask of a handle, and the brightness of the handle and its shadow."""
    bar = near_mask(a, 0.0, half) * near_mask(y, 0.0, tall)
    shadow = near_mask(a, 0.012, half) * near_mask(y, -0.014, tall) * (1.0 - bar)
    round_ = 1.15 - 0.4 * np.abs(a) / half
    return bar, where(bar > 0.5, round_, 1.0 - 0.35 * shadow)


def cabinet(s: SurfacePoint) -> TextureSample:
    """Return a cabinet door, with its handle low if p is 1 (a wall cabinet), else high."""
    a, half = side_coordinate(s), side_half_width(s)
    side = where(s.seed > 0.5, 1.0, -1.0)
    at_y = where(s.p > 0.5, -1.0, 1.0) * np.maximum(s.hy - 0.16, 0.0)
    tall = np.minimum(0.065, 0.4 * s.hy)
    bar, lit = _door_handle(
        a - side * (half - 0.035), s.y - at_y, HANDLE_HALF_WIDTH_METRES + 0.0 * a, tall
    )
    door, shade = side_mask(s), _door_panel(a, s.y, half, s.hy)
    wood = 0.97 + 0.03 * wood_grain(s.y, a, s.seed)
    return s.x * 0.0, bar * door, where(door > 0.5, shade * lit * wood, 1.0), s.x * 0.0


def drawer(s: SurfacePoint) -> TextureSample:
    """Return a drawer's front with a horizontal handle in its middle."""
    a, half = side_coordinate(s), side_half_width(s)
    wide = np.minimum(0.075, 0.45 * half)
    bar, lit = _door_handle(s.y, a, HANDLE_HALF_WIDTH_METRES + 0.0 * a, wide)
    shade = _door_panel(a, s.y, half, s.hy)
    face = side_mask(s)
    return s.x * 0.0, bar * face, where(face > 0.5, shade * lit, 1.0), s.x * 0.0


def fridge(s: SurfacePoint) -> TextureSample:
    """Return a freezer door above a fridge door, each with a long handle."""
    split = 0.36 * s.hy
    gap = near_mask(s.y, split, 0.008)
    side = s.hx - 0.07
    over = near_mask(s.y, split + 0.2, 0.13)
    under = near_mask(s.y, split - 0.33, 0.26)
    bar = near_mask(s.x, side, 0.017) * np.maximum(over, under) * front_mask(s)
    shadow = near_mask(s.x, side - 0.026, 0.012) * np.maximum(over, under) * front_mask(s)
    rim = where(np.minimum(s.hx - np.abs(s.x), s.hy - np.abs(s.y)) < 0.012, 0.8, 1.0)
    plate = near_mask(s.x, -0.6 * s.hx, 0.05) * near_mask(s.y, 0.85 * s.hy, 0.012) * front_mask(s)
    foot = where(s.y < 0.06 - s.hy, 0.5, 1.0)
    gaps = 1.0 - 0.65 * gap * side_mask(s)
    shade = gaps * where(s.fz > 0.5, rim, 0.93) * foot * (1.0 - 0.3 * shadow)
    return bar, plate, shade, s.x * 0.0


def microwave(s: SurfacePoint) -> TextureSample:
    """Return a dark pane with a handle, beside a panel of buttons; the pane glows when on."""
    u, v = s.x / s.hx, s.y / s.hy
    pane = range_mask(u, -0.88, 0.36) * near_mask(v, 0.0, 0.7)
    handle = near_mask(u, 0.46, 0.035) * near_mask(v, 0.0, 0.75)
    panel = range_mask(u, 0.54, 0.94) * near_mask(v, 0.0, 0.88)
    keys = panel * where(v < 0.35, 1.0, 0.0)
    key = keys * near_mask(fract((u - 0.54) * 7.5), 0.5, 0.33)
    key = key * near_mask(fract((v + 0.9) * 4.4), 0.5, 0.3)
    clock = panel * range_mask(v, 0.5, 0.78) * range_mask(u, 0.6, 0.88)
    face = front_mask(s)
    dark = np.maximum(pane, panel * (1.0 - key) * (1.0 - clock)) * face
    lit = clock * face
    warm = pane * face * s.on
    shade = 1.0 - 0.12 * handle * face + 0.3 * pane * near_mask(fract(u + v), 0.2, 0.06)
    return lit + 0.8 * warm, dark * (1.0 - 0.8 * warm), shade, np.maximum(lit, warm)


def toaster(s: SurfacePoint) -> TextureSample:
    """Return two slots on top, red hot when on, and a lever at the front."""
    inside = np.maximum(where(s.fx * s.x + s.fz * s.z < 0.0, 1.0, 0.0), top_mask(s))
    # A ray that hits the inside came through the upper side, where the slots are.
    back = inside * (s.hy - s.y) / where(np.abs(s.dy) < 1e-6, -1e-6, s.dy)
    x, z = s.x + back * s.dx, s.z + back * s.dz
    long_x = s.hx >= s.hz
    along = where(long_x, x / s.hx, z / s.hz)
    beside = where(long_x, z / s.hz, x / s.hx)
    slot = near_mask(np.abs(beside), 0.36, 0.16) * near_mask(along, 0.0, 0.76)
    hole, side = slot * inside, side_mask(s) * (1.0 - inside)
    lever = near_mask(s.x, 0.0, 0.018) * near_mask(s.y, 0.1 * s.hy, 0.02) * side
    base = where(s.y < -0.7 * s.hy, 1.0, 0.0) * side
    band = 1.0 + 0.12 * near_mask(s.y, 0.55 * s.hy, 0.06 * s.hy) * side + 0.08 * inside
    red = hole * s.on
    return red, np.maximum(np.maximum(hole, lever), base) * (1.0 - red), band, red


def coffee_machine(s: SurfacePoint) -> TextureSample:
    """Return a dark machine with a bright band, a nozzle and a lamp that glows when on."""
    u, v = s.x / s.hx, s.y / s.hy
    face = where(s.fz > 0.5, 1.0, 0.0)
    band = near_mask(v, 0.55, 0.1) * side_mask(s)
    spout = near_mask(u, 0.0, 0.2) * range_mask(v, 0.15, 0.45) * face
    lamp = near_mask(u, 0.6, 0.1) * near_mask(v, 0.78, 0.05) * face
    tray = top_mask(s) * where(v < 0.0, 1.0, 0.0) * near_mask(fract(s.x / 0.02), 0.5, 0.25)
    on = lamp * s.on
    shade = 1.0 + 0.15 * near_mask(v, 0.8, 0.1) * face
    return np.maximum(band, tray * 0.6), np.maximum(spout * 0.4, on), shade, on


def oven(s: SurfacePoint) -> TextureSample:
    """Return an oven door with a window and a bar handle, under a panel."""
    a, half, low = side_coordinate(s), side_half_width(s), s.y + s.hy
    pane = near_mask(a, 0.0, half - 0.1) * range_mask(low, 0.3, 0.56)
    bar = near_mask(a, 0.0, half - 0.06) * near_mask(low, 0.66, 0.014)
    shadow = near_mask(a, 0.0, half - 0.06) * near_mask(low, 0.635, 0.012)
    seam = np.maximum(near_mask(low, 0.72, 0.004), near_mask(low, 0.16, 0.004))
    face = side_mask(s)
    sheen = 1.0 + 0.25 * pane * near_mask(fract((a + low) * 1.5), 0.3, 0.07)
    shade = sheen * (1.0 - 0.5 * seam * face) * (1.0 - 0.3 * shadow * face)
    return bar * face, pane * face, shade, s.x * 0.0


def safe(s: SurfacePoint) -> TextureSample:
    """Return a steel door with a dial."""
    r = np.sqrt(s.x * s.x + s.y * s.y)
    dial = where(r < 0.05, 1.0, 0.0) * front_mask(s)
    mark = near_mask(s.x, 0.0, 0.006) * range_mask(s.y, 0.02, 0.045) * dial
    return dial * (1.0 - mark), mark, _door_panel(s.x, s.y, s.hx, s.hy), s.x * 0.0
