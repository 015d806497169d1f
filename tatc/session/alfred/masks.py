"""What a mask in ALFRED's frame means: the object that it covers best."""

import numpy as np
from numpy.typing import NDArray

from tatc.home.camera.clicks import eye_of
from tatc.home.camera.geometry import Geometry
from tatc.home.state import ObjectState, Snapshot
from tatc.session.records.trajectory_plan import MaskRuns

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
