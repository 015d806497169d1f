"""A camera with a frame of any shape, cut out of our square one.

AI2-THOR's field of view is the vertical one.
"""

from dataclasses import dataclass
from math import atan, degrees, radians, tan

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Click
from tatc.camera.rays import Eye, Floats
from tatc.state import Vec3


@dataclass(frozen=True, slots=True)
class FrameCamera:
    """A square eye, and the pixels of its middle that make the frame."""

    eye: Eye
    width: int
    height: int

    @staticmethod
    def from_pose(
        position: Vec3, yaw: float, horizon: float, fov: float, size: tuple[int, int]
    ) -> "FrameCamera":
        """Return the camera with this vertical field of view (degrees)."""
        width, height = size
        if width > height:
            fov = degrees(2 * atan(tan(radians(fov / 2)) * width / height))
        return FrameCamera(Eye(position, yaw, horizon, fov), width, height)

    @property
    def side_pixels(self) -> int:
        """The side of the square frame, pixels."""
        return max(self.width, self.height)

    def scaled(self, side_pixels: int) -> "FrameCamera":
        """Return the same camera with another number of pixels on its longer side."""
        share = side_pixels / self.side_pixels
        size = max(round(self.width * share), 1), max(round(self.height * share), 1)
        return FrameCamera(self.eye, *size)

    def crop(self, plane: NDArray[np.generic]) -> NDArray[np.generic]:
        """Return the frame's part of a square plane of pixels."""
        top, left = ((self.side_pixels - self.height) // 2, (self.side_pixels - self.width) // 2)
        return plane[top : top + self.height, left : left + self.width]

    def to_square_click(self, x: float, y: float) -> Click:
        """Return a point of the frame as one of the square; fractions, y downwards."""
        left, top = ((self.side_pixels - self.width) / 2, (self.side_pixels - self.height) / 2)
        across = (left + x * self.width) / self.side_pixels
        return Click(across, (top + y * self.height) / self.side_pixels)

    def ray_directions(self) -> tuple[Floats, Floats, Floats]:
        """Return the frame's rays, one metre deep: x, y and z of each pixel."""
        pixels = np.arange(self.side_pixels)
        x, y, z = self.eye.rays(pixels, pixels, self.side_pixels)
        whole = (x, np.broadcast_to(y, x.shape), z)
        return tuple(self.crop(axis) for axis in whole)  # pyright: ignore
