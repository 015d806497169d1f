"""The renderer's numpy backend: colour, band by band, what `Geometry.trace_solids` traced.

A band is narrow enough for its arrays to stay in the processor's cache.
"""

import numpy as np

from tatc.home.camera.geometry import NO_OBJECT, Geometry, IndexArray
from tatc.home.camera.ray_intersection import PreparedSolid, intersect_rays
from tatc.home.camera.rays import Eye, Floats, Rays, Rgb
from tatc.home.rendering import shading, textures
from tatc.home.rendering.ambient_occlusion import AmbientOcclusion
from tatc.home.rendering.textures.surface_point import SurfacePoint, TextureSample

BAND_PIXELS = 16384  # the approximate number of pixels in a band
_TEXTURES = tuple(textures.TEXTURES.values())


def trace_frame(
    geometry: Geometry, eye: Eye, size: int, room_solid: PreparedSolid | None
) -> tuple[IndexArray, Floats]:
    """Return the solids that a frame shows and the depths, (rows, columns) each, in metres.

    They are as of `Geometry.trace_solids`, but pixels of no solid show the room's walls, floor and
    ceiling, as the row after those of solids, unless `room_solid` is None.
    """
    frame, depths = geometry.trace_solids(eye, np.arange(size), np.arange(size), size)
    if room_solid is None:
        return frame, depths
    step = max(BAND_PIXELS // size, 1)
    for top in range(0, size, step):
        rows = np.arange(top, min(top + step, size))
        free = frame[rows] == NO_OBJECT
        if not free.any():
            continue
        rays = Rays.from_directions(eye.rays(np.arange(size), rows, size))
        times = intersect_rays(room_solid, eye.position, rays)
        free &= times < np.inf
        frame[top : top + step][free] = len(geometry.owners)
        depths[top : top + step][free] = times[free]
    return frame, depths


def shade_frame(
    frame: IndexArray, depths: Floats, eye: Eye, inputs: Floats, occlusion: AmbientOcclusion
) -> Rgb:
    """Return the colours of a frame, in the shape (rows, columns, 3).

    `frame` says which row of `inputs` each pixel shows; those of `NO_OBJECT` are grey.
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
    solid: Floats, ray: shading.VectorArrays, depth: Floats, eye: Eye, occlusion: AmbientOcclusion
) -> Rgb:
    ox, oy, oz = eye.position
    at = ox + depth * ray[0], oy + depth * ray[1], oz + depth * ray[2]
    face = shading.surface_normal(solid, at, ray)
    point = shading.surface_point_at(solid, at, face, ray)
    tint = _sample_textures(solid, point)
    dirt = np.zeros(len(depth))
    dirty = np.flatnonzero(solid[shading.IS_DIRTY])
    if dirty.size:
        dirt[dirty] = shading.dirt_share(SurfacePoint(*(values[dirty] for values in point)))
    open_ = shading.sample_occlusion(occlusion.light, occlusion.grid, at, face)
    parts = shading.lit_colour(solid, tint, dirt, face, ray, open_)
    return np.stack([shading.to_byte(part) for part in parts], axis=-1).astype(np.uint8)


def _sample_textures(solid: Floats, point: SurfacePoint) -> TextureSample:
    kinds = solid[shading.TEXTURE].astype(np.int64)
    tint = tuple(np.empty(len(kinds)) for _ in range(4))
    for kind in np.flatnonzero(np.bincount(kinds)).tolist():
        here = np.flatnonzero(kinds == kind)
        found = _TEXTURES[kind](SurfacePoint(*(values[here] for values in point)))
        for whole, part in zip(tint, found, strict=True):
            whole[here] = part
    second, third, bright, glow = tint
    return second, third, bright, glow
