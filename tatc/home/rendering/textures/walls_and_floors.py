"""Textures of the room itself: floors, walls, and what hangs on the walls."""

import numpy as np

from tatc.home.camera.ray_intersection import where
from tatc.home.rendering.textures import surface_point

TILE_METRES, FLOORBOARD_WIDTH_METRES, FLOORBOARD_LENGTH_METRES = (0.4, 0.13, 1.1)
SKIRTING_HEIGHT_METRES = 0.09


def tiles(s: surface_point.SurfacePoint) -> surface_point.TextureSample:
    """Return square tiles with joints between them."""
    u, w = s.x / TILE_METRES, s.z / TILE_METRES
    du, dw = np.abs(surface_point.fract(u) - 0.5), np.abs(surface_point.fract(w) - 0.5)
    joint = where(np.maximum(du, dw) > 0.488, 1.0, 0.0)
    shade = 0.95 + 0.08 * surface_point.hash_noise(np.floor(u), np.floor(w))
    return joint, s.x * 0.0, shade, s.x * 0.0


def planks(s: surface_point.SurfacePoint) -> surface_point.TextureSample:
    """Return a floor of wooden boards."""
    row = np.floor(s.z / FLOORBOARD_WIDTH_METRES)
    along = s.x / FLOORBOARD_LENGTH_METRES + surface_point.hash_noise(row, row + 7.0)
    gap_z = surface_point.near_mask(surface_point.fract(s.z / FLOORBOARD_WIDTH_METRES), 0.5, 0.485)
    gap_x = surface_point.near_mask(surface_point.fract(along), 0.5, 0.497)
    shade = 0.86 + 0.18 * surface_point.hash_noise(row, np.floor(along))
    lines = 0.94 + 0.1 * surface_point.value_noise(s.x * 4.0, s.z * 70.0)
    return 1.0 - gap_z * gap_x, s.x * 0.0, shade * lines, s.x * 0.0


def wall(s: surface_point.SurfacePoint) -> surface_point.TextureSample:
    """Return plaster, or a ceiling, with a skirting board and tiles from p to q, metres up."""
    height = s.y + s.hy
    side = surface_point.side_mask(s)
    board = side * where(height < SKIRTING_HEIGHT_METRES, 1.0, 0.0)
    seam = 1.0 - 0.25 * side * surface_point.near_mask(height, SKIRTING_HEIGHT_METRES, 0.006)
    course = np.floor(height / 0.1)
    along = surface_point.side_coordinate(s) / 0.2 + 0.5 * surface_point.fract(course * 0.5) * 2.0
    joint = np.maximum(
        1.0 - surface_point.near_mask(surface_point.fract(along), 0.5, 0.485),
        1.0 - surface_point.near_mask(surface_point.fract(height / 0.1), 0.5, 0.47),
    )
    tiled = side * surface_point.range_mask(height, s.p, s.q)
    gloss = 0.96 + 0.06 * surface_point.hash_noise(np.floor(along), course)
    shade = where(tiled > 0.5, gloss - 0.14 * joint, seam)
    ceiling = where(s.fy < -0.5, 1.0, 0.0)
    shade = where(s.fy < -0.5, 1.28, shade)  # a ceiling is lit from below
    return s.x * 0.0 + tiled, np.maximum(board, ceiling), shade, s.x * 0.0


def window(s: surface_point.SurfacePoint) -> surface_point.TextureSample:
    """Return a window: sky above hills, behind a frame with a cross."""
    a, half = surface_point.side_coordinate(s), surface_point.side_half_width(s)
    u, v = a / half, s.y / s.hy
    hill = -0.35 + 0.25 * surface_point.value_noise(u * 1.5 + s.seed * 9.0, s.seed) - 0.1 * u * u
    cloud = surface_point.value_noise(u * 2.0 + s.seed * 5.0, v * 4.0)
    cloud = surface_point.linear_step(cloud, 0.55, 0.8) * surface_point.linear_step(v, 0.0, 0.5)
    land = where(v < hill, 1.0, 0.0)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    frame = where(edge < 0.05, 1.0, 0.0)
    bars = np.maximum(
        surface_point.near_mask(a, 0.0, 0.018), surface_point.near_mask(s.y, 0.15 * s.hy, 0.018)
    )
    frame = np.maximum(np.maximum(frame, bars), 1.0 - surface_point.side_mask(s))
    green = land * (1.0 - frame)
    white = np.maximum(frame, cloud * (1.0 - land) * 0.8)
    glow = 1.0 - frame
    shade = where(frame > 0.5, 0.95, 0.82 + 0.2 * v * (1.0 - land))
    return green, white, shade, glow


