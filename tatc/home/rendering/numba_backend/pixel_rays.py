"""The ray through one pixel of the frame, and where it meets one solid."""

# Numbers replace arrays here, which strict types cannot express.
# pyright: basic, reportArgumentType=false, reportIndexIssue=false

from typing import Any

import numba

from tatc.home.camera.ray_intersection import intersect_local
from tatc.home.camera.rays import FRAME_PIXELS, Floats
from tatc.home.rendering.numba_backend.jit_formulas import JIT_OPTIONS, ray_component


@numba.njit(**JIT_OPTIONS)
def frame_ray(eye: Floats, column: int, row: int) -> Any:
    """Return the ray through a pixel of the frame, equal to that of `Eye.rays`."""
    u = (2 * column + 1 - FRAME_PIXELS) / FRAME_PIXELS
    v = (FRAME_PIXELS - 2 * row - 1) / FRAME_PIXELS
    return ray_component(eye, 0, u, v), ray_component(eye, 1, u, v), ray_component(eye, 2, u, v)


@numba.njit(**JIT_OPTIONS)
def ray_depth(solid: Floats, eye: Floats, ray: Any) -> Any:
    """Return the depth at which a ray meets a solid, equal to that of `intersect_rays`."""
    x, y, z = eye[0, 0] - solid[0], eye[0, 1] - solid[1], eye[0, 2] - solid[2]
    dx, dy, dz = ray
    if solid[6] != 0.0:
        sine, cosine = solid[6], solid[7]
        x, z = x * cosine - z * sine, x * sine + z * cosine
        dx, dz = dx * cosine - dz * sine, dx * sine + dz * cosine
    kind, half = (int(solid[8]), int(solid[9])), (solid[3], solid[4], solid[5])
    return intersect_local(kind, half, (x, y, z), (dx, dy, dz), (1.0 / dx, 1.0 / dy, 1.0 / dz))
