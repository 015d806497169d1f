"""What a single ray hits first.

The ray is tested against all bounding boxes at once and then, nearest first, against the few
solids whose boxes it hits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from tatc.home.camera.ray_intersection import NEAR_PLANE_METRES, PreparedSolid, intersect
from tatc.home.camera.screen_bounds import ScreenBounds
from tatc.home.state import Vec3


@dataclass(frozen=True, slots=True)
class RayHit:
    """The first hit of a ray: an object's index, the distance from the eye (metres), the point."""

    index: int
    distance: float
    point: Vec3


def first_hit(
    bounds: ScreenBounds, solids: Sequence[PreparedSolid], owners: Sequence[int], direction: Vec3
) -> RayHit | None:
    """Return what a ray hits first, or None where it hits nothing or what is no object.

    Args:
        bounds: the boxes of all solids, as the eye sees them from which the ray comes.
        solids: the solids.
        owners: the index of each solid's object, negative for what is no object.
        direction: the ray's direction, one metre deep, without a component that is zero.

    """
    dx, dy, dz = direction
    inverse = np.array((1 / dx, 1 / dy, 1 / dz) * 2)[:, None]
    in_x, in_y, in_z, out_x, out_y, out_z = bounds.slab_planes(direction) * inverse
    enter = np.maximum(np.maximum(in_x, in_y), in_z)
    leave = np.minimum(np.minimum(out_x, out_y), out_z)
    tried = np.flatnonzero((enter <= leave) & (leave > NEAR_PLANE_METRES))
    position = bounds.eye.position
    best, owner = inf, -1
    for near, row in sorted(zip(enter[tried].tolist(), tried.tolist(), strict=True)):
        if near > best:
            break
        time = intersect(solids[row], position, direction)
        if time < best or (time == best < inf and owners[row] < owner):
            best, owner = time, owners[row]
    if owner < 0:
        return None
    best = float(best)  # exact tests of turned solids give numpy's own floats
    x, y, z = position
    point = (x + best * dx, y + best * dy, z + best * dz)
    return RayHit(owner, best * sqrt(dx * dx + dy * dy + dz * dz), point)
