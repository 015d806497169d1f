"""An agent of a scene: its body, its posture, its hand, and its camera."""

from dataclasses import dataclass
from math import atan, degrees, hypot, inf, radians, tan

import numpy as np
from numpy.typing import NDArray

from tatc.home import actions, body
from tatc.home.camera import clicks, rays
from tatc.home.state import Affordances, AgentState, Box, ObjectState, Vec3
from tatc.sim.embedded.world_state import HAND_ABOVE_METRES, HAND_AHEAD_METRES

CROUCHED_EYE_HEIGHT_METRES = 0.0
"""The height of a crouching agent's camera above its position (AI2-THOR)."""
DEFAULT_HAND_POSITION: Vec3 = (0.0, HAND_ABOVE_METRES - rays.EYE_HEIGHT_METRES, HAND_AHEAD_METRES)
"""Where the hand is seen from the camera of a standing agent that looks ahead, metres."""


@dataclass(frozen=True, slots=True)
class HandPose:
    """How far a hand was moved from its default pose.

    `offset` is metres right, up and ahead, as the camera looked then; `rotation` degrees about the
    agent's axes.  `unturned` is the held object before the hand turned it, None if it did not.
    """

    offset: Vec3 = (0.0, 0.0, 0.0)
    rotation: Vec3 = (0.0, 0.0, 0.0)
    unturned: ObjectState | None = None


DEFAULT_HAND_POSE = HandPose()
BODY_TYPE = "Agent"
"""What agents' bodies are called in masks of classes; each has a name of its own in the others."""
_MIN_BODY_GAP_METRES = 2 * body.BODY_RADIUS_METRES - 1e-6  # from middle to middle


@dataclass(slots=True)
class ThorAgent:
    """An agent: its pose, the id of the object that it holds, its posture and its hand."""

    state: AgentState
    held: str | None = None
    is_standing: bool = True
    hand: HandPose = DEFAULT_HAND_POSE

    def gap_to(self, position: Vec3) -> float:
        """Return the level distance to an agent at a position, metres; infinite above or below."""
        (x, y, z), (to_x, to_y, to_z) = self.state.position, position
        return inf if abs(y - to_y) >= body.BODY_HEIGHT_METRES else hypot(x - to_x, z - to_z)

    def is_in_the_way(self, position: Vec3) -> bool:
        """Return whether another agent at a position would stand in this one."""
        return self.gap_to(position) < _MIN_BODY_GAP_METRES

    def is_hit_by(self, box: Box) -> bool:
        """Return whether a box would be in the agent's body."""
        (x, y, z), half = self.state.position, body.BODY_HEIGHT_METRES / 2
        is_beside = box.horizontal_distance(x, z) >= body.BODY_RADIUS_METRES
        return not (is_beside or box.bottom >= y + half or box.top <= y - half)

    def body_seen(self, number: int) -> ObjectState:
        """Return the body as others see it, an upright cylinder; `number` is the agent's."""
        name, width = f"agent_{number}", 2 * body.BODY_RADIUS_METRES
        box = Box(self.state.position, (width, body.BODY_HEIGHT_METRES, width))
        level = (0.0, 0.0, 0.0)
        return ObjectState(name, BODY_TYPE, name, Affordances(), box.center, level, box)

    @property
    def eye(self) -> rays.Eye:
        """The agent's camera, with a field of view of 90 degrees."""
        standing = clicks.eye_of(self.state)
        if self.is_standing:
            return standing
        x, y, z = self.state.position
        return rays.Eye((x, y + CROUCHED_EYE_HEIGHT_METRES, z), standing.yaw, standing.horizon)


@dataclass(frozen=True, slots=True)
class FrameCamera:
    """The camera of the square frame, and the size of the frame in its middle, in pixels."""

    eye: rays.Eye
    width: int
    height: int

    @staticmethod
    def from_pose(
        position: Vec3, yaw: float, horizon: float, fov: float, size: tuple[int, int]
    ) -> "FrameCamera":
        """Return the camera at a pose, metres and degrees; `fov` is vertical, `size` in pixels."""
        width, height = size
        if width > height:
            fov = degrees(2 * atan(tan(radians(fov / 2)) * width / height))
        return FrameCamera(rays.Eye(position, yaw, horizon, fov), width, height)

    @property
    def side_pixels(self) -> int:
        """The side of the square frame in pixels."""
        return max(self.width, self.height)

    def scaled(self, side_pixels: int) -> "FrameCamera":
        """Return the same camera with `side_pixels` on the longer side of the frame."""
        share = side_pixels / self.side_pixels
        size = max(round(self.width * share), 1), max(round(self.height * share), 1)
        return FrameCamera(self.eye, *size)

    @property
    def frame_corner(self) -> tuple[int, int]:
        """The column and row of the square frame where the frame begins."""
        return (self.side_pixels - self.width) // 2, (self.side_pixels - self.height) // 2

    def crop(self, plane: NDArray[np.generic]) -> NDArray[np.generic]:
        """Return the frame, (height, width), of a square array of pixels."""
        left, top = self.frame_corner
        return plane[top : top + self.height, left : left + self.width]

    def shows(self, point: Vec3) -> bool:
        """Return whether a point is in front of the camera and within the frame."""
        across, down, depth = self.eye.project(point)
        column, row = across * self.side_pixels, down * self.side_pixels
        left, top = self.frame_corner
        is_inside = left <= column <= left + self.width and top <= row <= top + self.height
        return depth > 0.0 and is_inside

    def to_square_click(self, x: float, y: float) -> actions.Click:
        """Return a point of the frame in the square one; both as shares, x right and y down."""
        left, top = ((self.side_pixels - self.width) / 2, (self.side_pixels - self.height) / 2)
        across = (left + x * self.width) / self.side_pixels
        return actions.Click(across, (top + y * self.height) / self.side_pixels)

    def ray_directions(self) -> tuple[rays.Floats, rays.Floats, rays.Floats]:
        """Return the pixels' rays in the world's axes, a metre deep: x, y, z (height, width)."""
        pixels = np.arange(self.side_pixels)
        x, y, z = self.eye.rays(pixels, pixels, self.side_pixels)
        return tuple(self.crop(axis) for axis in (x, np.broadcast_to(y, x.shape), z))  # pyright: ignore
