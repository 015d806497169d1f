"""What stands between an object and those who look for it."""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tatc.camera.geometry import Geometry
from tatc.camera.rays import EYE_HEIGHT, Eye
from tatc.planners.viewpoints import REACH, may_show
from tatc.state import Pose

GLIMPSES = 60
"""Poses from which an object is looked for in vain, at most."""
RAYS = 8
"""Rays across an object's outline, each way."""


def hiders(
    geometry: Geometry,
    target: int,
    poses: Iterable[tuple[Pose, int]],
    agent_y: float,
    reach: float = REACH,
) -> tuple[int, ...]:
    """Return the objects seen where object `target` should be, most often first.

    Args:
        geometry: the solids of all objects; indices are those of its list.
        target: the object that is looked for.
        poses: where the body may be, the likelier ones first, each with a cost.
        agent_y: the height of the body's position, metres.
        reach: metres from the body's position within which an object counts as near.

    """
    extent = geometry.extent(target)
    if extent is None:
        return ()
    seen: Counter[int] = Counter()
    looks = 0
    for pose, _ in poses:
        if looks == GLIMPSES:
            break
        if may_show(pose, agent_y, extent, reach):
            looks += 1
            eye = Eye((pose.x, agent_y + EYE_HEIGHT, pose.z), pose.yaw, pose.horizon)
            seen.update(_met(geometry, eye, target))
    return tuple(
        i for i, _ in sorted(seen.items(), key=lambda each: (-each[1], each[0]))
    )


def _met(geometry: Geometry, eye: Eye, target: int) -> list[int]:
    window = geometry.rectangle(eye, target)
    if window.left >= window.right or window.top >= window.bottom:
        return []
    columns = _spread(window.left, window.right)
    rows = _spread(window.top, window.bottom)
    met, _ = geometry.pixels(eye, columns, rows)
    return [i for i in met.ravel().tolist() if i >= 0 and i != target]


def _spread(start: int, stop: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(start, stop - 1, RAYS).astype(np.int64))
