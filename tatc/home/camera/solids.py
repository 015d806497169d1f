"""A solid, the unit that rays hit, and the layers that boxes are cut into."""

from dataclasses import dataclass

from tatc.home.camera.shape_table import OpenFaces, SolidShape
from tatc.home.state import Box, Vec3


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
