"""The images of an event as bytes, bottom row first, as Unity reads its frames.

Instances and classes are colours, and depths are shares of the distance between the
clipping planes in 24 bits, three bytes each: the formats that all versions of the client
read.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import atan, degrees
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tatc.camera.rays import Eye
from tatc.sim.embedded.snapshot_renderer import CameraImages, ImageKind
from tatc.state import AgentState, ObjectState, Vec3
from tatc.thorserver.action_results import Arguments
from tatc.thorserver.camera_actions import map_view_extent
from tatc.thorserver.frame_camera import FrameCamera
from tatc.thorserver.session_actions import FAR_PLANE_METRES, NEAR_PLANE_METRES
from tatc.thorserver.thor_world import ThirdPartyCamera, ThorWorld

Pixels = NDArray[Any]

_ORTHOGRAPHIC_DISTANCE_METRES = 30.0  # how far back the camera that imitates one is
_COLOUR_MULTIPLIER = 0x9E3779  # odd, so that all numbers below 2 ** 24 get different colours


@dataclass(frozen=True, slots=True)
class WireImage:
    """An image, and the name of its part in a WSGI message."""

    part: str
    data: bytes


def requested_views(world: ThorWorld, arguments: Arguments) -> frozenset[ImageKind]:
    """Return the kinds of images that Initialize or this action's arguments ask for."""
    if arguments.get("renderImage") is False:
        return frozenset()
    requested = {
        ImageKind.DEPTH: world.settings.render_depth or arguments.get("renderDepthImage"),
        ImageKind.IDS: world.settings.render_instances
        or arguments.get("renderInstanceSegmentation")
        or arguments.get("renderObjectImage"),
        ImageKind.CLASSES: world.settings.render_classes
        or arguments.get("renderSemanticSegmentation")
        or arguments.get("renderClassImage"),
    }
    return frozenset({ImageKind.RGB, *(kind for kind, wanted in requested.items() if wanted)})


def draw_images(
    world: ThorWorld, views_wanted: Collection[ImageKind], metadata: dict[str, Any]
) -> Iterator[WireImage]:
    """Yield the images of all agents and cameras; write the colours into `metadata`."""
    if not views_wanted:
        return
    for agent, event in zip(world.agents, metadata["agents"], strict=True):
        views = _render_planes(world, _agent_camera(world, agent.state), views_wanted)
        if views.ids is not None:
            event["colors"] = _colour_table(world.state.objects)
            event["colorBounds"] = _colour_bounds(views.ids)
        yield from _encode_images(views, world.state.objects, AGENT_PARTS)
    for camera in world.cameras:
        views = _render_planes(world, _third_party_camera(world, camera), views_wanted)
        yield from _encode_images(views, world.state.objects, THIRD_PARTY_PARTS)


AGENT_PARTS = {
    ImageKind.RGB: "image",
    ImageKind.DEPTH: "image_depth",
    ImageKind.IDS: "image_ids",
    ImageKind.CLASSES: "image_classes",
}
THIRD_PARTY_PARTS = {
    ImageKind.RGB: "image-thirdParty-camera",
    ImageKind.DEPTH: "image_thirdParty_depth",
    ImageKind.IDS: "image_thirdParty_image_ids",
    ImageKind.CLASSES: "image_thirdParty_classes",
}
"""The client's names of the images' parts."""


@dataclass(frozen=True, slots=True)
class _ImagePlanes:
    rgb: Pixels | None
    ids: Pixels | None
    classes: Pixels | None
    depth: Pixels | None


def _render_planes(
    world: ThorWorld, camera: FrameCamera, views_wanted: Collection[ImageKind]
) -> _ImagePlanes:
    snapshot = world.state.snapshot()
    views: CameraImages = world.renderer.draw(
        snapshot, camera.eye, camera.side_pixels, views_wanted
    )
    planes = (views.rgb, views.ids, views.classes, views.depth)
    return _ImagePlanes(*(None if plane is None else camera.crop(plane) for plane in planes))


def _encode_images(
    views: _ImagePlanes, objects: list[ObjectState], names: dict[ImageKind, str]
) -> Iterator[WireImage]:
    if views.rgb is not None:
        yield WireImage(names[ImageKind.RGB], _image_bytes(views.rgb))
    if views.depth is not None:
        yield WireImage(names[ImageKind.DEPTH], _image_bytes(_encode_depth(views.depth)))
    if views.ids is not None:
        yield WireImage(names[ImageKind.IDS], _image_bytes(_instance_colours(objects)[views.ids]))
    if views.classes is not None:
        kinds = sorted({obj.objectType for obj in objects})
        table = [*(_number_colour(type_number(kind)) for kind in kinds), (0, 0, 0)]
        yield WireImage(
            names[ImageKind.CLASSES], _image_bytes(np.array(table, np.uint8)[views.classes])
        )


