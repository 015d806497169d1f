"""Tells which objects the agent sees, as AI2-THOR's metadata have it (`visible`)."""

from math import hypot

from tatc.home.camera.clicks import eye_of
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.visible_part import count_visible_pixels
from tatc.home.state import ObjectState, Snapshot
from tatc.sim.embedded.world_state import WorldState

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
