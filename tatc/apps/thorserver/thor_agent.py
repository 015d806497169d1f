"""An agent of a scene: its body, its posture, and its hand."""

from dataclasses import dataclass

from tatc.home.camera.clicks import eye_of
from tatc.home.camera.rays import EYE_HEIGHT_METRES, Eye
from tatc.home.state import AgentState, ObjectState, Vec3
from tatc.sim.embedded.world_state import HAND_ABOVE_METRES, HAND_AHEAD_METRES

CROUCHED_EYE_HEIGHT_METRES = 0.0
"""The height of a crouching agent's camera above its position (AI2-THOR)."""
DEFAULT_HAND_POSITION: Vec3 = (0.0, HAND_ABOVE_METRES - EYE_HEIGHT_METRES, HAND_AHEAD_METRES)
"""Where the hand is seen from the camera of a standing agent that looks ahead, metres."""


@dataclass(frozen=True, slots=True)
class HandPose:
    """How far a hand was moved from its default pose.

    `offset` is in metres to the right, upwards and ahead, as the camera looked then;
    `rotation` in degrees about the agent's x, y and z.  `unturned` is the held object before
    the hand turned it, None if it did not.
    """

    offset: Vec3 = (0.0, 0.0, 0.0)
    rotation: Vec3 = (0.0, 0.0, 0.0)
    unturned: ObjectState | None = None


DEFAULT_HAND_POSE = HandPose()


@dataclass(slots=True)
class ThorAgent:
    """An agent: its pose, the id of the object that it holds, its posture and its hand."""

    state: AgentState
    held: str | None = None
    is_standing: bool = True
    hand: HandPose = DEFAULT_HAND_POSE

    @property
    def eye(self) -> Eye:
        """The agent's camera, with a field of view of 90 degrees."""
        standing = eye_of(self.state)
        if self.is_standing:
            return standing
        x, y, z = self.state.position
        return Eye((x, y + CROUCHED_EYE_HEIGHT_METRES, z), standing.yaw, standing.horizon)
