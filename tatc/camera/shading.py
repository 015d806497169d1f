"""From a place that a ray has met to a colour: which way it faces, its pattern, light.

The formulas take numbers and arrays alike (see `tracing`).  Of a solid they know a
column of numbers: where it lies, whose look it has (`looks` says which), and what
state its object is in.
"""

import numpy as np

from tatc.camera.patterns.spot import Spot, Tint, noise
from tatc.camera.rays import Floats, Ints
from tatc.camera.tracing import DISC, pick

# fmt: off
(
    MIDDLE_X, MIDDLE_Y, MIDDLE_Z, SINE, COSINE, OVER_X, OVER_Y, OVER_Z, BODY,
    OWN_X, OWN_Y, OWN_Z, OWN_SINE, OWN_COSINE, HALF_X, HALF_Y, HALF_Z,
    KIND, FIRST, SECOND, THIRD, P, Q, ON, FULL, DIRT, GLOSS, SEED,
) = (*range(19), 21, 24, *range(27, 34))
# fmt: on
NUMBERS = 34
"""How many numbers a solid has; from FIRST, SECOND and THIRD on are three colours."""

Vectors = tuple[Floats, Floats, Floats]

Grid = tuple[float, float, float, float, float, float, float]

MUD = (92.0, 66.0, 40.0)
"""The colour of dirt."""
SUN = (0.36, 0.80, 0.48)
"""Where light comes from, besides everywhere."""
NOWHERE = 128
"""How grey it is where there is nothing at all."""
FACE = 0.999
"""How near a disc's face a place on it counts as on it, as a share of the thickness."""
OFF = 0.09
"""How far off a surface its surroundings are looked at for shade, metres."""


def facing(solid: Floats, at: Vectors, ray: Vectors) -> Vectors:
    """Return which way a solid faces at a place on it: towards the ray's origin."""
    x, y, z = at[0] - solid[MIDDLE_X], at[1] - solid[MIDDLE_Y], at[2] - solid[MIDDLE_Z]
    sine, cosine = solid[SINE], solid[COSINE]
    x, z = x * cosine - z * sine, x * sine + z * cosine
    u, v, w = x * solid[OVER_X], y * solid[OVER_Y], z * solid[OVER_Z]
    body = solid[BODY]
    is_round, is_smooth, is_disc = body > 0.5, body > 1.5, body > 2.5
    around, beside = u * u + w * w, u * u >= w * w
    level = v * v >= pick(is_round, around, np.maximum(u * u, w * w))
    nx = pick(level, 0.0, pick(is_round, u, pick(beside, _sign(u), 0.0)))
    nz = pick(level, 0.0, pick(is_round, w, pick(beside, 0.0, _sign(w))))
    ny = pick(level, _sign(v), 0.0)
    a, b, c = u * solid[OVER_X], v * solid[OVER_Y], w * solid[OVER_Z]
    # A disc's face looks along its shortest side, its rim across it.
    side = body - DISC  # 0 for a disc about its x, 1 about y, 2 about z
    on_face = pick(side < 0.5, u * u, pick(side < 1.5, v * v, w * w)) > FACE
    a = pick(is_disc & ((side == 0.0) != on_face), 0.0, a)
    b = pick(is_disc & ((side == 1.0) != on_face), 0.0, b)
    c = pick(is_disc & ((side == 2.0) != on_face), 0.0, c)
    over = 1.0 / np.sqrt(np.maximum(a * a + b * b + c * c, 1e-12))
    nx, ny = pick(is_smooth, a * over, nx), pick(is_smooth, b * over, ny)
    nz = pick(is_smooth, c * over, nz)
    nx, nz = nx * cosine + nz * sine, nz * cosine - nx * sine
    away = nx * ray[0] + ny * ray[1] + nz * ray[2]
    turn = pick(away > 0.0, -1.0, 1.0)
    return nx * turn, ny * turn, nz * turn


def _sign(value: Floats) -> Floats:
    return pick(value < 0.0, -1.0, 1.0)


