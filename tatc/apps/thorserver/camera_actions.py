"""Actions about views: rays, third-party cameras, the map view, and outlines from above."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tatc.apps.thorserver.thor_action import ActionFailure, Arguments, ThorAction
from tatc.apps.thorserver.thor_world import ThirdPartyCamera, ThorWorld
from tatc.apps.thorserver.visibility import frame_click, hit_at_click, is_interactable
from tatc.home.metadata import write_vector
from tatc.home.state import ObjectState, Vec3, yaw_sin_cos

MIN_FOV_DEGREES, MAX_FOV_DEGREES = 0.0, 180.0
"""The limits of a field of view; neither is allowed."""
_DEFAULT_ORTHOGRAPHIC_SIZE_METRES = 5.0  # Unity's


def raycast(world: ThorWorld, arguments: Arguments) -> Any:
    """Return the point that the ray through x, y of the frame hits, on an object or a wall."""
    click = frame_click(world, arguments)
    hit = world.state.geometry.hit_at_click(world.agent_camera().eye, click)
    return write_vector(world.wall_point_at(click) if hit is None else hit.point)


def object_in_frame(world: ThorWorld, arguments: Arguments) -> Any:
    """Return the id of the object at x, y of the frame."""
    hit = hit_at_click(world, frame_click(world, arguments))
    obj = world.state.objects[hit.index]
    if arguments.flag("checkVisible") and not is_interactable(world, obj):
        raise ActionFailure(f"{obj.objectId} is not visible", "ObjectNotVisible")
    return obj.objectId


def add_camera(world: ThorWorld, arguments: Arguments) -> None:
    """Add a third-party camera."""
    camera = ThirdPartyCamera((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    world.cameras.append(_updated_camera(camera, arguments))


def update_camera(world: ThorWorld, arguments: Arguments) -> None:
    """Change a third-party camera; properties and axes that are left out stay."""
    i = arguments.integer("thirdPartyCameraId", 0)
    if not 0 <= i < len(world.cameras):
        raise ActionFailure(
            f"thirdPartyCameraId: {i} (int: default=0) must in 0 <= thirdPartyCameraId < "
            f"len(thirdPartyCameras)={len(world.cameras)}."
        )
    world.cameras[i] = _updated_camera(world.cameras[i], arguments)


def _updated_camera(camera: ThirdPartyCamera, arguments: Arguments) -> ThirdPartyCamera:
    """Return a camera with the properties that the arguments give."""
    fov = arguments.number("fieldOfView", camera.fov)
    if not is_valid_fov(fov):
        raise ActionFailure(
            f"fieldOfView: {fov} must be in {MIN_FOV_DEGREES:.0f} < fieldOfView < "
            f"{MAX_FOV_DEGREES:.0f}."
        )
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


def is_valid_fov(degrees: float) -> bool:
    """Return whether a camera can have this field of view."""
    return MIN_FOV_DEGREES < degrees < MAX_FOV_DEGREES


def toggle_map_view(world: ThorWorld, arguments: Arguments) -> None:
    """Switch the agents' images between the room from above and the agent's own view."""
    world.is_map_view_on = not world.is_map_view_on


def map_camera_properties(world: ThorWorld, arguments: Arguments) -> Any:
    """Return the properties of a third-party camera that sees the whole room from above."""
    position, span = map_view_extent(world)
    return {
        "position": write_vector(position),
        "rotation": write_vector((90.0, 0.0, 0.0)),
        "fieldOfView": world.settings.fov,
        "orthographicSize": span,
        "orthographic": True,
    }


def map_view_extent(world: ThorWorld) -> tuple[Vec3, float]:
    """Return the position of the map's camera, and half the side that it sees; metres."""
    (x0, _, z0), (x1, y1, z1) = world.bounds()
    return ((x0 + x1) / 2, y1, (z0 + z1) / 2), max(x1 - x0, z1 - z0) / 2


def semantic_hulls(world: ThorWorld, arguments: Arguments) -> Any:
    """Return the outlines of all objects by their ids, or of those of some ids or types.

    AI2-THOR takes the convex hulls of their meshes; here they are those of their boxes.
    """
    ids, types = arguments.names("objectIds"), arguments.names("objectTypes")
    if ids is not None and types is not None:
        raise ActionFailure("Only one of objectIds and objectTypes can have a non-null value.")
    objects = [
        obj
        for obj in world.state.objects
        if (ids is None or obj.objectId in ids) and (types is None or obj.objectType in types)
    ]
    return {obj.objectId: _outline(obj) for obj in objects}


def semantic_hull(world: ThorWorld, arguments: Arguments) -> Any:
    """Return the outline of an object."""
    obj = world.state.find(arguments.text("objectId"))
    if obj is None:
        raise ActionFailure(f"Cannot find object with id {arguments['objectId']}")
    return _outline(obj)


def _outline(obj: ObjectState) -> list[list[float]]:
    """Return the corners of an object's box from above: x and z, metres."""
    sine, cosine = yaw_sin_cos(obj.box.yaw)
    x, _, z = obj.box.center
    half_width, half_depth = obj.box.size[0] / 2, obj.box.size[2] / 2
    corners = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    offsets = [(half_width * a, half_depth * b) for a, b in corners]
    return [[x + a * cosine + b * sine, z - a * sine + b * cosine] for a, b in offsets]


_CAMERA_SIGNATURE = (
    "Vector3 position, Vector3 or a yaw rotation, float fieldOfView, String skyboxColor, "
    "Boolean orthographic, float orthographicSize, float nearClippingPlane, "
    "float farClippingPlane, String antiAliasing"
)
_IGNORED_PARAMETERS = ("skyboxColor", "nearClippingPlane", "farClippingPlane", "antiAliasing")

CAMERA_ACTIONS: Mapping[str, ThorAction] = {
    "GetCoordinateFromRaycast": ThorAction(raycast, "float x, float y", (("x", "y"),)),
    "GetObjectInFrame": ThorAction(
        object_in_frame, "float x, float y, Boolean checkVisible", (("x", "y"),)
    ),
    "AddThirdPartyCamera": ThorAction(
        add_camera, _CAMERA_SIGNATURE, (("position", "rotation"),), ignored=_IGNORED_PARAMETERS
    ),
    "UpdateThirdPartyCamera": ThorAction(
        update_camera,
        f"{_CAMERA_SIGNATURE}, int thirdPartyCameraId",
        ignored=_IGNORED_PARAMETERS,
    ),
    "ToggleMapView": ThorAction(toggle_map_view),
    "GetMapViewCameraProperties": ThorAction(map_camera_properties),
    "Get2DSemanticHulls": ThorAction(semantic_hulls, "String[] objectIds, String[] objectTypes"),
    "Get2DSemanticHull": ThorAction(semantic_hull, "String objectId", (("objectId",),)),
}
