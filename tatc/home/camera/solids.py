"""Solids, the units that rays hit, and how each type of object is cut into them.

Every type that is not simply its box has a `TypeShape` in one table, which `shapes` applies.  Here
are also the sides and layers of boxes, and rectangles seen from above.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import Any, NamedTuple

from tatc.base import files
from tatc.home import type_facts
from tatc.home.state import Box, Vec3, yaw_sin_cos


class OpenFaces(IntEnum):
    """The faces through which a ray enters a solid, to hit its far side from within."""

    NONE = auto()
    TOP = auto()
    ALL = auto()


class SolidShape(IntEnum):
    """The shape that fills the box of a solid."""

    BOX = 0
    CYLINDER = 1  # an upright cylinder
    ELLIPSOID = 2
    DISC = 3  # a cylinder along the box's shortest side


class ShapeTemplate(Enum):
    """How the solids are cut out of an object's box."""

    WHOLE = auto()  # the box itself
    UP_TO_RIM = auto()  # the box up to its rim, and lower than the basin in it
    UP_TO_SURFACE = auto()  # the box up to the surface
    BOARD = auto()  # a board under the surface
    TABLE_WITH_BASE = auto()  # a board, and below it a case that rays enter
    LAMP = auto()  # a shade on a pole on a foot
    PLANT = auto()  # leaves over a pot
    FAUCET = auto()  # a pipe, its handles and its spout
    TOILET = auto()  # a seat in front of a tank
    SEAT_WITH_BACK = auto()  # the box up to the surface, and above it a hollow back and arms


@dataclass(frozen=True, slots=True)
class TypeShape:
    """How objects of a type are cut into solids.

    `surface_offset` is a guess of the height at which objects rest where nothing does: metres above
    the box's bottom, or below its top if negative (starts).
    """

    template: ShapeTemplate = ShapeTemplate.WHOLE
    surface_offset: float = 0.0
    open_faces: OpenFaces = OpenFaces.NONE
    open_faces_when_open: OpenFaces | None = None  # None for no difference
    shape: SolidShape = SolidShape.BOX
    width_share: float = 1.0  # the share of the box's width and depth that is kept
    back_share: float = 0.0  # the share of the depth, from the object's back, that is solid
    leg_thickness: float = 0.0  # of the four legs under a board, metres, 0 for none


_PLAIN_BOX = TypeShape()


def _read_shapes() -> Iterator[tuple[str, TypeShape]]:
    for names, raw in files.package_table("tatc.home.camera", "type_shapes.toml").items():
        shape = TypeShape(**{name: _read_field(name, value) for name, value in raw.items()})
        is_set = names.endswith("_TYPES")
        for kind in sorted(getattr(type_facts, names)) if is_set else names.split():
            yield kind, shape


_ENUM_BY_FIELD = {
    "template": ShapeTemplate,
    "open_faces": OpenFaces,
    "open_faces_when_open": OpenFaces,
    "shape": SolidShape,
}


def _read_field(name: str, value: Any) -> Any:
    return _ENUM_BY_FIELD[name][value.upper()] if isinstance(value, str) else value


TYPE_SHAPES: dict[str, TypeShape] = dict(_read_shapes())
"""The shapes of types that are not simply their box; every other type is its plain box."""


def shape_of_type(kind: str) -> TypeShape:
    """Return how objects of a type are cut; as a plain box if it is not in the table."""
    return TYPE_SHAPES.get(kind, _PLAIN_BOX)


class Solid(NamedTuple):
    """One solid: an upright box, or the cylinder, ellipsoid or disc that fills that box.

    `size` holds full lengths along the solid's own axes, metres; a cylinder has equal
    width and depth.  `yaw` is in degrees.  Ellipsoids and discs have no open faces.
    """

    center: Vec3
    size: Vec3
    yaw: float = 0.0
    shape: SolidShape = SolidShape.BOX
    open_faces: OpenFaces = OpenFaces.NONE


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
    return Solid(center, (width, max(high - low, 0.0), depth), box.yaw, shape, open_faces)


