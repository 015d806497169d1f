"""Textures of furniture, and of objects with a front: doors, drawers and kitchen appliances."""

import numpy as np

from tatc.home.camera.ray_intersection import where
from tatc.home.camera.rays import Floats
from tatc.home.rendering.textures.surface_point import (
    SurfacePoint,
    TextureSample,
    axis_distance,
    clamp_to_unit,
    fract,
    front_mask,
    near_mask,
    range_mask,
    side_coordinate,
    side_half_width,
    side_mask,
    top_mask,
    value_noise,
    wood_grain,
)

BEYOND_OBJECT_METRES = 1e9  # farther than any point within an object, metres
HANDLE_HALF_WIDTH_METRES = 0.009


def wood(s: SurfacePoint) -> TextureSample:
    """Return wood with its grain along the longer side."""
    long_x = s.hx >= s.hz
    along, beside = where(long_x, s.x, s.z), where(long_x, s.z, s.x)
    top = wood_grain(along, beside, s.seed)
    side = wood_grain(where(long_x, s.x, s.z), s.y, s.seed)
    shade = where(np.abs(s.fy) > 0.5, top, side)
    return s.x * 0.0, s.x * 0.0, shade, s.x * 0.0


def stone(s: SurfacePoint) -> TextureSample:
    """Return a speckled worktop with darker sides."""
    speck = value_noise(s.x * 90.0, s.z * 90.0 + s.y * 70.0)
    dark = where(speck > 0.72, 1.0, 0.0)
    vein = value_noise(s.x * 6.0, s.z * 6.0)
    return dark * 0.5, s.x * 0.0, (0.95 + 0.07 * vein) * (1.0 - 0.08 * side_mask(s)), s.x * 0.0


def _leg_depth(s: SurfacePoint, at_x: Floats, at_z: Floats, thick: Floats) -> Floats:
    """Return how far along the ray an upright leg is met; `BEYOND_OBJECT_METRES` for a miss."""
    ix = 1.0 / where(np.abs(s.dx) < 1e-9, 1e-9, s.dx)
    iz = 1.0 / where(np.abs(s.dz) < 1e-9, 1e-9, s.dz)
    x0, x1 = (at_x - thick - s.x) * ix, (at_x + thick - s.x) * ix
    z0, z1 = (at_z - thick - s.z) * iz, (at_z + thick - s.z) * iz
    enter = np.maximum(np.minimum(x0, x1), np.minimum(z0, z1))
    leave = np.minimum(np.maximum(x0, x1), np.maximum(z0, z1))
    enter = np.maximum(enter, 0.0)
    y = s.y + enter * s.dy
    return where((leave >= enter) & (y > -s.hy) & (y < s.hy), enter, BEYOND_OBJECT_METRES)


def legs(s: SurfacePoint) -> TextureSample:
    """Return a seat on legs: p is the seat's share of the height, q a leg's thickness, metres."""
    ax, az = s.hx - s.q, s.hz - s.q
    one = np.minimum(_leg_depth(s, ax, az, s.q), _leg_depth(s, -ax, az, s.q))
    two = np.minimum(_leg_depth(s, ax, -az, s.q), _leg_depth(s, -ax, -az, s.q))
    time = np.minimum(one, two)
    low = s.y + s.hy
    seat = where((low > (1.0 - s.p) * 2.0 * s.hy) | (s.fy > 0.5), 1.0, 0.0)
    hollow = (1.0 - seat) * where(time > 0.5 * BEYOND_OBJECT_METRES, 1.0, 0.0)
    floor = (-s.hy - s.y) / where(s.dy < -1e-6, s.dy, -1e-6)
    u, w = s.x + floor * s.dx, s.z + floor * s.dz
    inside = where((np.abs(u) < s.hx) & (np.abs(w) < s.hz), 1.0, 0.0)
    dark = 0.72 * inside + 0.5 * (1.0 - inside)
    depth = 1.0 / (1.0 + 1.2 * where(time > 0.5 * BEYOND_OBJECT_METRES, 0.0, time))
    shade = where(seat > 0.5, 1.0, depth)
    edge = near_mask(low, (1.0 - s.p) * 2.0 * s.hy, 0.004) * side_mask(s)
    cushion = top_mask(s)
    bright = where(hollow > 0.5, dark, shade * (1.0 - 0.3 * edge))
    return cushion, hollow, bright, s.x * 0.0


def bed(s: SurfacePoint) -> TextureSample:
    """Return a mattress with a blanket and two pillows, on a frame."""
    low, foot = s.y + s.hy, s.z / s.hz
    side = side_mask(s)
    frame = side * where(low < 0.42 * s.p, 1.0, 0.0)
    pillow = where(foot < -0.62, 1.0, 0.0) * near_mask(np.abs(s.x), 0.48 * s.hx, 0.4 * s.hx)
    pillow = pillow * where(foot > -0.95, 1.0, 0.0) * top_mask(s)
    pu = (np.abs(s.x) / s.hx - 0.48) / 0.4
    pw = (foot + 0.785) / 0.165
    puff = 1.06 - 0.16 * (pu * pu * pu * pu + pw * pw * pw * pw)
    fold = range_mask(foot, -0.5, -0.36)
    blanket = where(foot > -0.5, 1.0, 0.0) * (1.0 - frame) * (1.0 - 0.55 * fold)
    quilt = near_mask(fract(s.x / 0.28), 0.5, 0.48) * near_mask(fract(s.z / 0.28), 0.5, 0.48)
    crease = 0.93 + 0.1 * value_noise(s.x * 3.0, s.z * 3.0)
    shade = where(pillow > 0.5, puff, crease * where(blanket > 0.5, 0.88 + 0.12 * quilt, 1.0))
    back = where(foot < -0.97, 1.0, 0.0) * side
    return blanket * (1.0 - back), np.maximum(frame, back), shade, s.x * 0.0


