"""A surface on which objects can stand, as a value, and its own axes."""

from dataclasses import dataclass, replace
from math import hypot, inf

from tatc.home.camera.solids import Rect
from tatc.home.state import Vec2, Vec3, rotate_yaw, yaw_sin_cos


@dataclass(frozen=True, slots=True)
class Surface:
    """A horizontal rectangle: `y` is its height, `x` and `z` are its middle (world, metres).

    `size` is along its own axes, which have the yaw `yaw` (degrees).  `headroom` is the free
    height above it, metres.  `inside` says whether walls stand around it.  `lattice` says
    whether it is one of AI2-THOR's areas, on which objects stand at lattice points.

    An object on it reaches no farther than `radius` from its middle, and stays off walls
    that are `wall` metres thick, measured inwards from its edges.  Points of its lattice that
    are nearer to its middle than `hole` metres are none of it.

    `trigger_box` says that the rectangle is exactly that of a receptacle trigger box of
    AI2-THOR, with the yaw at which objects are tried first.
    """

    y: float
    x: float
    z: float
    size: Vec2
    yaw: float
    headroom: float
    inside: bool
    lattice: bool = False
    radius: float = inf
    wall: float = 0.0
    hole: float = 0.0
    trigger_box: bool = False

    def to_axes(self, x: float, z: float) -> Vec2:
        """Return a point of the world along the surface's axes, from its middle, metres."""
        sine, cosine = yaw_sin_cos(self.yaw)
        dx, dz = x - self.x, z - self.z
        return dx * cosine - dz * sine, dx * sine + dz * cosine

    def to_world(self, along: float, across: float) -> Vec2:
        """Return the world's x and z of a point given along the surface's axes."""
        sine, cosine = yaw_sin_cos(self.yaw)
        return (self.x + along * cosine + across * sine, self.z - along * sine + across * cosine)

    def beyond_edges(self, point: Vec3) -> Vec2:
        """Return how far a point is beyond the edges along each axis, negative within, metres."""
        along, across = self.to_axes(point[0], point[2])
        return abs(along) - self.size[0] / 2, abs(across) - self.size[1] / 2

    def distance_to(self, point: Vec3) -> float:
        """Return the horizontal distance of a point from the surface, metres; 0 on it."""
        along, across = self.beyond_edges(point)
        return hypot(max(along, 0.0), max(across, 0.0))

    def crop(self, area: Rect, middle: Vec2 = (0.0, 0.0), yaw: float = 0) -> "Surface":
        """Return the surface reduced to one of its areas, with a lattice.

        `area` is along axes of a yaw (degrees) with their origin at `middle` (x, z, world, metres).
        """
        x, _, z = rotate_yaw(((area.x0 + area.x1) / 2, 0.0, (area.z0 + area.z1) / 2), yaw)
        size = area.x1 - area.x0, area.z1 - area.z0
        at = middle[0] + x, middle[1] + z
        return replace(self, x=at[0], z=at[1], size=size, yaw=yaw, lattice=True)
