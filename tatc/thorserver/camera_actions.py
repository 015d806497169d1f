"""Actions about views: rays, third-party cameras and the map view."""

from dataclasses import replace

from tatc.json_fields import as_integer, get_flag
from tatc.metadata import write_vector
from tatc.state import Vec3
from tatc.thorserver.action_results import (
    SUCCESS,
    Arguments,
    ThorResult,
    failed_result,
    number_or,
    rotation_or,
)
from tatc.thorserver.agent_motion import position_or
from tatc.thorserver.object_actions import frame_click, hit_at_point
from tatc.thorserver.thor_world import ThirdPartyCamera, ThorWorld


def raycast(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return the point that the ray through x, y of the frame hits, on an object or a wall."""
    click = frame_click(world, arguments)
    if isinstance(click, ThorResult):
        return click
    hit = world.state.geometry.hit_at_click(world.agent_camera().eye, click)
    return ThorResult(
        return_value=write_vector(world.wall_point_at(click) if hit is None else hit.point)
    )


def object_in_frame(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return the id of the object at x, y of the frame."""
    hit = hit_at_point(world, arguments)
    if isinstance(hit, ThorResult):
        return hit
    obj = world.state.objects[hit.index]
    if get_flag(arguments, "checkVisible") and not world.is_interactable(obj):
        return failed_result(f"{obj.objectId} is not visible", "ObjectNotVisible")
    return ThorResult(return_value=obj.objectId)


def add_camera(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Add a third-party camera."""
    first = ThirdPartyCamera((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    world.cameras.append(_updated_camera(first, arguments))
    return SUCCESS


def update_camera(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Change a third-party camera; properties that are left out stay."""
    number = arguments.get("thirdPartyCameraId")
    i = 0 if number is None else as_integer(number, "thirdPartyCameraId")
    if not 0 <= i < len(world.cameras):
        return failed_result(f"there is no third-party camera {i}")
    world.cameras[i] = _updated_camera(world.cameras[i], arguments)
    return SUCCESS


def toggle_map_view(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Switch the agents' images between the room from above and the agent's own view."""
    world.is_map_view_on = not world.is_map_view_on
    return SUCCESS


def map_camera_properties(world: ThorWorld, arguments: Arguments) -> ThorResult:
    """Return the properties of a third-party camera that sees the whole room from above."""
    position, span = map_view_extent(world)
    return ThorResult(
        return_value={
            "position": write_vector(position),
            "rotation": write_vector((90.0, 0.0, 0.0)),
            "fieldOfView": world.settings.fov,
            "orthographicSize": span,
            "orthographic": True,
        }
    )


def map_view_extent(world: ThorWorld) -> tuple[Vec3, float]:
    """Return the position of the map's camera, and half the side that it sees; metres."""
    (x0, _, z0), (x1, y1, z1) = world.bounds()
    return ((x0 + x1) / 2, y1, (z0 + z1) / 2), max(x1 - x0, z1 - z0) / 2


def _updated_camera(camera: ThirdPartyCamera, arguments: Arguments) -> ThirdPartyCamera:
    camera = replace(
        camera,
        position=position_or(arguments, camera.position),
        rotation=rotation_or(arguments, "rotation", camera.rotation),
        fov=number_or(arguments, "fieldOfView", camera.fov),
    )
    if "orthographic" in arguments or "orthographicSize" in arguments:
        half_height = number_or(arguments, "orthographicSize", 2.0)
        camera = replace(
            camera, orthographic_size=half_height if get_flag(arguments, "orthographic") else None
        )
    return camera
