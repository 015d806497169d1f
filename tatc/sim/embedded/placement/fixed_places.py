"""Where objects are put in receptacles that have only one place, such as toasters."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from tatc.home.state import ObjectState, Vec3
from tatc.home.types.assets import attach_point
from tatc.sim.transforms import rotate_yaw


@dataclass(frozen=True, slots=True)
class FixedPlace:
    """The one place in a receptacle that has only one, as shares of the receptacle's box.

    `forward_ratio` is the distance from the middle towards the front, as a share of the
    depth.  `height_ratio` is the height above the lower side, as a share of the height; None
    means the height of the surface.  If `at_object_position` is true, x and z start from the
    receptacle's position instead of the middle of its box.
    """

    forward_ratio: float = 0.0
    height_ratio: float | None = None
    at_object_position: bool = False


FIXED_PLACES = {
    "CoffeeMachine": FixedPlace(forward_ratio=0.3),
    # Which of two slots takes bread differs between toasters; this point is between them.
    "Toaster": FixedPlace(height_ratio=0.44, at_object_position=True),
}
"""The fixed places of the `ACCEPTED_TYPES` whose place is not in the middle (recorded ends)."""


def attached_pose(receptacle: ObjectState) -> tuple[Vec3, float] | None:
    """Return the position (world, metres) and yaw (degrees) of what a receptacle takes.

    None if the receptacle's asset is not known.
    """
    known = attach_point(receptacle.objectType, receptacle.mass, receptacle.box.size)
    if known is None:
        return None
    (dx, dy, dz), turn = rotate_yaw(known.offset, receptacle.rotation[1]), receptacle.rotation[1]
    x, y, z = receptacle.position
    return (x + dx, y + dy, z + dz), (turn + known.yaw) % 360.0


def fixed_point(
    receptacle: ObjectState, surface_y: float, seen: Sequence[tuple[float, float]]
) -> Vec3:
    """Return where an object's position comes to be, and the height of its lower side, metres.

    Args:
        receptacle: the receptacle, in the world.
        surface_y: the height of its surface.
        seen: x and z of objects that rested there in recorded sessions; their medians count
            more than what the receptacle's box tells.

    """
    place = FIXED_PLACES.get(receptacle.objectType, FixedPlace())
    (x, y, z), (_, height, depth) = receptacle.box.center, receptacle.box.size
    if place.at_object_position:
        x, _, z = receptacle.position
    dx, _, dz = rotate_yaw((0.0, 0.0, place.forward_ratio * depth), receptacle.rotation[1])
    x, z = x + dx, z + dz
    if seen:
        x, z = median(x for x, _ in seen), median(z for _, z in seen)
    if place.height_ratio is not None:
        surface_y = y + (place.height_ratio - 0.5) * height
    return x, surface_y, z
