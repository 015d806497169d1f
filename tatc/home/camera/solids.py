"""A solid, the unit that rays hit, and the layers that boxes are cut into."""

from dataclasses import dataclass

from tatc.home.camera.shape_table import OpenFaces, SolidShape
from tatc.home.state import Box, ObjectState, Vec3, yaw_sin_cos


@dataclass(frozen=True, slots=True)
class Solid:
    """One solid: an upright box, or the cylinder, ellipsoid or disc that fills that box.

    `size` holds full lengths along the solid's own axes, metres; a cylinder has equal
    width and depth.  `yaw` is in degrees.  Ellipsoids and discs have no open faces.
    """

    center: Vec3
    size: Vec3
    yaw: float = 0.0
    shape: SolidShape = SolidShape.BOX
    open_faces: OpenFaces = OpenFaces.NONE


def bottom_height(box: Box) -> float:
    """Return the height of a box's lower side, metres."""
    return box.center[1] - box.size[1] / 2


def top_height(box: Box) -> float:
    """Return the height of a box's upper side, metres."""
    return box.center[1] + box.size[1] / 2


def box_layer(
    box: Box,
    low: float,
    high: float,
    shape: SolidShape = SolidShape.BOX,
    open_faces: OpenFaces = OpenFaces.NONE,
) -> Solid:
    """Return the layer of a box between two heights, of no height if `high` is below `low`."""
    x, _, z = box.center
    width, _, depth = box.size
    center = (x, (low + high) / 2, z)
    size = (width, max(high - low, 0.0), depth)
    return Solid(center, size, box.yaw, shape, open_faces)


# The upright sides of boxes, and points along a box's own axes.
#
# An axis is 0 for a box's own x, 1 for its own z.


@dataclass(frozen=True, slots=True)
class BoxSide:
    """An upright side of a box: the axis it is perpendicular to, and its sign (-1 or 1)."""

    axis: int
    sign: int

    @property
    def along_axis(self) -> int:
        """The horizontal axis that runs along the side."""
        return 1 - self.axis


def axis_length(box: Box, axis: int) -> float:
    """Return the length of a box along an axis, metres."""
    return box.size[2 * axis]


def to_box_axes(box: Box, point: Vec3) -> tuple[float, float]:
    """Return a point's offsets from a box's centre along the box's own x and z, metres."""
    sine, cosine = yaw_sin_cos(box.yaw)
    dx, dz = point[0] - box.center[0], point[2] - box.center[2]
    return dx * cosine - dz * sine, dx * sine + dz * cosine


def point_from_side(box: Box, side: BoxSide, out: float, along: float) -> Vec3:
    """Return the point `out` metres towards a side and `along` metres along it.

    Both are measured from the box's centre, whose height the point has.  The point is in
    world coordinates.
    """
    offsets = [0.0, 0.0]
    offsets[side.axis], offsets[side.along_axis] = side.sign * out, along
    sine, cosine = yaw_sin_cos(box.yaw)
    x, y, z = box.center
    a, b = offsets
    return (x + a * cosine + b * sine, y, z - a * sine + b * cosine)


def nearest_side(box: Box, point: Vec3) -> BoxSide:
    """Return the upright side that a point is nearest to."""
    offsets = to_box_axes(box, point)
    gaps = [abs(offsets[axis]) - axis_length(box, axis) / 2 for axis in (0, 1)]
    axis = 0 if gaps[0] > gaps[1] else 1
    return BoxSide(axis, 1 if offsets[axis] >= 0 else -1)


def grown_side(grown: Box, box: Box, least: float) -> BoxSide | None:
    """Return the side of `box` on which `grown` extends it.

    None if its centre has moved less than `least` metres.
    """
    offsets = to_box_axes(box, grown.center)
    axis = 0 if abs(offsets[0]) > abs(offsets[1]) else 1
    if abs(offsets[axis]) < least:
        return None
    return BoxSide(axis, 1 if offsets[axis] > 0 else -1)


# Rectangles along the world's axes, as seen from above.


@dataclass(frozen=True, slots=True)
class Rect:
    """A horizontal rectangle along the world's axes: its lowest and highest x and z, metres."""

    x0: float
    z0: float
    x1: float
    z1: float

    def expand(self, by: float) -> "Rect":
        """Return the rectangle widened by so many metres on each side."""
        return Rect(self.x0 - by, self.z0 - by, self.x1 + by, self.z1 + by)

    def overlaps(self, other: "Rect") -> bool:
        """Whether the two rectangles share some area."""
        along = self.x0 < other.x1 and other.x0 < self.x1
        return along and self.z0 < other.z1 and other.z0 < self.z1

    def contains_center_of(self, other: "Rect") -> bool:
        """Whether the centre of the other rectangle lies in this one."""
        x, z = (other.x0 + other.x1) / 2, (other.z0 + other.z1) / 2
        return self.x0 <= x <= self.x1 and self.z0 <= z <= self.z1

    def intersection(self, other: "Rect") -> "Rect | None":
        """Return the area that the two rectangles share, or None."""
        x0, x1 = max(self.x0, other.x0), min(self.x1, other.x1)
        z0, z1 = max(self.z0, other.z0), min(self.z1, other.z1)
        return Rect(x0, z0, x1, z1) if x0 < x1 and z0 < z1 else None

    def subtract(self, gap: "Rect") -> "tuple[Rect, ...]":
        """Return the up to four pieces left around a gap; itself if the gap misses it."""
        hole = self.intersection(gap)
        if hole is None:
            return (self,)
        pieces = (
            Rect(self.x0, self.z0, hole.x0, self.z1),
            Rect(hole.x1, self.z0, self.x1, self.z1),
            Rect(hole.x0, self.z0, hole.x1, hole.z0),
            Rect(hole.x0, hole.z1, hole.x1, self.z1),
        )
        return tuple(p for p in pieces if p.x0 < p.x1 and p.z0 < p.z1)


def footprint_of(obj: ObjectState) -> Rect:
    """Return an object's bounding box seen from above."""
    (x0, _, z0), (x1, _, z1) = obj.box.bounds()
    return Rect(x0, z0, x1, z1)
