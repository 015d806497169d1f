"""What an agent sees after an action, under the names of AI2-THOR's events."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tatc.evaluation.alfred.masked_session import Mask
from tatc.home.actions import GRID_SIZE_METRES, Role
from tatc.home.camera.clicks import eye_of
from tatc.home.metadata import write_object, write_vector
from tatc.home.state import Snapshot
from tatc.session.alfred.visible_objects import AgentsView
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.sim.embedded.world_state import WorldState


class ThorEvent:
    """The frame, masks and metadata of a state; each is made when it is first read."""

    def __init__(
        self,
        start: Snapshot,
        now: Snapshot,
        renderer: SnapshotRenderer,
        *,
        success: bool,
        message: str,
    ) -> None:
        """Take a state of the session that began at `start`, and what came of its last action."""
        self._start, self._now, self._renderer = start, now, renderer
        self.success, self.message = success, "" if success else message

    @cached_property
    def frame(self) -> NDArray[np.uint8]:
        """The camera's image: (300, 300, 3)."""
        return self._renderer.frame(self._now, Role.FOLLOWER)

    @cached_property
    def instance_masks(self) -> dict[str, Mask]:
        """The pixels of each object in view, by its id: (300, 300); without the held object."""
        agent = self._now.follower
        ids, _ = self._world.geometry.trace_objects(eye_of(agent), agent.body.frame_pixels)
        shown: list[int] = np.unique(ids[ids >= 0]).tolist()
        return {self._now.objects[i].objectId: ids == i for i in shown}

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """AI2-THOR's metadata: the agent, all objects, what is held, and the last action."""
        now, agent = self._now, self._now.follower
        view = AgentsView(now, self._world.geometry)
        held = now.held_object()
        return {
            "agent": {
                "position": write_vector(agent.position),
                "rotation": {"x": 0.0, "y": agent.yaw, "z": 0.0},
                "cameraHorizon": agent.horizon,
            },
            "objects": [{**write_object(obj), "visible": view.shows(obj)} for obj in now.objects],
            "inventoryObjects": []
            if held is None
            else [{"objectId": held.objectId, "objectType": held.objectType}],
            "lastActionSuccess": self.success,
            "errorMessage": self.message,
        }

    @property
    def pose_discrete(self) -> tuple[int, int, int, int]:
        """The agent's cell, its quarter turns and its horizon, as ALFRED's planner has them."""
        agent = self._now.follower
        x, z = (round(agent.position[axis] / GRID_SIZE_METRES) for axis in (0, 2))
        return x, z, round(agent.yaw / 90.0) % 4, round(agent.horizon)

    @cached_property
    def _world(self) -> WorldState:
        world = WorldState(self._start)
        world.restore(self._now)
        return world
