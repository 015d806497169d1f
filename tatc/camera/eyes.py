"""The cameras that agents see through, and the one that looks at a room from above."""

from math import atan2, degrees

from tatc.actions import Role
from tatc.camera.clicks import eye_of
from tatc.camera.rays import Eye
from tatc.camera.shell import Shell
from tatc.state import Snapshot

MAP_HEIGHT = 30.0
"""How far over the floor the map is looked at from, metres."""


def eye_for(role: Role, snapshot: Snapshot) -> Eye:
    """Return an agent's camera; the Commander's is where the Commander is."""
    if role is Role.FOLLOWER:
        return eye_of(snapshot.follower)
    camera = snapshot.commander
    return Eye(camera.position, camera.yaw, camera.horizon)


def eye_above(shell: Shell) -> Eye:
    """Return the map's camera: over the room's middle, x to the right and z up."""
    x, z = ((shell.low[i] + shell.high[i]) / 2 for i in (0, 2))
    half = max(shell.high[i] - shell.low[i] for i in (0, 2)) / 2
    return Eye((x, MAP_HEIGHT, z), 0.0, 90.0, 2 * degrees(atan2(half, MAP_HEIGHT)))
