"""The four walls of a room, each with its own coordinates along it and into the room."""

from dataclasses import dataclass

from tatc.home.state import Vec3

FloorRect = tuple[float, float, float, float]
"""A rectangle of the floor: least x, least z, greatest x, greatest z, metres."""


@dataclass(frozen=True, slots=True)
class Wall:
    """One wall; a point is `s` metres along it and `d` metres into the room.

    `x` and `z` are where it starts; `along` and `inward` are unit vectors (x, z).  `yaw` is
    that of an object with its back to the wall, degrees.
    """

    index: int
    x: float
    z: float
    along: tuple[float, float]
    inward: tuple[float, float]
    length: float
    yaw: float

    def point_at(self, s: float, d: float) -> tuple[float, float]:
        """Return the x and z of a point."""
        (ax, az), (nx, nz) = self.along, self.inward
        return self.x + ax * s + nx * d, self.z + az * s + nz * d

    def floor_rect(self, s0: float, s1: float, d0: float, d1: float) -> FloorRect:
        """Return the floor from `s0` to `s1` along the wall and `d0` to `d1` from it."""
        (xa, za), (xb, zb) = self.point_at(s0, d0), self.point_at(s1, d1)
        return min(xa, xb), min(za, zb), max(xa, xb), max(za, zb)


def make_walls(width: float, depth: float, mirrored: bool) -> tuple[Wall, ...]:
    """Return the walls of a room centred on the origin, each ending where the next begins.

    In a mirrored room they run the other way round, so that every layout of furniture has a
    mirror image.
    """
    w, d, side = width / 2, depth / 2, -1.0 if mirrored else 1.0
    rows = (
        (-w, -d, (1.0, 0.0), (0.0, 1.0), width, 0.0),
        (w, -d, (0.0, 1.0), (-1.0, 0.0), depth, 270.0),
        (w, d, (-1.0, 0.0), (0.0, -1.0), width, 180.0),
        (-w, d, (0.0, -1.0), (1.0, 0.0), depth, 90.0),
    )
    return tuple(
        Wall(
            i,
            x * side,
            z,
            (along[0] * side, along[1]),
            (inward[0] * side, inward[1]),
            length,
            yaw if side > 0 else (360.0 - yaw) % 360.0,
        )
        for i, (x, z, along, inward, length, yaw) in enumerate(rows)
    )


def footprint_rect(at: tuple[float, float], size: Vec3, yaw: float) -> FloorRect:
    """Return the floor under an object around a point (x, z); `yaw` is a quarter turn."""
    w, d = (size[0], size[2]) if yaw % 180.0 == 0.0 else (size[2], size[0])
    return at[0] - w / 2, at[1] - d / 2, at[0] + w / 2, at[1] + d / 2


def is_overlapping(a: FloorRect, b: FloorRect, slack: float = 0.001) -> bool:
    """Return whether two rectangles overlap by more than `slack` metres."""
    return (
        a[0] < b[2] - slack and b[0] < a[2] - slack and a[1] < b[3] - slack and b[1] < a[3] - slack
    )


def grow_rect(rect: FloorRect, margin: float) -> FloorRect:
    """Return the rectangle with a margin added on every side, metres."""
    return rect[0] - margin, rect[1] - margin, rect[2] + margin, rect[3] + margin
