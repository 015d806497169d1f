"""What a mask in ALFRED's frame means: the object that it covers best."""

from math import hypot

import numpy as np
from numpy.typing import NDArray

from tatc.home.camera.clicks import eye_of
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.object_pixels import count_visible_pixels
from tatc.home.state import ObjectState, Snapshot
from tatc.session.records.trajectory_plan import MaskRuns
from tatc.sim.embedded.world_state import WorldState

Pixels = NDArray[np.int64]
"""Pixels of a frame, counted row by row."""


def object_of_mask(pixels: Pixels, now: Snapshot, geometry: Geometry) -> str | None:
    """Return the id of the object that these pixels of the agent's frame mean, or None.

    It is the one with the highest intersection over union among those that can be picked up,
    put into, opened, switched or sliced; the one in the hand is not seen.
    """
    size = now.follower.body.frame_pixels
    ids, _ = geometry.trace_objects(eye_of(now.follower), size)
    counts = np.bincount(ids.ravel() + 1, minlength=len(now.objects) + 1)[1:]
    common = np.bincount(ids.ravel()[pixels] + 1, minlength=len(now.objects) + 1)[1:]
    shares = common / np.maximum(counts + len(pixels) - common, 1)
    able = [i for i in np.flatnonzero(common).tolist() if _can_be_acted_on(now.objects[i])]
    best = max(able, key=lambda i: (shares[i], -i), default=None)
    return None if best is None else now.objects[best].objectId


def pixels_of_runs(runs: MaskRuns, size: int) -> Pixels:
    """Return the pixels of a recorded mask in a frame of `size` pixels a side."""
    found = [np.arange(start, start + length) for start, length in runs]
    return np.concatenate(found) % (size * size) if found else np.zeros(0, dtype=np.int64)


def _can_be_acted_on(obj: ObjectState) -> bool:
    able = obj.affordances
    return any((able.pickupable, able.receptacle, able.openable, able.toggleable, able.sliceable))


# Tells which objects the agent sees, as AI2-THOR's metadata have it (`visible`).

VISIBLE_METRES = 1.5
"""How far an object's box may be from the agent, seen from above, to be visible (AI2-THOR)."""


class AgentsView:
    """What the agent of a state sees."""

    def __init__(self, now: Snapshot, geometry: Geometry) -> None:
        """Take the state, and what rays hit in it."""
        self._now, self._geometry = now, geometry

    @staticmethod
    def since(start: Snapshot, now: Snapshot) -> "AgentsView":
        """Return what the agent sees in a state of the session that began at `start`.

        The start says where counters are cut and where doors are, which open doors hide.
        """
        world = WorldState(start)
        world.restore(now)
        return AgentsView(now, world.geometry)

    def shows(self, obj: ObjectState) -> bool:
        """Return whether an object of the state is near enough, and shows in the frame."""
        x, _, z = self._now.follower.position
        if obj.box.horizontal_distance(x, z) > VISIBLE_METRES:
            return False
        index = self._now.object_index.by_id[obj.objectId]
        return count_visible_pixels(self._geometry, eye_of(self._now.follower), index) > 0

    def frames(self, obj: ObjectState) -> bool:
        """Return whether the lower side of an object is near enough, and in the frame or hidden."""
        (x, y, z), body = obj.box.center, self._now.follower.position
        if hypot(x - body[0], z - body[2]) > VISIBLE_METRES:
            return False
        point = (x, y - obj.box.size[1] / 2, z)
        across, down, depth = eye_of(self._now.follower).project(point)
        return depth > 0.0 and 0.0 <= across <= 1.0 and 0.0 <= down <= 1.0
