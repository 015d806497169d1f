"""The cameras that agents see through, and the one that looks at a room from above."""

from dataclasses import replace
from math import atan2, degrees

from tatc.home.actions import Role
from tatc.home.camera.clicks import eye_of
from tatc.home.camera.rays import Eye
from tatc.home.camera.room_bounds import RoomBounds
from tatc.home.state import ObjectState, Snapshot

HELD_AHEAD_METRES, HELD_BELOW_METRES = 0.5, 0.3
"""Where the held object is drawn, relative to the Follower's eye, metres."""
MAP_EYE_HEIGHT_METRES = 30.0
"""The height of the map's camera above the floor, metres."""


def eye_of_role(role: Role, snapshot: Snapshot) -> Eye:
    """Return the camera of a role in a snapshot; the Commander's has no eye height added."""
    if role is Role.FOLLOWER:
        return eye_of(snapshot.follower)
    camera = snapshot.commander
    return Eye(camera.position, camera.yaw, camera.horizon)


def held_object_in_view(snapshot: Snapshot, eye: Eye) -> ObjectState | None:
    """Return the object that the Follower holds, placed where an eye sees it, or None.

    The Follower's own eye sees it low in the frame, so that it does not hide the objects
    to click on.
    """
    held = snapshot.held_object()
    if held is None:
        return None
    at = held.box.center
    if eye == eye_of(snapshot.follower):
        (fx, fy, fz), _, (ux, uy, uz) = eye.axes
        x, y, z = eye.position
        at = (
            x + HELD_AHEAD_METRES * fx - HELD_BELOW_METRES * ux,
            y + HELD_AHEAD_METRES * fy - HELD_BELOW_METRES * uy,
            z + HELD_AHEAD_METRES * fz - HELD_BELOW_METRES * uz,
        )
    by = tuple(a - b for a, b in zip(at, held.box.center, strict=True))
    x, y, z = (p + d for p, d in zip(held.position, by, strict=True))
    box = held.box.translate(by[0], by[1], by[2])
    return replace(held, isPickedUp=False, position=(x, y, z), box=box)


def overhead_eye(bounds: RoomBounds) -> Eye:
    """Return the map's camera: above the room's middle, with x to the right and z up.

    Its field of view spans the room's longer side at floor level.
    """
    x, z = ((bounds.low[i] + bounds.high[i]) / 2 for i in (0, 2))
    half = max(bounds.high[i] - bounds.low[i] for i in (0, 2)) / 2
    return Eye(
        (x, MAP_EYE_HEIGHT_METRES, z), 0.0, 90.0, 2 * degrees(atan2(half, MAP_EYE_HEIGHT_METRES))
    )