def _agent_camera(world: ThorWorld, state: AgentState) -> FrameCamera:
    if world.is_map_view_on:
        position, span = map_view_extent(world)
        return _orthographic_camera(position, (90.0, 0.0, 0.0), span, world.size)
    return world.camera_of(state)


def _third_party_camera(world: ThorWorld, camera: ThirdPartyCamera) -> FrameCamera:
    if camera.orthographic_size is not None:
        return _orthographic_camera(
            camera.position, camera.rotation, camera.orthographic_size, world.size
        )
    horizon, yaw, _ = camera.rotation
    return FrameCamera.from_pose(camera.position, yaw, horizon, camera.fov, world.size)


def _orthographic_camera(
    position: Vec3, rotation: Vec3, span: float, size: tuple[int, int]
) -> FrameCamera:
    """Return a camera with nearly parallel rays: far behind the orthographic one.

    Args:
        position: of the orthographic camera, metres.
        rotation: degrees; the first is the horizon, the second the yaw.
        span: half the height that it sees, metres.
        size: the frame's width and height, pixels.

    """
    horizon, yaw, _ = rotation
    (fx, fy, fz), _, _ = Eye(position, yaw, horizon).axes
    x, y, z = position
    back = (
        x - _ORTHOGRAPHIC_DISTANCE_METRES * fx,
        y - _ORTHOGRAPHIC_DISTANCE_METRES * fy,
        z - _ORTHOGRAPHIC_DISTANCE_METRES * fz,
    )
    return FrameCamera.from_pose(
        back, yaw, horizon, degrees(2 * atan(span / _ORTHOGRAPHIC_DISTANCE_METRES)), size
    )


def type_number(object_type: str) -> int:
    """Return the number of a type's colour, which is the same in every scene."""
    return 0x800000 | crc32(object_type.encode()) & 0x7FFFFF


def _colour_table(objects: list[ObjectState]) -> list[dict[str, Any]]:
    colours = [
        {"name": obj.objectId, "color": list(_number_colour(i + 1))}
        for i, obj in enumerate(objects)
    ]
    kinds = sorted({obj.objectType for obj in objects})
    return colours + [
        {"name": kind, "color": list(_number_colour(type_number(kind)))} for kind in kinds
    ]


def _instance_colours(objects: list[ObjectState]) -> Pixels:
    """Return the objects' colours, (objects + 1, 3); the last, black, is for no object."""
    return np.array([*(_number_colour(i + 1) for i in range(len(objects))), (0, 0, 0)], np.uint8)


def _number_colour(number: int) -> tuple[int, int, int]:
    mixed = number * _COLOUR_MULTIPLIER % 0x1000000
    return mixed >> 16, mixed >> 8 & 255, mixed & 255


def _colour_bounds(ids: Pixels) -> list[dict[str, Any]]:
    """Return the bounds of each colour in the frame: left, bottom, right, top in pixels."""
    height, width = ids.shape
    count = int(ids.max()) + 2  # the last is for no object
    in_row = np.zeros((count, height), np.bool_)
    in_column = np.zeros((count, width), np.bool_)
    in_row[ids, np.arange(height)[:, None]] = True
    in_column[ids, np.arange(width)] = True
    bounds: list[dict[str, Any]] = []
    for i in np.flatnonzero(in_row[:-1].any(1)).tolist():
        rows, columns = np.flatnonzero(in_row[i]), np.flatnonzero(in_column[i])
        left, right = int(columns[0]), int(columns[-1])
        bottom, top = height - int(rows[-1]), height - int(rows[0])
        bounds.append({"color": list(_number_colour(i + 1)), "bounds": [left, bottom, right, top]})
    return bounds


def _encode_depth(metres: Pixels) -> Pixels:
    share = np.clip(
        np.nan_to_num(metres, posinf=FAR_PLANE_METRES) / (FAR_PLANE_METRES - NEAR_PLANE_METRES),
        0.0,
        1.0,
    )
    whole = np.minimum(share * 0x1000000, 0xFFFFFF).astype(np.uint32)
    channels = (whole >> 16, whole >> 8 & 255, whole & 255)
    return np.stack(channels, axis=-1).astype(np.uint8)


def _image_bytes(image: Pixels) -> bytes:
    return np.ascontiguousarray(image[::-1]).tobytes()
