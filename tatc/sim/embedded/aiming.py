"""At which point of a dish the ray of a Place ends.

AI2-THOR casts it against a dish's colliders, which are not what the camera shows: a
plate and a pan are flat to it, a bowl and a pot about half full.
"""

from tatc.camera.clicks import eye_of
from tatc.sim.embedded.house import House
from tatc.state import ObjectState, Vec3

FILLED = {"Bowl": 0.5, "Pan": 0.15, "Plate": 0.1, "Pot": 0.5}
"""How high the ray ends in a dish, as a share of its box's height.

Rays of recorded clicks pass nearest to where things then lay at these heights: a median
of 1.6 cm beside them in plates and pans, 3 cm in bowls and 4 cm in pots.
"""


def aimed(house: House, receptacle: ObjectState, point: Vec3) -> Vec3:
    """Return where the ray to a point of a receptacle ends for AI2-THOR."""
    share = FILLED.get(receptacle.objectType)
    if share is None:
        return point
    box, eye = receptacle.box, eye_of(house.follower).position
    level = box.center[1] + (share - 0.5) * box.size[1]
    drop = eye[1] - point[1]
    if drop <= 0.0:
        return point
    reach = (eye[1] - level) / drop
    x, z = (eye[i] + reach * (point[i] - eye[i]) for i in (0, 2))
    return x, level, z