def curtain(s: surface_point.SurfacePoint) -> surface_point.TextureSample:
    """Return a curtain in vertical folds, under a rod."""
    fold = surface_point.fract(surface_point.side_coordinate(s) / 0.11 + 0.08 * s.y)
    fold = np.abs(fold - 0.5) * 2.0
    hem = surface_point.near_mask(s.y, -s.hy + 0.06, 0.01)
    rod = where(s.y > s.hy - 0.03, 1.0, 0.0)
    return hem, rod, 0.72 + 0.33 * fold, s.x * 0.0


def blinds(s: surface_point.SurfacePoint) -> surface_point.TextureSample:
    """Return horizontal slats with two cords."""
    slat = surface_point.fract((s.y + s.hy) / 0.045)
    a, half = surface_point.side_coordinate(s), surface_point.side_half_width(s)
    cord = surface_point.near_mask(np.abs(a), 0.6 * half, 0.006)
    return s.x * 0.0, cord, 0.72 + 0.3 * slat, s.x * 0.0


def painting(s: surface_point.SurfacePoint) -> surface_point.TextureSample:
    """Return a framed picture: hills under the sun."""
    a, half = surface_point.side_coordinate(s), surface_point.side_half_width(s)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    rim = where(edge < 0.035, 1.0, 0.0)
    u, v = a / half, s.y / s.hy
    ridge = -0.2 + 0.5 * surface_point.value_noise(u * 2.0 + s.seed * 20.0, s.seed * 7.0)
    land = where(v < ridge, 1.0, 0.0)
    du, dv = (u - 0.6 * s.seed) * half, (v - 0.55) * s.hy
    sun = where(du * du + dv * dv < 0.006 * half * half / 0.1, 1.0, 0.0)
    shade = 0.8 + 0.25 * surface_point.value_noise(u * 8.0, v * 8.0)
    grass = 0.55 + 0.45 * surface_point.value_noise(u * 4.0 + s.seed, v * 6.0)
    paint = surface_point.clamp_to_unit(land * grass)
    bright = shade + 0.3 * sun * (1.0 - land)
    return paint * (1.0 - rim), rim, where(rim > 0.5, 0.9, bright), s.x * 0.0


def mirror(s: surface_point.SurfacePoint) -> surface_point.TextureSample:
    """Return a framed mirror with slanted reflections."""
    a, half = surface_point.side_coordinate(s), surface_point.side_half_width(s)
    edge = np.minimum(half - np.abs(a), s.hy - np.abs(s.y))
    rim = where(edge < 0.03, 1.0, 0.0)
    slant = surface_point.fract((a + s.y) / (1.3 * half + s.hy) + 0.3)
    wide = surface_point.range_mask(slant, 0.1, 0.22)
    shine = wide + 0.6 * surface_point.range_mask(slant, 0.3, 0.36)
    sky = 0.84 + 0.12 * (s.y / s.hy)
    return shine * 0.7 * (1.0 - rim), rim, where(rim > 0.5, 1.0, sky), (1.0 - rim) * 0.5


def switch(s: surface_point.SurfacePoint) -> surface_point.TextureSample:
    """Return a light switch: a plate with a rocker, which glows when on."""
    a, half = surface_point.side_coordinate(s), surface_point.side_half_width(s)
    rocker = surface_point.near_mask(a, 0.0, 0.4 * half)
    rocker = rocker * surface_point.near_mask(s.y, 0.0, 0.55 * s.hy)
    tilt = where(s.y * (2.0 * s.on - 1.0) > 0.0, 1.0, 0.8)
    lamp = rocker * s.on * surface_point.range_mask(s.y, 0.2 * s.hy, 0.4 * s.hy)
    return rocker, lamp, where(rocker > 0.5, tilt, 1.0), lamp


def carpet(s: surface_point.SurfacePoint) -> surface_point.TextureSample:
    """Return a carpet of fine noise."""
    fine = surface_point.value_noise(s.x * 60.0, s.z * 60.0)
    return s.x * 0.0, s.x * 0.0, 0.88 + 0.16 * fine, surface_point.top_mask(s) * 0.0
