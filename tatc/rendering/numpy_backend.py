"""Frames with numpy: what `Geometry.seen` has traced, coloured band by band.

A band is narrow enough for its arrays to stay close to the processor.
"""

import numpy as np

from tatc.camera.geometry import NO_OBJECT, Geometry, IndexArray
from tatc.camera.ray_intersection import PreparedSolid, Rays, intersect_rays
from tatc.camera.rays import Eye, Floats, Rgb
from tatc.rendering import shading
from tatc.rendering.ambient_occlusion import AmbientOcclusion
from tatc.rendering.shading import VectorArrays
from tatc.rendering.textures import TEXTURES
from tatc.rendering.textures.surface_point import SurfacePoint, TextureSample

BAND_PIXELS = 16384
"""About how many pixels a band has."""
_TEXTURES = tuple(TEXTURES.values())


def trace_frame(geometry: Geometry, eye: Eye, size: int) -> tuple[IndexArray, Floats]:
    """Return which solids a frame shows, and how deep (`Geometry.seen`)."""
    return geometry.trace_solids(eye, np.arange(size), np.arange(size), size)


def fill_background(
    frame: IndexArray, depths: Floats, eye: Eye, room_solid: PreparedSolid, room_row: int
) -> None:
    """Let pixels that show nothing show the room around, where their rays meet it."""
    size = len(frame)
    step = max(BAND_PIXELS // size, 1)
    for top in range(0, size, step):
        rows = np.arange(top, min(top + step, size))
        free = frame[rows] == NO_OBJECT
        if not free.any():
            continue
        rays = Rays.from_directions(eye.rays(np.arange(size), rows, size))
        times = intersect_rays(room_solid, eye.position, rays)
        free &= times < np.inf
        frame[top : top + step][free] = room_row
        depths[top : top + step][free] = times[free]


def shade_frame(
    frame: IndexArray, depths: Floats, eye: Eye, inputs: Floats, occlusion: AmbientOcclusion
) -> Rgb:
    """Return the colours of a frame.

    `frame` says which row of `inputs` each pixel shows, and `depths` how deep; where it
    is `NO_OBJECT` the frame is grey.
    """
    size = len(frame)
    rgb = np.full((size, size, 3), shading.BACKGROUND_GREY, dtype=np.uint8)
    by_number = np.ascontiguousarray(inputs.T)
    step = max(BAND_PIXELS // size, 1)
    for top in range(0, size, step):
        rows = np.arange(top, min(top + step, size))
        x, y, z = eye.rays(np.arange(size), rows, size)
        part = frame[rows]
        shown = part != NO_OBJECT
        ray = x[shown], np.broadcast_to(y, x.shape)[shown], z[shown]
        colours = _shade_pixels(by_number[:, part[shown]], ray, depths[rows][shown], eye, occlusion)
        rgb[rows[0] : rows[-1] + 1][shown] = colours
    return rgb


def _shade_pixels(
    solid: Floats, ray: VectorArrays, depth: Floats, eye: Eye, occlusion: AmbientOcclusion
) -> Rgb:
    ox, oy, oz = eye.position
    at = ox + depth * ray[0], oy + depth * ray[1], oz + depth * ray[2]
    face = shading.surface_normal(solid, at, ray)
    spot = shading.surface_point_at(solid, at, face, ray)
    tint = _sample_textures(solid, spot)
    dirt = np.zeros(len(depth))
    dirty = np.flatnonzero(solid[shading.IS_DIRTY])
    if dirty.size:
        dirt[dirty] = shading.dirt_share(SurfacePoint(*(values[dirty] for values in spot)))
    open_ = shading.sample_occlusion(occlusion.light, occlusion.grid, at, face)
    parts = shading.lit_colour(solid, tint, dirt, face, ray, open_)
    return np.stack([shading.to_byte(part) for part in parts], axis=-1).astype(np.uint8)


def _sample_textures(solid: Floats, spot: SurfacePoint) -> TextureSample:
    """Return what each pixel's pattern gives."""
    kinds = solid[shading.TEXTURE].astype(np.int64)
    tint = tuple(np.empty(len(kinds)) for _ in range(4))
    for kind in np.flatnonzero(np.bincount(kinds)).tolist():
        here = np.flatnonzero(kinds == kind)
        found = _TEXTURES[kind](SurfacePoint(*(values[here] for values in spot)))
        for whole, part in zip(tint, found, strict=True):
            whole[here] = part
    second, third, bright, glow = tint
    return second, third, bright, glow
