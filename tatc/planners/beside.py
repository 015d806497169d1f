"""Clicks beside an object that shows between the lines of the lattice alone.

A pencil seen end on, or the rim that shows of a plate behind a pot, may cover no pixel
that a two-decimal click can name.  TEACh then takes, within ten pixels of the click,
the object that fits the verb best (spec section 2.4), and measures the distance at the
clicked pixel itself: a click beside the object means it too.  Place is the exception:
there AI2-THOR looks along the click itself (spec section 2.3, step 5).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import dist

import numpy as np

from tatc.actions import Click
from tatc.camera.clicks import SEARCH, resolve
from tatc.camera.geometry import Geometry
from tatc.camera.rays import EYE_HEIGHT, Eye
from tatc.planners.viewpoints import (
    EDGE,
    LATTICE,
    REACH,
    STEPS,
    Viewpoint,
    may_show,
    to_be_seen,
)
from tatc.state import ObjectState, Pose

TRIED = 6
"""Clicks of one pose that are tried, those nearest to what shows first."""


def find_beside(
    geometry: Geometry,
    objects: Sequence[ObjectState],
    target: int,
    accepts: Callable[[int], bool],
    poses: Iterable[tuple[Pose, int]],
    agent_y: float,
    *,
    reach: float = REACH,
) -> Iterator[Viewpoint]:
    """Yield the poses from which a click beside object `target` means it.

    The arguments are those of `viewpoints.find`, which is far quicker and comes first.
    """
    extent = to_be_seen(geometry, objects, target, accepts)
    if extent is None:
        return
    for pose, cost in poses:
        if not may_show(pose, agent_y, extent, reach):
            continue
        body = pose.x, agent_y, pose.z
        eye = Eye((pose.x, agent_y + EYE_HEIGHT, pose.z), pose.yaw, pose.horizon)
        for click in _around(geometry, eye, target):
            hit = geometry.first(eye, click)
            if hit is None or dist(hit.point, body) > reach:
                continue
            if resolve(geometry, eye, click, accepts) == target:
                yield Viewpoint(pose, click, cost)
                break


def _around(geometry: Geometry, eye: Eye, target: int) -> Iterator[Click]:
    """Yield the clicks of the lattice around what shows of an object."""
    window = geometry.rectangle(eye, target)
    shown = np.argwhere(geometry.window(eye, window) == target)
    if not len(shown):
        return
    row, column = shown[len(shown) // 2].tolist()  # one that shows
    row, column = row + window.top, column + window.left
    lines = range(EDGE, STEPS - EDGE)
    rows = [i for i in lines if abs(LATTICE[i] - row) < SEARCH]
    columns = [i for i in lines if abs(LATTICE[i] - column) < SEARCH]
    near = sorted(
        (dist((LATTICE[i], LATTICE[j]), (row, column)), j, i)
        for i in rows
        for j in columns
    )
    for _, j, i in near[:TRIED]:
        yield Click(j / STEPS, i / STEPS)
