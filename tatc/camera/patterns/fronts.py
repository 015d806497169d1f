"""Patterns of what has a front: doors, drawers, and the machines of a kitchen."""

import numpy as np

from tatc.camera.patterns.spot import (
    Spot,
    Tint,
    above,
    across,
    breadth,
    fract,
    front,
    grain,
    near,
    upright,
    within,
)
from tatc.camera.rays import Floats
from tatc.camera.tracing import pick

BAR = 0.009
"""Half the width of a handle, metres."""


def _panel(a: Floats, y: Floats, half: Floats, tall: Floats) -> Floats:
    """Return the brightness of a door with a sunken panel and a gap around it."""
    edge = np.minimum(half - np.abs(a), tall - np.abs(y))
    gap = pick(edge < 0.006, 0.45, 1.0)
    lit = pick((y > 0.0) | (a < 0.0), 0.74, 1.1)
    inset = np.minimum(0.062, 0.3 * np.minimum(half, tall))
    groove = near(edge, inset, 0.006)
    return gap * pick(groove > 0.5, lit, pick(edge > inset, 0.96, 1.0))


def _bar(a: Floats, y: Floats, half: Floats, tall: Floats) -> tuple[Floats, Floats]:
    """Return where a handle is, and its brightness with the shadow beside it."""
    bar = near(a, 0.0, half) * near(y, 0.0, tall)
    shadow = near(a, 0.012, half) * near(y, -0.014, tall) * (1.0 - bar)
    round_ = 1.15 - 0.4 * np.abs(a) / half
    return bar, pick(bar > 0.5, round_, 1.0 - 0.35 * shadow)


def cabinet(s: Spot) -> Tint:
    """Return a door: its handle low where p is 1 (it hangs), else high."""
    a, half = across(s), breadth(s)
    side = pick(s.seed > 0.5, 1.0, -1.0)
    at_y = pick(s.p > 0.5, -1.0, 1.0) * np.maximum(s.hy - 0.16, 0.0)
    tall = np.minimum(0.065, 0.4 * s.hy)
    bar, lit = _bar(a - side * (half - 0.035), s.y - at_y, BAR + 0.0 * a, tall)
    door, shade = upright(s), _panel(a, s.y, half, s.hy)
    wood = 0.97 + 0.03 * grain(s.y, a, s.seed)
    return s.x * 0.0, bar * door, pick(door > 0.5, shade * lit * wood, 1.0), s.x * 0.0


def drawer(s: Spot) -> Tint:
    """Return a drawer's front with a level handle in its middle."""
    a, half = across(s), breadth(s)
    wide = np.minimum(0.075, 0.45 * half)
    bar, lit = _bar(s.y, a, BAR + 0.0 * a, wide)
    shade = _panel(a, s.y, half, s.hy)
    face = upright(s)
    return s.x * 0.0, bar * face, pick(face > 0.5, shade * lit, 1.0), s.x * 0.0


def fridge(s: Spot) -> Tint:
    """Return a freezer's door over a fridge's, each with a long handle."""
    split = 0.36 * s.hy
    gap = near(s.y, split, 0.008)
    side = s.hx - 0.07
    over = near(s.y, split + 0.2, 0.13)
    under = near(s.y, split - 0.33, 0.26)
    bar = near(s.x, side, 0.017) * np.maximum(over, under) * front(s)
    shadow = near(s.x, side - 0.026, 0.012) * np.maximum(over, under) * front(s)
    rim = pick(np.minimum(s.hx - np.abs(s.x), s.hy - np.abs(s.y)) < 0.012, 0.8, 1.0)
    plate = near(s.x, -0.6 * s.hx, 0.05) * near(s.y, 0.85 * s.hy, 0.012) * front(s)
    foot = pick(s.y < 0.06 - s.hy, 0.5, 1.0)
    gaps = 1.0 - 0.65 * gap * upright(s)
    shade = gaps * pick(s.fz > 0.5, rim, 0.93) * foot * (1.0 - 0.3 * shadow)
    return bar, plate, shade, s.x * 0.0