def spot_on(solid: Floats, at: Vectors, face: Vectors, ray: Vectors) -> Spot:
    """Return a place in the axes of the object that it belongs to."""
    sine, cosine = solid[OWN_SINE], solid[OWN_COSINE]
    x, z = at[0] - solid[OWN_X], at[2] - solid[OWN_Z]
    return Spot(
        x * cosine - z * sine,
        at[1] - solid[OWN_Y],
        x * sine + z * cosine,
        face[0] * cosine - face[2] * sine,
        face[1],
        face[0] * sine + face[2] * cosine,
        solid[HALF_X],
        solid[HALF_Y],
        solid[HALF_Z],
        ray[0] * cosine - ray[2] * sine,
        ray[1],
        ray[0] * sine + ray[2] * cosine,
        solid[P],
        solid[Q],
        solid[ON],
        solid[FULL],
        solid[SEED],
    )


def grime(s: Spot) -> Floats:
    """Return where dirt sits: brown spots all over, from 0 to 1."""
    fine = noise(s.x * 45.0 + s.seed * 90.0 + s.y * 31.0, s.z * 45.0 + s.y * 37.0)
    coarse = noise(s.x * 13.0 + s.y * 11.0, s.z * 13.0 - s.y * 9.0 + s.seed * 70.0)
    return pick(fine * 0.55 + coarse * 0.6 > 0.56, 0.85, 0.12)


def openness(air: Floats, grid: Grid, at: Vectors, face: Vectors) -> Floats:
    """Return how much light comes to a place from around, from 0 to 1.

    `air` holds that for the corners of cells, along x, then y, then z; `grid` is the
    lowest corner, one over a cell's side, and the number of corners each way.
    """
    x = _held((at[0] + OFF * face[0] - grid[0]) * grid[3], grid[4])
    y = _held((at[1] + OFF * face[1] - grid[1]) * grid[3], grid[5])
    z = _held((at[2] + OFF * face[2] - grid[2]) * grid[3], grid[6])
    left, low, front = np.floor(x), np.floor(y), np.floor(z)
    u, v, w = x - left, y - low, z - front
    layer, row = grid[5] * grid[6], grid[6]
    first = left * layer + low * row + front
    a, b = cell(first), cell(first + row)
    c, d = cell(first + layer), cell(first + layer + row)
    rest = 1.0 - w
    near = (air[a] * rest + air[a + 1] * w) * (1.0 - v)
    near = near + (air[b] * rest + air[b + 1] * w) * v
    far = (air[c] * rest + air[c + 1] * w) * (1.0 - v)
    far = far + (air[d] * rest + air[d + 1] * w) * v
    return near * (1.0 - u) + far * u


def _held(place: Floats, count: float) -> Floats:
    """Return a place among so many corners, no farther out than they are."""
    return np.minimum(np.maximum(place, 0.0), count - 1.001)


def cell(number: Floats) -> Ints:
    """Return whole numbers as what an array is indexed with."""
    return number.astype(np.int64)


def colour(
    solid: Floats, tint: Tint, dirt: Floats, face: Vectors, ray: Vectors, open_: Floats
) -> Vectors:
    """Return red, green and blue, from 0 to 255 and maybe beyond."""
    second, third, bright, glow = tint
    sun = face[0] * SUN[0] + face[1] * SUN[1] + face[2] * SUN[2]
    around = 0.74 + 0.10 * face[1] + 0.05 * np.abs(face[0])
    square = ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]
    head = face[0] * ray[0] + face[1] * ray[1] + face[2] * ray[2]
    head = head * head / square
    gleam = head * head * solid[GLOSS]
    lit = (around + 0.3 * np.maximum(sun, 0.0) + 0.06 * head) * open_
    lit = bright * (lit * (1.0 - glow) + glow)
    white = 36.0 * gleam * open_ * (1.0 - dirt)
    return (
        _mixed(solid, 0, second, third, dirt) * lit + white,
        _mixed(solid, 1, second, third, dirt) * lit + white,
        _mixed(solid, 2, second, third, dirt) * lit + white,
    )


def _mixed(
    solid: Floats, i: int, second: Floats, third: Floats, dirt: Floats
) -> Floats:
    """Return one part of the colour of what is seen, before light falls on it."""
    mixed = solid[FIRST + i] * (1.0 - second) + solid[SECOND + i] * second
    mixed = mixed * (1.0 - third) + solid[THIRD + i] * third
    return mixed * (1.0 - dirt) + MUD[i] * dirt


def byte(value: Floats) -> Floats:
    """Return a part of a colour as it is kept: a whole number from 0 to 255."""
    return np.floor(np.minimum(np.maximum(value, 0.0), 255.0) + 0.5)
