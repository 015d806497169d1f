"""The cameras of a session, and their images: colour, object, type and depth of each pixel.

All four come from the same rays as clicks, so the object that a pixel shows is the one
that a click on it hits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from math import atan2, degrees
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tatc.home import actions, state
from tatc.home.camera import clicks, geometry, rays, room_bounds

Depths = NDArray[np.float32]
Mask = NDArray[np.bool_]

HELD_AHEAD_METRES, HELD_BELOW_METRES = 0.5, 0.3
"""Where the held object is drawn, relative to the Follower's eye, metres."""
MAP_EYE_HEIGHT_METRES = 30.0  # the height of the map's camera above the floor, metres


class ImageKind(StrEnum):
    """The kinds of image that can be drawn."""

    RGB = "rgb"
    IDS = "ids"
    CLASSES = "classes"
    DEPTH = "depth"


@dataclass(frozen=True, slots=True, eq=False)
class CameraImages:
    """The images of one view; those that were not asked for are None.

    `rgb` has the shape (rows, columns, 3), the others (rows, columns).  `ids` are indices
    into the snapshot's objects and `classes` into `types`, which is empty without them; both
    are -1 where a ray meets no object, as at a wall.  `depth` is in metres along the view
    direction, as in AI2-THOR, and infinite where a ray meets nothing.
    """

    rgb: rays.Rgb | None
    ids: geometry.IndexArray | None
    classes: geometry.IndexArray | None
    depth: Depths | None
    types: tuple[str, ...]

    def object_mask(self, index: int) -> Mask:
        """Return the pixels that show the object with an index; `ids` must have been drawn."""
        if self.ids is None:
            raise ValueError("ids was not drawn")
        return self.ids == index


@dataclass(frozen=True, slots=True, eq=False)
class TracedView:
    """What an eye's rays hit, both arrays in the shape (rows, columns).

    `ids` are indices into the snapshot's objects, -1 where a ray hits none, as at a wall.
    `distances` are metres along each ray from the eye to an object, a wall, the ceiling or the
    floor, infinite where a ray hits nothing.
    """

    eye: rays.Eye
    ids: geometry.IndexArray
    distances: rays.Floats


def object_types(objects: Sequence[state.ObjectState]) -> tuple[str, ...]:
    """Return the types among objects, in alphabetical order."""
    return tuple(sorted({obj.objectType for obj in objects}))


def class_image(
    ids: geometry.IndexArray, objects: Sequence[state.ObjectState], types: Sequence[str]
) -> geometry.IndexArray:
    """Return for each pixel the index of its object's type, -1 for none."""
    index = {kind: i for i, kind in enumerate(types)}
    table = [index[obj.objectType] for obj in objects]
    return np.array([*table, geometry.NO_OBJECT], dtype=np.int32)[ids]


def eye_of_role(role: actions.Role, snapshot: state.Snapshot) -> rays.Eye:
    """Return the camera of a role in a snapshot; the Commander's has no eye height added."""
    if role is actions.Role.FOLLOWER:
        return clicks.eye_of(snapshot.follower)
    camera = snapshot.commander
    return rays.Eye(camera.position, camera.yaw, camera.horizon)


def held_object_in_view(snapshot: state.Snapshot, eye: rays.Eye) -> state.ObjectState | None:
    """Return the held object where an eye sees it, or None: low in the Follower's own view."""
    held = snapshot.held_object()
    if held is None:
        return None
    at = held.box.center
    if eye == clicks.eye_of(snapshot.follower):
        (fx, fy, fz), _, (ux, uy, uz) = eye.axes
        x, y, z = eye.position
        at = (
            x + HELD_AHEAD_METRES * fx - HELD_BELOW_METRES * ux,
            y + HELD_AHEAD_METRES * fy - HELD_BELOW_METRES * uy,
            z + HELD_AHEAD_METRES * fz - HELD_BELOW_METRES * uz,
        )
    return state.translate(held, state.subtract(at, held.box.center)).with_values(isPickedUp=False)


def overhead_eye(bounds: room_bounds.RoomBounds) -> rays.Eye:
    """Return the map's camera: above the room's middle, with x to the right and z up.

    Its field of view spans the room's longer side at floor level.
    """
    x, z = ((bounds.low[i] + bounds.high[i]) / 2 for i in (0, 2))
    half = max(bounds.high[i] - bounds.low[i] for i in (0, 2)) / 2
    fov = 2 * degrees(atan2(half, MAP_EYE_HEIGHT_METRES))
    return rays.Eye((x, MAP_EYE_HEIGHT_METRES, z), 0.0, 90.0, fov)


def encode_image(pixels: NDArray[Any], file_format: str, **options: int) -> bytes:
    """Return pixels as the bytes of an image file; the options are those of Pillow's format."""
    from PIL import Image

    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, file_format, **options)
    return buffer.getvalue()
