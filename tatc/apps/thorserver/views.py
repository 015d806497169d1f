"""What agents and cameras see, which object an action is on, and the actions about views.

AI2-THOR tests points on each object; here a small frame is traced, so that an object of
which one pixel is seen within the visibility distance is visible.  An action names its
object by `objectId` or by a point x, y of the frame.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tatc.apps.thorserver import thor_action
from tatc.apps.thorserver.thor_action import ActionFailure, ActionFunction, Arguments, find_object
from tatc.apps.thorserver.thor_agent import FrameCamera, ThorAgent
from tatc.apps.thorserver.thor_world import ThirdPartyCamera, ThorWorld
from tatc.home import actions, metadata, state
from tatc.home.camera.geometry import NO_OBJECT, RayHit

NOT_VISIBLE_ERROR = "Target object not found within the specified visibility."
NO_HIT_ERROR = "Could not find a target object: the ray meets none"
VISIBILITY_SIDE_PIXELS = 150
"""The longer side of the frame that decides which objects are visible, in pixels."""
EXACT_VISIBILITY_SIDE_PIXELS = 900
"""The same for an object that was not found so, when an action needs it visible."""


def visible_ids(world: ThorWorld, agent: ThorAgent) -> frozenset[str]:
    """Return the ids of the objects that an agent sees within the visibility distance."""
    camera = world.camera_of(agent).scaled(VISIBILITY_SIDE_PIXELS)
    with world.geometry_seen_by(agent) as geometry:
        ids, depth = geometry.trace_objects(camera.eye, camera.side_pixels)
    ids, depth = camera.crop(ids), camera.crop(depth)
    x, _, z = camera.ray_directions()
    near = (ids != NO_OBJECT) & (depth * np.hypot(x, z) <= world.settings.visibility_metres)
    indices: list[int] = np.unique(ids[near]).tolist()
    objects = world.state.objects
    return frozenset(objects[i].objectId for i in indices if i < len(objects))


def is_visible_from(world: ThorWorld, camera: FrameCamera, index: int, reach: float) -> bool:
    """Return whether the acting agent's camera sees an object within a horizontal distance.

    This traces only the part of the frame where the object can appear.  The camera has a frame as
    coarse as the answer may be, `index` is the object's in the world's list, and `reach` in metres.
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
    with world.geometry_seen_by(world.acting_agent):
        ids, depth = geometry.trace_object_pixels(camera.eye, columns, rows, side)
    x, _, z = camera.eye.rays(columns, rows, side)
    return bool(((ids == index) & (depth * np.hypot(x, z) <= reach)).any())


def is_interactable(world: ThorWorld, obj: state.ObjectState) -> bool:
    """Return whether the acting agent sees an object near enough to act on it."""
    if obj.isPickedUp:
        return True
    camera, index = world.agent_camera(), world.state.index_of(obj.objectId)
    return any(
        is_visible_from(world, camera.scaled(side), index, world.settings.visibility_metres)
        for side in (VISIBILITY_SIDE_PIXELS, EXACT_VISIBILITY_SIDE_PIXELS)
    )


def visible_point_on(world: ThorWorld, obj: state.ObjectState) -> state.Vec3:
    """Return a point amid what the acting agent sees of an object, or the nearest of its box."""
    camera = world.agent_camera().scaled(VISIBILITY_SIDE_PIXELS)
    with world.geometry_seen_by(world.acting_agent) as geometry:
        ids, depth = geometry.trace_objects(camera.eye, camera.side_pixels)
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


def target_object(world: ThorWorld, arguments: Arguments) -> state.ObjectState:
    """Return the object that an id or a point x, y names; unless forced, it must be visible."""
    if arguments.get("objectId"):
        named = arguments.text("objectId")
        obj = find_object(world, named, "Object ID appears to be invalid.")
    else:
        obj = object_at_click(world, frame_click(world, arguments))
    if not arguments.flag("forceAction") and not is_interactable(world, obj):
        raise ActionFailure(NOT_VISIBLE_ERROR, "ObjectNotVisible")
    return obj