@dataclass(frozen=True, slots=True)
class BoxSide:
    """An upright side of a box: its axis, 0 for the box's own x, 1 for z, and its sign, -1 or 1."""

    axis: int
    sign: int

    @property
    def along_axis(self) -> int:
        """The horizontal axis that runs along the side."""
        return 1 - self.axis


def axis_length(box: Box, axis: int) -> float:
    """Return the length of a box along an axis, metres."""
    return box.size[2 * axis]


def with_length(size: Vec3, axis: int, length: float) -> Vec3:
    """Return a box's size with another length along an axis, metres."""
    return (length, size[1], size[2]) if axis == 0 else (size[0], size[1], length)


def lowest_of_groups(values: Iterable[float], gap: float) -> list[float]:
    """Return values in rising order, without those within `gap` above one that is returned."""
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > gap:
            kept.append(value)
    return kept


def to_box_axes(box: Box, point: Vec3) -> tuple[float, float]:
    """Return a point's offsets from a box's centre along the box's own x and z, metres."""
    sine, cosine = yaw_sin_cos(box.yaw)
    dx, dz = point[0] - box.center[0], point[2] - box.center[2]
    return dx * cosine - dz * sine, dx * sine + dz * cosine


def point_from_side(box: Box, side: BoxSide, out: float, along: float) -> Vec3:
    """Return the world point `out` metres towards a side, `along` along it, from a box's centre."""
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


def side_towards(box: Box, point: Vec3, least: float) -> BoxSide | None:
    """Return the side that a point is off the middle towards, None if by less than `least`."""
    offsets = to_box_axes(box, point)
    axis = 0 if abs(offsets[0]) > abs(offsets[1]) else 1
    if abs(offsets[axis]) < least:
        return None
    return BoxSide(axis, 1 if offsets[axis] > 0 else -1)


@dataclass(frozen=True, slots=True)
class Rect:
    """A horizontal rectangle along the world's axes: its lowest and highest x and z, metres."""

    x0: float
    z0: float
    x1: float
    z1: float

    @property
    def sides(self) -> tuple[float, float]:
        """Its lengths along x and z, metres."""
        return self.x1 - self.x0, self.z1 - self.z0

    def expand(self, by: float) -> "Rect":
        """Return the rectangle widened by so many metres on each side."""
        return Rect(self.x0 - by, self.z0 - by, self.x1 + by, self.z1 + by)

    def overlaps(self, other: "Rect", slack: float = 0.0) -> bool:
        """Whether the two rectangles overlap by more than `slack` metres along both axes."""
        along = self.x0 < other.x1 - slack and other.x0 < self.x1 - slack
        return along and self.z0 < other.z1 - slack and other.z0 < self.z1 - slack

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
        return tuple(p for p in self.around(hole) if p.x0 < p.x1 and p.z0 < p.z1)

    def around(self, hole: "Rect") -> "tuple[Rect, ...]":
        """Return the four pieces around a hole in the rectangle, even those without any area."""
        return (
            Rect(self.x0, self.z0, hole.x0, self.z1),
            Rect(hole.x1, self.z0, self.x1, self.z1),
            Rect(hole.x0, self.z0, hole.x1, hole.z0),
            Rect(hole.x0, hole.z1, hole.x1, self.z1),
        )


def bounding_rect(rects: Sequence[Rect]) -> Rect:
    """Return the smallest rectangle around others, of which there must be one at least."""
    low = min(rect.x0 for rect in rects), min(rect.z0 for rect in rects)
    return Rect(*low, max(rect.x1 for rect in rects), max(rect.z1 for rect in rects))


def footprint_of(box: Box) -> Rect:
    """Return the bounds of a box seen from above."""
    (x0, _, z0), (x1, _, z1) = box.bounds()
    return Rect(x0, z0, x1, z1)