def microwave(s: Spot) -> Tint:
    """Return a dark pane with a handle, and buttons beside it; it shines when on."""
    u, v = s.x / s.hx, s.y / s.hy
    pane = within(u, -0.88, 0.36) * near(v, 0.0, 0.7)
    handle = near(u, 0.46, 0.035) * near(v, 0.0, 0.75)
    panel = within(u, 0.54, 0.94) * near(v, 0.0, 0.88)
    keys = panel * pick(v < 0.35, 1.0, 0.0)
    key = keys * near(fract((u - 0.54) * 7.5), 0.5, 0.33)
    key = key * near(fract((v + 0.9) * 4.4), 0.5, 0.3)
    clock = panel * within(v, 0.5, 0.78) * within(u, 0.6, 0.88)
    face = front(s)
    dark = np.maximum(pane, panel * (1.0 - key) * (1.0 - clock)) * face
    lit = clock * face
    warm = pane * face * s.on
    shade = 1.0 - 0.12 * handle * face + 0.3 * pane * near(fract(u + v), 0.2, 0.06)
    return lit + 0.8 * warm, dark * (1.0 - 0.8 * warm), shade, np.maximum(lit, warm)


def toaster(s: Spot) -> Tint:
    """Return two slots above, red hot when on, and a lever at the front."""
    inside = np.maximum(pick(s.fx * s.x + s.fz * s.z < 0.0, 1.0, 0.0), above(s))
    # What is seen of the inside came through the upper side: there the slots are.
    back = inside * (s.hy - s.y) / pick(np.abs(s.dy) < 1e-6, -1e-6, s.dy)
    x, z = s.x + back * s.dx, s.z + back * s.dz
    long_x = s.hx >= s.hz
    along = pick(long_x, x / s.hx, z / s.hz)
    beside = pick(long_x, z / s.hz, x / s.hx)
    slot = near(np.abs(beside), 0.36, 0.16) * near(along, 0.0, 0.76)
    hole, side = slot * inside, upright(s) * (1.0 - inside)
    lever = near(s.x, 0.0, 0.018) * near(s.y, 0.1 * s.hy, 0.02) * side
    base = pick(s.y < -0.7 * s.hy, 1.0, 0.0) * side
    band = 1.0 + 0.12 * near(s.y, 0.55 * s.hy, 0.06 * s.hy) * side + 0.08 * inside
    red = hole * s.on
    return red, np.maximum(np.maximum(hole, lever), base) * (1.0 - red), band, red


def coffee_machine(s: Spot) -> Tint:
    """Return a dark machine with a bright band, a nozzle and a lamp."""
    u, v = s.x / s.hx, s.y / s.hy
    face = pick(s.fz > 0.5, 1.0, 0.0)
    band = near(v, 0.55, 0.1) * upright(s)
    spout = near(u, 0.0, 0.2) * within(v, 0.15, 0.45) * face
    lamp = near(u, 0.6, 0.1) * near(v, 0.78, 0.05) * face
    tray = above(s) * pick(v < 0.0, 1.0, 0.0) * near(fract(s.x / 0.02), 0.5, 0.25)
    on = lamp * s.on
    shade = 1.0 + 0.15 * near(v, 0.8, 0.1) * face
    return np.maximum(band, tray * 0.6), np.maximum(spout * 0.4, on), shade, on


def oven(s: Spot) -> Tint:
    """Return an oven's door with its pane and its bar, under a panel."""
    a, half, low = across(s), breadth(s), s.y + s.hy
    pane = near(a, 0.0, half - 0.1) * within(low, 0.3, 0.56)
    bar = near(a, 0.0, half - 0.06) * near(low, 0.66, 0.014)
    shadow = near(a, 0.0, half - 0.06) * near(low, 0.635, 0.012)
    seam = np.maximum(near(low, 0.72, 0.004), near(low, 0.16, 0.004))
    face = upright(s)
    sheen = 1.0 + 0.25 * pane * near(fract((a + low) * 1.5), 0.3, 0.07)
    shade = sheen * (1.0 - 0.5 * seam * face) * (1.0 - 0.3 * shadow * face)
    return bar * face, pane * face, shade, s.x * 0.0


def safe(s: Spot) -> Tint:
    """Return a steel door with a dial."""
    r = np.sqrt(s.x * s.x + s.y * s.y)
    dial = pick(r < 0.05, 1.0, 0.0) * front(s)
    mark = near(s.x, 0.0, 0.006) * within(s.y, 0.02, 0.045) * dial
    return dial * (1.0 - mark), mark, _panel(s.x, s.y, s.hx, s.hy), s.x * 0.0