def frame_click(world: ThorWorld, arguments: Arguments) -> actions.Click:
    """Return the point x, y of the frame as a point of the embedded world's square frame."""
    missing = [axis for axis in "xy" if arguments.get(axis) is None]
    if missing:
        why = f"missing the following arguments: {','.join(missing)}"
        raise ActionFailure(why, thor_action.MISSING_ARGUMENTS)
    x, y = (arguments.number(axis, 0.0) for axis in "xy")
    if not (0 <= x <= 1 and 0 <= y <= 1):
        raise ActionFailure(f"x and y must be in [0:1] not (x={x}, y={y}).")
    return world.agent_camera().to_square_click(x, y)


def object_at_click(world: ThorWorld, click: actions.Click) -> state.ObjectState:
    """Return the object that the ray through a point of the frame hits."""
    hit = _first_hit(world, click)
    if hit is None or hit.index >= len(world.state.objects):
        raise ActionFailure(NO_HIT_ERROR)
    return world.state.objects[hit.index]


def _first_hit(world: ThorWorld, click: actions.Click) -> RayHit | None:
    with world.geometry_seen_by(world.acting_agent) as geometry:
        return geometry.hit_at_click(world.agent_camera().eye, click)


MIN_FOV_DEGREES, MAX_FOV_DEGREES = 0.0, 180.0  # the limits of a field of view; neither is allowed
_DEFAULT_ORTHOGRAPHIC_SIZE_METRES = 5.0  # Unity's


def _raycast(world: ThorWorld, arguments: Arguments) -> dict[str, float]:
    click = frame_click(world, arguments)
    hit = _first_hit(world, click)
    return metadata.write_vector(world.wall_point_at(click) if hit is None else hit.point)


def _object_in_frame(world: ThorWorld, arguments: Arguments) -> str:
    obj = object_at_click(world, frame_click(world, arguments))
    if arguments.flag("checkVisible") and not is_interactable(world, obj):
        raise ActionFailure(f"{obj.objectId} is not visible", "ObjectNotVisible")
    return obj.objectId


