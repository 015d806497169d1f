"""TEACh's cameras: the Follower's, the Commander's, the target's, and the map's."""

from collections.abc import Iterable
from math import atan, atan2, degrees

from tatc.actions import Role
from tatc.camera.clicks import eye_of
from tatc.camera.rays import Eye
from tatc.camera.shell import Shell
from tatc.state import ObjectState, Pose, Snapshot, Vec3

TARGET_HEIGHT = 1.8
"""How high the target-object camera hangs, metres (spec section 2.12)."""
MAP_HEIGHT = 30.0
"""How far over the floor the map is looked at from, metres."""


def eye_for(role: Role, snapshot: Snapshot) -> Eye:
    """Return an agent's camera; the Commander's is where the Commander is."""
    if role is Role.FOLLOWER:
        return eye_of(snapshot.follower)
    camera = snapshot.commander
    return Eye(camera.position, camera.yaw, camera.horizon)


def eye_towards(thing: ObjectState, reachable: Iterable[Pose]) -> Eye | None:
    """Return the camera that shows the object of a SearchObject (spec section 2.12).

    It hangs over the nearest place that can be reached, looks along the axis on which
    the object is farther, and down at it; None where no place can be reached.
    """
    x, _, z = thing.position
    poses = tuple(reachable)
    if not poses:
        return None
    at = min(poses, key=lambda pose: abs(pose.x - x) + abs(pose.z - z))
    fx, fy, fz = _face(thing, at)
    dx, dz = fx - at.x, fz - at.z
    if abs(dx) > abs(dz):
        yaw = 90.0 if dx > 0 else 270.0
    else:
        yaw = 0.0 if dz >= 0 else 180.0
    away = (dx * dx + dz * dz) ** 0.5
    pitch = degrees(atan((TARGET_HEIGHT - fy) / away)) if away > 1e-6 else 0.0
    return Eye((at.x, TARGET_HEIGHT, at.z), yaw, pitch)


def eye_above(shell: Shell) -> Eye:
    """Return the map's camera: over the room's middle, x to the right and z up."""
    x, z = ((shell.low[i] + shell.high[i]) / 2 for i in (0, 2))
    half = max(shell.high[i] - shell.low[i] for i in (0, 2)) / 2
    return Eye((x, MAP_HEIGHT, z), 0.0, 90.0, 2 * degrees(atan2(half, MAP_HEIGHT)))


def _face(thing: ObjectState, at: Pose) -> Vec3:
    """Return what is aimed at: a portable thing itself, or its box's nearest corner."""
    if thing.affordances.pickupable:
        return thing.position
    low, high = thing.box.bounds()
    from_ = (at.x, TARGET_HEIGHT, at.z)
    x, y, z = (
        a if abs(a - o) <= abs(b - o) else b
        for a, b, o in zip(low, high, from_, strict=True)
    )
    return x, y, z
