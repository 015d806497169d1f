"""Tells which objects the agent sees, as AI2-THOR's metadata have it (`visible`)."""

from tatc.camera.clicks import eye_of
from tatc.camera.geometry import Geometry
from tatc.camera.visible_part import count_visible_pixels
from tatc.state import ObjectState, Snapshot

VISIBLE_METRES = 1.5
"""How far an object's box may be from the agent, seen from above, to be visible (AI2-THOR)."""


class AgentsView:
    """What the agent of a state sees."""

    def __init__(self, now: Snapshot) -> None:
        """Take the state."""
        self._now = now
        self._geometry = Geometry(now.objects)

    def shows(self, obj: ObjectState) -> bool:
        """Return whether an object of the state is near enough, and shows in the frame."""
        x, _, z = self._now.follower.position
        if obj.box.horizontal_distance(x, z) > VISIBLE_METRES:
            return False
        index = self._now.object_index.by_id[obj.objectId]
        return count_visible_pixels(self._geometry, eye_of(self._now.follower), index) > 0
