"""Trace a view without colours: which object each ray hits, and where."""

from functools import lru_cache

import numpy as np

from tatc.camera.geometry import NO_OBJECT, Geometry
from tatc.camera.ray_intersection import PreparedSolid, intersect_rays
from tatc.camera.rays import Eye, Floats, Rays
from tatc.camera.views import TracedView

_MAX_CACHED_DIRECTIONS = 32  # four yaws and four horizons, of two sizes


def trace_first_hits(
    geometry: Geometry, room_solid: PreparedSolid, eye: Eye, size: int
) -> TracedView:
    """Return what an eye's rays hit, `size` pixels along each side of the view.

    Args:
        geometry: the objects of a room.
        room_solid: the walls, the floor and the ceiling, from `prepare_room_solid`.
        eye: the camera.
        size: the width and height of the view, pixels.

    """
    rays, lengths = _rays_in_direction(Eye((0.0, 0.0, 0.0), eye.yaw, eye.horizon, eye.fov), size)
    everywhere = np.arange(size)
    solids, depths = geometry.trace_solids(eye, everywhere, everywhere, size, rays)
    free = np.nonzero(solids == NO_OBJECT)
    depths[free] = intersect_rays(room_solid, eye.position, rays.of_pixels(*free))
    owners = np.array([*geometry.owners, NO_OBJECT], dtype=np.int32)
    return TracedView(eye, owners[solids], depths * lengths)


def points_hit(traced: TracedView, index: int) -> Floats:
    """Return the points of the world, metres, where a view's rays hit an object: (3, points)."""
    eye = traced.eye
    rays, lengths = _rays_in_direction(
        Eye((0.0, 0.0, 0.0), eye.yaw, eye.horizon, eye.fov), len(traced.ids)
    )
    shown = np.nonzero(traced.ids == index)
    depths = traced.distances[shown] / lengths[shown]
    return np.array(eye.position)[:, None] + depths * np.stack(rays.of_pixels(*shown).direction)


@lru_cache(maxsize=_MAX_CACHED_DIRECTIONS)
def _rays_in_direction(eye: Eye, size: int) -> tuple[Rays, Floats]:
    """Return the rays of an eye that stands anywhere, and the lengths of their directions."""
    x, y, z = eye.rays(np.arange(size), np.arange(size), size)
    return Rays.from_directions((x, y, z)), np.sqrt(x * x + y * y + z * z)
