"""Which objects hide another one from a body that looks for it."""

from collections import Counter
from collections.abc import Iterable
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from tatc.home.camera.clicks import eye_at
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import Eye
from tatc.home.rendering.visible_parts import bounding_window, objects_seen
from tatc.home.state import AgentState, Pose
from tatc.planners.viewpoints import PLANNED_REACH_METRES, VisibilityTest

MAX_OCCLUSION_POSES = 60
"""Poses from which rays are cast at an object, at most."""
RAYS_PER_AXIS = 8
"""Rays across an object's bounding window, in each direction."""


def find_occluders(
    geometry: Geometry, target: int, poses: Iterable[tuple[Pose, int]], agent: AgentState
) -> tuple[int, ...]:
    """Return the objects seen where object `target` should be, most often first.

    Args:
        geometry: the solids of all objects; indices are those of its list.
        target: the object that cannot be seen.
        poses: where the body may be, each with a cost, the likelier ones first.
        agent: the Follower, of whom the body and its height are used.

    """
    extent = geometry.object_bounds(target)
    if extent is None:
        return ()
    seen: Counter[int] = Counter()
    reach = PLANNED_REACH_METRES
    visibility = VisibilityTest(extent, agent, reach)
    near = (pose for pose, _ in poses if visibility.allows(pose))
    for pose in islice(near, MAX_OCCLUSION_POSES):
        eye = eye_at(pose, agent)
        seen.update(_objects_hit(geometry, eye, target))
    return tuple(i for i, _ in sorted(seen.items(), key=lambda each: (-each[1], each[0])))


def _objects_hit(geometry: Geometry, eye: Eye, target: int) -> list[int]:
    window = bounding_window(geometry, eye, target)
    if window.left >= window.right or window.top >= window.bottom:
        return []
    columns = _sample_pixels(window.left, window.right)
    rows = _sample_pixels(window.top, window.bottom)
    met = objects_seen(geometry, eye, columns, rows)
    return [i for i in met.ravel().tolist() if i >= 0 and i != target]


def _sample_pixels(start: int, stop: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(start, stop - 1, RAYS_PER_AXIS).astype(np.int64))
