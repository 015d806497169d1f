"""Which objects an agent sees near enough to act on them, and which one an action is on.

AI2-THOR tests points on each object; here a small frame is traced, so that an object of
which one pixel is seen within the visibility distance is visible.  An action names its
object by `objectId` or by a point x, y of the frame.
"""

import numpy as np

from tatc.apps.thorserver.thor_action import MISSING_ARGUMENTS, ActionFailure, Arguments
from tatc.apps.thorserver.thor_agent import FrameCamera, ThorAgent
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.home.actions import Click
from tatc.home.camera.geometry import NO_OBJECT, RayHit
from tatc.home.state import ObjectState, Vec3

NOT_VISIBLE_ERROR = "Target object not found within the specified visibility."
INVALID_ID_ERROR = "Object ID appears to be invalid."
NO_HIT_ERROR = "Could not find a target object: the ray meets none"
VISIBILITY_SIDE_PIXELS = 150
"""The longer side of the frame that decides which objects are visible, in pixels."""
EXACT_VISIBILITY_SIDE_PIXELS = 900
"""The same for an object that was not found so, when an action needs it visible."""


def visible_ids(
    world: ThorWorld,
    agent: ThorAgent,
    side_pixels: int = VISIBILITY_SIDE_PIXELS,
    max_distance: float | None = None,
) -> frozenset[str]:
    """Return the ids of the objects that an agent sees within a horizontal distance.

    `side_pixels` is the longer side of the frame that is traced.  Without `max_distance`,
    metres, it is the visibility distance that Initialize set.
    """
    reach = world.settings.visibility_metres if max_distance is None else max_distance
    camera = world.camera_of(agent).scaled(side_pixels)
    ids, depth = world.state.geometry.trace_objects(camera.eye, camera.side_pixels)
    ids, depth = camera.crop(ids), camera.crop(depth)
    x, _, z = camera.ray_directions()
    near = (ids != NO_OBJECT) & (depth * np.hypot(x, z) <= reach)
    indices: list[int] = np.unique(ids[near]).tolist()
    return frozenset(world.state.objects[i].objectId for i in indices)


def is_visible_from(world: ThorWorld, camera: FrameCamera, index: int, reach: float) -> bool:
    """Return whether a camera sees an object within a horizontal distance.

    This traces only the part of the frame in which the object can appear.  The camera has a
    frame as coarse as the answer may be, `index` is the object's in the world's list, and
    `reach` in metres.
    """
    geometry, side = world.state.geometry, camera.side_pixels
    solids = geometry.visible_rows_of(index)
    if not solids:
        return False
    bounds = geometry.screen_bounds(camera.eye).pixel_bounds(side)[:, solids]
    corner_x, corner_y = camera.frame_corner
    left, top = max(int(bounds[0].min()), corner_x), max(int(bounds[1].min()), corner_y)
    right = min(int(bounds[2].max()), corner_x + camera.width)
    bottom = min(int(bounds[3].max()), corner_y + camera.height)
    if left >= right or top >= bottom:
        return False
    columns, rows = np.arange(left, right), np.arange(top, bottom)
    ids, depth = geometry.trace_object_pixels(camera.eye, columns, rows, side)
    x, _, z = camera.eye.rays(columns, rows, side)
    return bool(((ids == index) & (depth * np.hypot(x, z) <= reach)).any())


def is_interactable(world: ThorWorld, obj: ObjectState) -> bool:
    """Return whether the acting agent sees an object near enough to act on it."""
    if obj.isPickedUp:
        return True
    agent = world.acting_agent
    return any(
        obj.objectId in visible_ids(world, agent, side)
        for side in (VISIBILITY_SIDE_PIXELS, EXACT_VISIBILITY_SIDE_PIXELS)
    )


def visible_point_on(world: ThorWorld, obj: ObjectState) -> Vec3:
    """Return a point in the middle of what the acting agent sees of an object.

    If it sees nothing of it, the point is that of its box nearest to the camera.
    """
    camera = world.agent_camera().scaled(VISIBILITY_SIDE_PIXELS)
    ids, depth = world.state.geometry.trace_objects(camera.eye, camera.side_pixels)
    rows, columns = np.nonzero(ids == world.state.index_of(obj.objectId))
    eye = camera.eye.position
    if not len(rows):
        low, high = obj.box.bounds()
        x, y, z = (min(max(v, a), b) for v, a, b in zip(eye, low, high, strict=True))
        return x, y, z
    away = np.hypot(rows - rows.mean(), columns - columns.mean())
    row, column = rows[away.argmin()], columns[away.argmin()]
    far = float(depth[row, column])
    dx, dy, dz = camera.eye.ray(int(column), int(row), camera.side_pixels)
    return eye[0] + far * dx, eye[1] + far * dy, eye[2] + far * dz


def target_object(world: ThorWorld, arguments: Arguments) -> ObjectState:
    """Return the object that `objectId` or a point x, y of the frame names.

    Without `forceAction` it must be visible.
    """
    if arguments.get("objectId"):
        obj = world.state.find(arguments.text("objectId"))
        if obj is None:
            raise ActionFailure(INVALID_ID_ERROR)
    else:
        hit = hit_at_click(world, frame_click(world, arguments))
        obj = world.state.objects[hit.index]
    if not arguments.flag("forceAction") and not is_interactable(world, obj):
        raise ActionFailure(NOT_VISIBLE_ERROR, "ObjectNotVisible")
    return obj


def frame_click(world: ThorWorld, arguments: Arguments) -> Click:
    """Return the point x, y of the frame as a point of the embedded world's square frame."""
    missing = [axis for axis in "xy" if arguments.get(axis) is None]
    if missing:
        why = f"missing the following arguments: {','.join(missing)}"
        raise ActionFailure(why, MISSING_ARGUMENTS)
    x, y = (arguments.number(axis, 0.0) for axis in "xy")
    if not (0 <= x <= 1 and 0 <= y <= 1):
        raise ActionFailure(f"x and y must be in [0:1] not (x={x}, y={y}).")
    return world.agent_camera().to_square_click(x, y)


def hit_at_click(world: ThorWorld, click: Click) -> RayHit:
    """Return what the ray through a point of the frame hits."""
    hit = world.state.geometry.hit_at_click(world.agent_camera().eye, click)
    if hit is None:
        raise ActionFailure(NO_HIT_ERROR)
    return hit