def _add_camera(world: ThorWorld, arguments: Arguments) -> None:
    camera = ThirdPartyCamera((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    world.cameras.append(_updated_camera(camera, arguments))


def _update_camera(world: ThorWorld, arguments: Arguments) -> None:
    i = arguments.integer("thirdPartyCameraId", 0)
    if not 0 <= i < len(world.cameras):
        raise ActionFailure(
            f"thirdPartyCameraId: {i} (int: default=0) must in 0 <= thirdPartyCameraId < "
            f"len(thirdPartyCameras)={len(world.cameras)}."
        )
    world.cameras[i] = _updated_camera(world.cameras[i], arguments)


def _updated_camera(camera: ThirdPartyCamera, arguments: Arguments) -> ThirdPartyCamera:
    fov = checked_fov(arguments, camera.fov, "fieldOfView: {} must be in 0 < fieldOfView < 180.")
    size = camera.orthographic_size
    if arguments.get("orthographic") is not None:
        size = _DEFAULT_ORTHOGRAPHIC_SIZE_METRES if arguments.flag("orthographic") else None
    if arguments.get("orthographicSize") is not None:
        if size is None:
            raise ActionFailure(
                f"orthographicSize(: {arguments['orthographicSize']}) can only be set when "
                "orthographic=True."
            )
        size = arguments.number("orthographicSize", size)
    return replace(
        camera,
        position=arguments.vector("position", camera.position, camera.position),
        rotation=arguments.rotation("rotation", camera.rotation, camera.rotation),
        fov=fov,
        orthographic_size=size,
    )


def checked_fov(
    arguments: Arguments, default: float, why: str = "fov must be set to (0, 180) noninclusive."
) -> float:
    """Return the field of view that is asked for, which a camera has in Unity's precision."""
    fov = arguments.number("fieldOfView", default)
    if not MIN_FOV_DEGREES < float(np.float32(fov)) < MAX_FOV_DEGREES:
        raise ActionFailure(why.format(fov))
    return fov


def _toggle_map_view(world: ThorWorld, arguments: Arguments) -> None:
    world.is_map_view_on = not world.is_map_view_on


def _map_camera_properties(world: ThorWorld, arguments: Arguments) -> dict[str, object]:
    position, span = map_view_extent(world)
    return {
        "position": metadata.write_vector(position),
        "rotation": metadata.write_vector((90.0, 0.0, 0.0)),
        "fieldOfView": world.settings.fov,
        "orthographicSize": span,
        "orthographic": True,
    }


def map_view_extent(world: ThorWorld) -> tuple[state.Vec3, float]:
    """Return the position of the map's camera, and half the side that it sees; metres."""
    (x0, _, z0), (x1, y1, z1) = world.bounds()
    return ((x0 + x1) / 2, y1, (z0 + z1) / 2), max(x1 - x0, z1 - z0) / 2


def semantic_hulls(world: ThorWorld, arguments: Arguments) -> dict[str, list[list[float]]]:
    """Return objects' convex hulls by id, of boxes where AI2-THOR takes meshes: all, or of some."""
    ids, types = arguments.names("objectIds"), arguments.names("objectTypes")
    if ids is not None and types is not None:
        raise ActionFailure("Only one of objectIds and objectTypes can have a non-null value.")
    objects = [
        obj
        for obj in world.state.objects
        if (ids is None or obj.objectId in ids) and (types is None or obj.objectType in types)
    ]
    return {obj.objectId: _outline(obj) for obj in objects}


def _update_main_camera(world: ThorWorld, arguments: Arguments) -> None:
    if arguments.get("position") is not None or arguments.get("rotation") is not None:
        why = "the agent's camera stays at its eye: AddThirdPartyCamera puts one anywhere"
        raise ActionFailure(why)
    world.settings = replace(world.settings, fov=checked_fov(arguments, world.settings.fov))


def visible_objects(world: ThorWorld, arguments: Arguments) -> list[str]:
    """Return the ids of the objects that the agent sees within reach, in the scene's order."""
    if arguments.get("thirdPartyCameraIndex") is not None:
        raise ActionFailure("objects are told as visible to agents alone, not to other cameras")
    seen = visible_ids(world, world.acting_agent)
    return [obj.objectId for obj in world.state.objects if obj.objectId in seen]


def _semantic_hull(world: ThorWorld, arguments: Arguments) -> list[list[float]]:
    named = arguments.text("objectId")
    return _outline(find_object(world, named, f"Cannot find object with id {named}"))


def _outline(obj: state.ObjectState) -> list[list[float]]:
    """Return the corners of an object's box from above: x and z, metres."""
    sine, cosine = state.yaw_sin_cos(obj.box.yaw)
    x, _, z = obj.box.center
    half_width, half_depth = obj.box.size[0] / 2, obj.box.size[2] / 2
    offsets = [(half_width * a, half_depth * b) for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
    return [[x + a * cosine + b * sine, z - a * sine + b * cosine] for a, b in offsets]


CAMERA_ACTIONS: Mapping[str, ActionFunction] = {
    "GetCoordinateFromRaycast": _raycast,
    "GetObjectInFrame": _object_in_frame,
    "AddThirdPartyCamera": _add_camera,
    "UpdateThirdPartyCamera": _update_camera,
    "UpdateMainCamera": _update_main_camera,
    "GetVisibleObjects": visible_objects,
    "ToggleMapView": _toggle_map_view,
    "GetMapViewCameraProperties": _map_camera_properties,
    "Get2DSemanticHulls": semantic_hulls,
    "Get2DSemanticHull": _semantic_hull,
}
