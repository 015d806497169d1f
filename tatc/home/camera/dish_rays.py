"""Where the ray of a Place ends in a plate or bowl of a known asset."""

from math import ceil, hypot

from tatc.home.state import ObjectState, Vec3
from tatc.home.types.assets import DishGeometry

FLAT_FLOOR_RATIO = 0.75
"""The radius of a dish's flat floor, as a share of its half width."""
PROFILE_STEP_METRES = 0.001
"""How finely the height at which a ray meets a dish is sought, metres."""


def ray_end_in_dish(obj: ObjectState, dish: DishGeometry, eye: Vec3, point: Vec3) -> Vec3 | None:
    """Return where the ray from an eye through a point meets a dish's floor or rim.

    The floor is flat around the middle and rises to the rim.  A ray that passes over the
    dish ends at the height of its lower side; None if the ray does not fall.
    """
    if eye[1] <= point[1]:
        return None
    low, half = obj.box.center[1] - obj.box.size[1] / 2, min(obj.box.size[0], obj.box.size[2]) / 2
    floor = dish_floor_height(obj, dish)
    wall = max(low + dish.height - floor, 0.0)
    for i in range(ceil(wall / PROFILE_STEP_METRES)):
        above_floor = wall - i * PROFILE_STEP_METRES
        end = _ray_at_height(eye, point, floor + above_floor)
        share = hypot(end[0] - obj.position[0], end[2] - obj.position[2]) / half
        slope = max((share - FLAT_FLOOR_RATIO) / (1.0 - FLAT_FLOOR_RATIO), 0.0)
        if share <= 1.0 and above_floor <= slope * wall:
            return end
    end = _ray_at_height(eye, point, floor)
    is_inside = hypot(end[0] - obj.position[0], end[2] - obj.position[2]) <= half
    return end if is_inside else _ray_at_height(eye, point, low)


def dish_floor_height(obj: ObjectState, dish: DishGeometry) -> float:
    """Return the height of a dish's inner floor in the world, metres."""
    return obj.box.center[1] + obj.box.size[1] / 2 - dish.depth


def _ray_at_height(eye: Vec3, point: Vec3, height: float) -> Vec3:
    """Return where the falling ray through a point reaches a height."""
    scale = (eye[1] - height) / (eye[1] - point[1])
    x, z = (eye[i] + scale * (point[i] - eye[i]) for i in (0, 2))
    return x, height, z
