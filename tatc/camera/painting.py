"""Frames with numpy: what `Geometry.seen` has traced, coloured band by band.

A band is narrow enough for its arrays to stay close to the processor.
"""

import numpy as np

from tatc.camera import shading
from tatc.camera.air import Air
from tatc.camera.geometry import NOTHING, Geometry, Ids
from tatc.camera.patterns import PATTERNS
from tatc.camera.patterns.spot import Spot, Tint
from tatc.camera.rays import Eye, Floats, Rgb
from tatc.camera.shading import Vectors
from tatc.camera.tracing import Rays, Target, meet_many

BAND = 16384
"""About how many pixels a band has."""
_PATTERNS = tuple(PATTERNS.values())


def trace(geometry: Geometry, eye: Eye, size: int) -> tuple[Ids, Floats]:
    """Return which solids a frame shows, and how deep (`Geometry.seen`)."""
    return geometry.seen(eye, np.arange(size), np.arange(size), size)


def surround(seen: Ids, depths: Floats, eye: Eye, around: Target, number: int) -> None:
    """Let pixels that show nothing show the room around, where their rays meet it."""
    size = len(seen)
    step = max(BAND // size, 1)
    for top in range(0, size, step):
        rows = np.arange(top, min(top + step, size))
        free = seen[rows] == NOTHING
        if not free.any():
            continue
        rays = Rays.of(eye.rays(np.arange(size), rows, size))
        times = meet_many(around, eye.position, rays)
        free &= times < np.inf
        seen[top : top + step][free] = number
        depths[top : top + step][free] = times[free]


def paint(seen: Ids, depths: Floats, eye: Eye, columns: Floats, air: Air) -> Rgb:
    """Return the colours of a frame.

    `seen` says which row of `columns` each pixel shows, and `depths` how deep; where it
    is `NOTHING` the frame is grey.
    """
    size = len(seen)
    rgb = np.full((size, size, 3), shading.NOWHERE, dtype=np.uint8)
    by_number = np.ascontiguousarray(columns.T)
    step = max(BAND // size, 1)
    for top in range(0, size, step):
        rows = np.arange(top, min(top + step, size))
        x, y, z = eye.rays(np.arange(size), rows, size)
        part = seen[rows]
        shown = part != NOTHING
        ray = x[shown], np.broadcast_to(y, x.shape)[shown], z[shown]
        colours = _coloured(
            by_number[:, part[shown]], ray, depths[rows][shown], eye, air
        )
        rgb[rows[0] : rows[-1] + 1][shown] = colours
    return rgb


def _coloured(solid: Floats, ray: Vectors, depth: Floats, eye: Eye, air: Air) -> Rgb:
    ox, oy, oz = eye.position
    at = ox + depth * ray[0], oy + depth * ray[1], oz + depth * ray[2]
    face = shading.facing(solid, at, ray)
    spot = shading.spot_on(solid, at, face, ray)
    tint = _tint(solid, spot)
    dirt = np.zeros(len(depth))
    dirty = np.flatnonzero(solid[shading.DIRT])
    if dirty.size:
        dirt[dirty] = shading.grime(Spot(*(values[dirty] for values in spot)))
    open_ = shading.openness(air.values, air.grid, at, face)
    parts = shading.colour(solid, tint, dirt, face, ray, open_)
    return np.stack([shading.byte(part) for part in parts], axis=-1).astype(np.uint8)


def _tint(solid: Floats, spot: Spot) -> Tint:
    """Return what each pixel's pattern gives."""
    kinds = solid[shading.KIND].astype(np.int64)
    tint = tuple(np.empty(len(kinds)) for _ in range(4))
    for kind in np.flatnonzero(np.bincount(kinds)).tolist():
        here = np.flatnonzero(kinds == kind)
        found = _PATTERNS[kind](Spot(*(values[here] for values in spot)))
        for whole, part in zip(tint, found, strict=True):
            whole[here] = part
    second, third, bright, glow = tint
    return second, third, bright, glow
