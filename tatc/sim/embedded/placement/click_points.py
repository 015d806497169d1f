"""Find the point of an object at which a click ends, and where the ray of a Place ends.

AI2-THOR casts the ray of a Place against colliders, which differ from what the camera shows.  In a
dish the ray ends on the floor of the dish.  Beside the basin of a sink it ends on the board there.
On a board it ends a little below the height at which AI2-THOR places objects.
"""

from collections.abc import Sequence
from math import inf

from tatc.home.actions import Click
from tatc.home.camera import clicks, rays, shapes, solids
from tatc.home.camera.ray_intersection import intersect_rays, prepare_solid
from tatc.home.state import ObjectState, Vec3
from tatc.home.type_facts import DISH_FLOOR_METRES
from tatc.sim.embedded.placement import dish_surfaces, observed_surfaces
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.world_state import WorldState

BOARDED_SINK_TYPE = "Sink"
"""The type that has areas on a board beside its basin: in recordings, most objects that people
put on double sinks stood where the ray of the click crosses this board."""
BOARD_DROP_METRES = 0.008
"""How far this board is below the objects on it if nothing shows its height, metres."""
ON_BOARD_TOLERANCE_METRES = 0.03
"""A ray that ends this near to the height of objects on a surface ends on its board, metres."""
BOARD_MARGIN_METRES = 0.1  # how far the board reaches beyond its areas, metres


def place_ray_end(
    world: WorldState, receptacle: ObjectState, point: Vec3, surfaces: Sequence[Surface]
) -> Vec3:
    """Return where AI2-THOR's ray from the Follower's eye to a receptacle's point (metres) ends."""
    box, eye = receptacle.box, clicks.eye_of(world.follower).position
    dish = dish_surfaces.known_dish(receptacle)
    if dish is not None:
        return clicks.ray_end_in_dish(receptacle, dish, eye, point) or point
    floor = DISH_FLOOR_METRES.get(receptacle.objectType)
    if floor is not None:
        return _ray_at_height(eye, point, box.bottom + floor) or point
    for surface in surfaces:
        ground = observed_surfaces.landing_height_near(world, [receptacle], surface.y)
        if abs(point[1] - surface.y) < ON_BOARD_TOLERANCE_METRES:
            end = None if ground is None else _ray_at_height(eye, point, ground)
            return end or point
        if receptacle.objectType == BOARDED_SINK_TYPE and point[1] < surface.y:
            board = surface.y - BOARD_DROP_METRES if ground is None else ground
            end = _ray_at_height(eye, point, board)
            if end is not None and surface.distance_to(end) <= BOARD_MARGIN_METRES:
                return end
    return point


def _ray_at_height(eye: Vec3, point: Vec3, height: float) -> Vec3 | None:
    """Return where the ray through a point reaches a height; None if the ray does not fall."""
    return clicks.ray_at_height(eye, point, height) if eye[1] > point[1] else None


def clicked_point(world: WorldState, target: ObjectState, click: Click | None) -> Vec3:
    """Return the point of an object at which a click ends, even if this world hides it.

    If the ray does not hit the object here, the point is where the ray reaches the height at which
    objects rest on it, within its box.  Otherwise it is where the ray enters the box.  If the ray
    misses the box but reaches that height, the point is moved to the nearest point of the box's
    bounds.  In all other cases, and without a click, it is the centre of the box.
    """
    if click is None:
        return target.box.center
    eye, index = clicks.eye_of(world.follower), world.index_of(target.objectId)
    hit = world.geometry.hit_at_click(eye, click)
    if hit is not None and hit.index == index:
        return hit.point
    direction = eye.ray(*rays.pixel_of(click))
    level = shapes.surface_height(target, world.geometry.surface_height(index))
    distance = (level - eye.position[1]) / direction[1]
    low, high = target.box.bounds()
    x, z = (eye.position[i] + distance * direction[i] for i in (0, 2))
    end = min(max(x, low[0]), high[0]), level, min(max(z, low[2]), high[2])
    if distance > 0.0 and end == (x, level, z):
        return end
    entry_point = ray_entry_point(world, target, click)
    if entry_point is not None or distance <= 0.0:
        return entry_point or target.box.center
    return end


def ray_entry_point(world: WorldState, target: ObjectState, click: Click) -> Vec3 | None:
    """Return the point at which a click's ray enters an object's box; None if it misses."""
    eye = clicks.eye_of(world.follower)
    (x, y, z), (dx, dy, dz) = eye.position, eye.ray(*rays.pixel_of(click))
    box = solids.Solid(target.box.center, target.box.size, target.box.yaw)
    ray = rays.Rays.single((dx, dy, dz))
    away = float(intersect_rays(prepare_solid(box), eye.position, ray))
    return (x + away * dx, y + away * dy, z + away * dz) if away < inf else None