def sofa(s: SurfacePoint) -> TextureSample:
    """Return a padded seat with seams between its cushions."""
    count = np.maximum(np.floor(s.hx * 2.0 / 0.62 + 0.5), 1.0)
    cell = fract((s.x / s.hx + 1.0) * 0.5 * count) - 0.5
    seam = 1.0 - near_mask(cell, 0.0, 0.488)
    puff = 1.05 - 0.5 * cell * cell
    low = where(s.y < -s.hy + 0.07, 0.45, 1.0)
    weave = 0.94 + 0.08 * value_noise(s.x * 50.0 + s.z * 31.0, s.y * 50.0 + s.z * 40.0)
    inner = where(np.abs(s.fx) > 0.5, 1.0, puff * (1.0 - 0.35 * seam))
    return s.x * 0.0, s.x * 0.0, inner * low * weave, s.x * 0.0


def shelves(s: SurfacePoint) -> TextureSample:
    """Return the wood of a shelving unit, with a light rim around its sides."""
    wood_ = wood_grain(s.x, s.y, s.seed)
    a, half = side_coordinate(s), side_half_width(s)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    rim = where(edge < 0.025, 1.0, 0.84)
    return s.x * 0.0, s.x * 0.0, wood_ * where(side_mask(s) > 0.5, rim, 1.0), s.x * 0.0


def lamp(s: SurfacePoint) -> TextureSample:
    """Return a lamp's shade above its stand; p is the shade's share of the height."""
    v = 0.5 + 0.5 * s.y / s.hy
    shade = where(v > 1.0 - s.p, 1.0, 0.0)
    glow = shade * s.on
    rim = near_mask(v, 1.0 - s.p, 0.01)
    pleat = 0.95 + 0.05 * near_mask(fract(side_coordinate(s) / 0.03), 0.5, 0.25)
    bright = where(shade > 0.5, pleat * (1.0 - 0.15 * rim), 0.8 + 0.3 * (1.0 - axis_distance(s)))
    return shade, s.x * 0.0, bright, glow


def plant(s: SurfacePoint) -> TextureSample:
    """Return leaves above a pot; p is the pot's share of the height."""
    v = 0.5 + 0.5 * s.y / s.hy
    pot = where(v < s.p, 1.0, 0.0)
    lip = range_mask(v, s.p - 0.06, s.p)
    turn = side_coordinate(s) / 0.055 + 0.5 * fract(np.floor(s.y / 0.06) * 0.5)
    rise = s.y / 0.06
    du, dv = fract(turn) - 0.5, fract(rise) - 0.4
    leaf = where(du * du * 3.0 + dv * dv * 1.4 < 0.34, 1.0, 0.0)
    vein = near_mask(du, 0.0, 0.05)
    tone = value_noise(np.floor(turn) * 7.3 + s.seed * 31.0, np.floor(rise) * 5.1)
    tone = 0.62 + 0.55 * tone
    green = where(leaf > 0.5, tone * (1.0 + 0.15 * vein), 0.38)
    return 1.0 - pot, s.x * 0.0, where(pot > 0.5, 1.0 + 0.12 * lip, green), s.x * 0.0


def bin(s: SurfacePoint) -> TextureSample:
    """Return a bin with a rim and ribs, dark inside."""
    v = s.y / s.hy
    rim = where(v > 0.9, 1.0, 0.0)
    rib = near_mask(fract(side_coordinate(s) / 0.05), 0.5, 0.42)
    inside = clamp_to_unit(-(s.fx * s.x + s.fz * s.z) * 30.0) * side_mask(s)
    dark = 1.0 - 0.45 * inside - 0.3 * top_mask(s) * where(v < 0.5, 1.0, 0.0)
    return rim, s.x * 0.0, dark * (0.93 + 0.07 * rib), s.x * 0.0


def basket(s: SurfacePoint) -> TextureSample:
    """Return wickerwork."""
    row = np.floor(s.y / 0.03)
    weave = fract(side_coordinate(s) / 0.06 + 0.5 * fract(row * 0.5) * 2.0)
    bulge = 0.75 + 0.35 * (1.0 - np.abs(weave - 0.5) * 2.0)
    line = 1.0 - 0.25 * where(fract(s.y / 0.03) < 0.15, 1.0, 0.0)
    return s.x * 0.0, s.x * 0.0, bulge * line, s.x * 0.0


def toilet(s: SurfacePoint) -> TextureSample:
    """Return porcelain: a seat around a bowl, with a button on the tank."""
    u, w = s.x / s.hx, (s.z / s.hz - 0.25) / 0.7
    r = u * u + w * w
    top = top_mask(s)
    bowl = where(r < 0.42, 1.0, 0.0) * top
    ring = near_mask(r, 0.8, 0.03) * top
    lever = near_mask(s.x, -0.6 * s.hx, 0.04) * near_mask(s.y, 0.85 * s.hy, 0.012) * side_mask(s)
    return bowl, lever, 1.0 - 0.2 * ring, s.x * 0.0


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
    wide = HANDLE_HALF_WIDTH_METRES + 0.0 * a
    bar, lit = _door_handle(a - side * (half - 0.035), s.y - at_y, wide, tall)
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
