"""The colour of a point that a ray has hit: its normal, its texture and the light on it.

The formulas take numbers and arrays alike (see `ray_intersection`).  They know a solid only as
`INPUT_COUNT` numbers: where it is, its material (see `shader_inputs`), and its object's state.
"""

import numpy as np

from tatc.home.camera.ray_intersection import DISC, where
from tatc.home.camera.rays import Floats, Ints, VectorArrays
from tatc.home.rendering.textures.surface_point import SurfacePoint, TextureSample, value_noise

(
    CENTER_X, CENTER_Y, CENTER_Z, SINE, COSINE, INVERSE_HALF_X, INVERSE_HALF_Y, INVERSE_HALF_Z,
    SHAPE,
    OBJECT_X, OBJECT_Y, OBJECT_Z, OBJECT_SINE, OBJECT_COSINE, OBJECT_HALF_X, OBJECT_HALF_Y,
    OBJECT_HALF_Z,
    TEXTURE, FIRST_COLOUR, SECOND_COLOUR, THIRD_COLOUR, PARAMETER_P, PARAMETER_Q, IS_ON, IS_FULL,
    IS_DIRTY, GLOSS, SEED,
) = (*range(19), 21, 24, *range(27, 34))  # fmt: skip
INPUT_COUNT = 34
"""How many numbers a solid has.  The three colours take three numbers each."""

OcclusionGrid = tuple[float, float, float, float, float, float, float]

DIRT_COLOUR = (92.0, 66.0, 40.0)
LIGHT_DIRECTION = (0.36, 0.80, 0.48)
"""The direction to the light; there is also light from all around."""
BACKGROUND_GREY = 128  # the grey value, from 0 to 255, of pixels that show nothing at all
DISC_FACE_SHARE = 0.999
"""A point is on a disc's face if its offset, in half thicknesses, squared exceeds this."""
OCCLUSION_SAMPLE_METRES = 0.09  # how far off a surface the ambient occlusion is sampled, metres


def surface_normal(solid: Floats, at: VectorArrays, ray: VectorArrays) -> VectorArrays:
    """Return a solid's normal at a point on it, in world axes, facing the ray's origin."""
    x, y, z = at[0] - solid[CENTER_X], at[1] - solid[CENTER_Y], at[2] - solid[CENTER_Z]
    sine, cosine = solid[SINE], solid[COSINE]
    x, z = x * cosine - z * sine, x * sine + z * cosine
    u, v, w = (x * solid[INVERSE_HALF_X], y * solid[INVERSE_HALF_Y], z * solid[INVERSE_HALF_Z])
    body = solid[SHAPE]
    is_round, is_smooth, is_disc = body > 0.5, body > 1.5, body > 2.5
    around, beside = u * u + w * w, u * u >= w * w
    level = v * v >= where(is_round, around, np.maximum(u * u, w * w))
    nx = where(level, 0.0, where(is_round, u, where(beside, _sign_of(u), 0.0)))
    nz = where(level, 0.0, where(is_round, w, where(beside, 0.0, _sign_of(w))))
    ny = where(level, _sign_of(v), 0.0)
    a, b, c = (u * solid[INVERSE_HALF_X], v * solid[INVERSE_HALF_Y], w * solid[INVERSE_HALF_Z])
    # A disc's face points along its shortest side, its rim across that.
    side = body - DISC  # 0 for a disc about its x, 1 about y, 2 about z
    on_face = where(side < 0.5, u * u, where(side < 1.5, v * v, w * w)) > DISC_FACE_SHARE
    a = where(is_disc & ((side == 0.0) != on_face), 0.0, a)
    b = where(is_disc & ((side == 1.0) != on_face), 0.0, b)
    c = where(is_disc & ((side == 2.0) != on_face), 0.0, c)
    over = 1.0 / np.sqrt(np.maximum(a * a + b * b + c * c, 1e-12))
    nx, ny = where(is_smooth, a * over, nx), where(is_smooth, b * over, ny)
    nz = where(is_smooth, c * over, nz)
    nx, nz = nx * cosine + nz * sine, nz * cosine - nx * sine
    away = nx * ray[0] + ny * ray[1] + nz * ray[2]
    turn = where(away > 0.0, -1.0, 1.0)
    return nx * turn, ny * turn, nz * turn


def _sign_of(value: Floats) -> Floats:
    return where(value < 0.0, -1.0, 1.0)


def surface_point_at(
    solid: Floats, at: VectorArrays, face: VectorArrays, ray: VectorArrays
) -> SurfacePoint:
    """Return a point in the axes of the object that it belongs to."""
    sine, cosine = solid[OBJECT_SINE], solid[OBJECT_COSINE]
    x, z = at[0] - solid[OBJECT_X], at[2] - solid[OBJECT_Z]
    return SurfacePoint(
        x * cosine - z * sine,
        at[1] - solid[OBJECT_Y],
        x * sine + z * cosine,
        face[0] * cosine - face[2] * sine,
        face[1],
        face[0] * sine + face[2] * cosine,
        solid[OBJECT_HALF_X],
        solid[OBJECT_HALF_Y],
        solid[OBJECT_HALF_Z],
        ray[0] * cosine - ray[2] * sine,
        ray[1],
        ray[0] * sine + ray[2] * cosine,
        solid[PARAMETER_P],
        solid[PARAMETER_Q],
        solid[IS_ON],
        solid[IS_FULL],
        solid[SEED],
    )


