"""At which point of an object a click ends, and where the ray of a Place ends.

AI2-THOR casts the latter against colliders, which are not what the camera shows: it
ends on a dish's floor, beside a sink's basin on the board there, and on a board a
little lower than things stand that were set down on it.
"""

from collections.abc import Sequence
from math import inf

from tatc.actions import Click
from tatc.camera.clicks import eye_of
from tatc.camera.rays import pixel_of
from tatc.camera.shapes import surface_of
from tatc.camera.solid import Solid
from tatc.camera.tracing import meet, target_of
from tatc.sim.embedded.ground import ground_near
from tatc.sim.embedded.house import House
from tatc.sim.embedded.levels import beside
from tatc.sim.surfaces import Surface
from tatc.state import ObjectState, Vec3

FLOORS = {"Bowl": 0.012, "Pan": 0.008, "Plate": 0.007, "Pot": 0.01}
"""How high over a dish's lower side the ray ends in it, metres.

From there on the nearest point that is free is most often where the thing then lay in
recorded ends; a centimetre more or less is wrong in every tenth case more.
"""
BOARDED = "Sink"
"""The type whose own areas, beside its basin, lie on a board: of things that people put
there on two bowls' sinks, most then lay where their ray crosses it."""
FALL = 0.008
"""How far under what stands there that board is where nothing shows it, metres."""
ON = 0.03
"""A ray that ends this near to where things stand ends on the board, metres."""
BESIDE = 0.1
"""How far beyond its areas the board reaches, metres."""


def aimed(
    house: House, receptacle: ObjectState, point: Vec3, levels: Sequence[Surface]
) -> Vec3:
    """Return where the ray to a point of a receptacle ends for AI2-THOR.

    `levels` are the receptacle's surfaces.
    """
    box, eye = receptacle.box, eye_of(house.follower).position
    floor = FLOORS.get(receptacle.objectType)
    if floor is not None:
        height = box.center[1] - box.size[1] / 2 + floor
        return _at_height(eye, point, height) or point
    for level in levels:
        ground = ground_near(house, [receptacle], level.y)
        if abs(point[1] - level.y) < ON:
            there = None if ground is None else _at_height(eye, point, ground)
            return there or point
        if receptacle.objectType == BOARDED and point[1] < level.y:
            board = level.y - FALL if ground is None else ground
            there = _at_height(eye, point, board)
            if there is not None and beside(level, there) <= BESIDE:
                return there
    return point


def _at_height(eye: Vec3, point: Vec3, height: float) -> Vec3 | None:
    """Return where a falling ray through a point is so high, None if it rises."""
    drop = eye[1] - point[1]
    if drop <= 0.0:
        return None
    reach = (eye[1] - height) / drop
    x, z = (eye[i] + reach * (point[i] - eye[i]) for i in (0, 2))
    return x, height, z


def point_on(house: House, target: ObjectState, click: Click | None) -> Vec3:
    """Return where a click that means an object ends on it, whatever is before it here.

    Where its ray ends elsewhere, that is where it comes down to the height at which
    things rest on the object, or else enters its box; of a ray that does neither it is
    the point of the box nearest to the former.
    """
    if click is None:
        return target.box.center
    eye, index = eye_of(house.follower), house.index(target.objectId)
    hit = house.geometry.first(eye, click)
    if hit is not None and hit.index == index:
        return hit.point
    direction = eye.ray(*pixel_of(click))
    level = surface_of(target, house.geometry.surface(index))
    time = (level - eye.position[1]) / direction[1]
    low, high = target.box.bounds()
    x, z = (eye.position[i] + time * direction[i] for i in (0, 2))
    there = min(max(x, low[0]), high[0]), level, min(max(z, low[2]), high[2])
    if time > 0.0 and there == (x, level, z):
        return there
    entered = entry(house, target, click)
    if entered is not None or time <= 0.0:
        return entered or target.box.center
    return there


def entry(house: House, target: ObjectState, click: Click) -> Vec3 | None:
    """Return where a click's ray enters an object's box, None where it passes it by."""
    eye = eye_of(house.follower)
    (x, y, z), (dx, dy, dz) = eye.position, eye.ray(*pixel_of(click))
    box = Solid(target.box.center, target.box.size, target.box.yaw)
    time = meet(target_of(box), eye.position, (dx, dy, dz))
    return (x + time * dx, y + time * dy, z + time * dz) if time < inf else None