def dirt_share(s: SurfacePoint) -> Floats:
    """Return how much dirt covers a point, from 0 to 1: brown spots all over."""
    fine = value_noise(s.x * 45.0 + s.seed * 90.0 + s.y * 31.0, s.z * 45.0 + s.y * 37.0)
    coarse = value_noise(s.x * 13.0 + s.y * 11.0, s.z * 13.0 - s.y * 9.0 + s.seed * 70.0)
    return where(fine * 0.55 + coarse * 0.6 > 0.56, 0.85, 0.12)


def sample_occlusion(
    light: Floats, grid: OcclusionGrid, at: VectorArrays, face: VectorArrays
) -> Floats:
    """Return how much light reaches a point from all around, from 0 to 1.

    `grid` is the lowest corner, one over a cell's side, and the number of corners on each axis.
    """
    return light_in_cell(light, grid, *occlusion_cell(grid, at, face))


def occlusion_cell(
    grid: OcclusionGrid, at: VectorArrays, face: VectorArrays
) -> tuple[Floats, VectorArrays]:
    """Return the cell off a surface that `sample_occlusion` samples, and the place in it.

    The cell is the index of its lowest corner; the place is from 0 to 1 on each axis.
    """
    x = _clamp_to_grid((at[0] + OCCLUSION_SAMPLE_METRES * face[0] - grid[0]) * grid[3], grid[4])
    y = _clamp_to_grid((at[1] + OCCLUSION_SAMPLE_METRES * face[1] - grid[1]) * grid[3], grid[5])
    z = _clamp_to_grid((at[2] + OCCLUSION_SAMPLE_METRES * face[2] - grid[2]) * grid[3], grid[6])
    left, low, front = np.floor(x), np.floor(y), np.floor(z)
    first = left * (grid[5] * grid[6]) + low * grid[6] + front
    return first, (x - left, y - low, z - front)


def light_in_cell(light: Floats, grid: OcclusionGrid, cell: Floats, place: VectorArrays) -> Floats:
    """Return the light at a place in a cell, between that at the cell's eight corners."""
    u, v, w = place
    layer, row = grid[5] * grid[6], grid[6]
    a, b = to_index(cell), to_index(cell + row)
    c, d = to_index(cell + layer), to_index(cell + layer + row)
    rest = 1.0 - w
    near = (light[a] * rest + light[a + 1] * w) * (1.0 - v)
    near = near + (light[b] * rest + light[b + 1] * w) * v
    far = (light[c] * rest + light[c + 1] * w) * (1.0 - v)
    far = far + (light[d] * rest + light[d + 1] * w) * v
    return near * (1.0 - u) + far * u


def _clamp_to_grid(place: Floats, count: float) -> Floats:
    return np.minimum(np.maximum(place, 0.0), count - 1.001)


def to_index(number: Floats) -> Ints:
    """Return whole numbers as array indices."""
    return number.astype(np.int64)


def lit_colour(
    solid: Floats,
    tint: TextureSample,
    dirt: Floats,
    face: VectorArrays,
    ray: VectorArrays,
    open_: Floats,
) -> VectorArrays:
    """Return the lit red, green and blue, nominally 0 to 255, not yet clipped."""
    second, third, bright, glow = tint
    sun = face[0] * LIGHT_DIRECTION[0] + face[1] * LIGHT_DIRECTION[1] + face[2] * LIGHT_DIRECTION[2]
    around = 0.74 + 0.10 * face[1] + 0.05 * np.abs(face[0])
    square = ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]
    head = face[0] * ray[0] + face[1] * ray[1] + face[2] * ray[2]
    head = head * head / square
    gleam = head * head * solid[GLOSS]
    lit = (around + 0.3 * np.maximum(sun, 0.0) + 0.06 * head) * open_
    lit = bright * (lit * (1.0 - glow) + glow)
    white = 36.0 * gleam * open_ * (1.0 - dirt)
    return (
        _surface_colour(solid, 0, second, third, dirt) * lit + white,
        _surface_colour(solid, 1, second, third, dirt) * lit + white,
        _surface_colour(solid, 2, second, third, dirt) * lit + white,
    )


def _surface_colour(solid: Floats, i: int, second: Floats, third: Floats, dirt: Floats) -> Floats:
    """Return one colour channel of a surface before light falls on it."""
    mixed = solid[FIRST_COLOUR + i] * (1.0 - second) + solid[SECOND_COLOUR + i] * second
    mixed = mixed * (1.0 - third) + solid[THIRD_COLOUR + i] * third
    return mixed * (1.0 - dirt) + DIRT_COLOUR[i] * dirt


def to_byte(value: Floats) -> Floats:
    """Return a colour channel rounded to a whole number from 0 to 255."""
    return np.floor(np.minimum(np.maximum(value, 0.0), 255.0) + 0.5)
