"""The images of an event as bytes, bottom row first, as Unity reads its frames.

Instances and classes are colours, and depths are shares of a distance in 24 bits, three
bytes each: the formats that all versions of the client read.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import atan, degrees
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage  # pyright: ignore[reportMissingTypeStubs]

from tatc.apps.thorserver.thor_agent import BODY_TYPE, FrameCamera, ThorAgent
from tatc.apps.thorserver.thor_world import VIEW_ARGUMENTS, ThirdPartyCamera, ThorWorld
from tatc.apps.thorserver.views import map_view_extent
from tatc.base import files
from tatc.home.camera.rays import Eye
from tatc.home.camera.views import ImageKind, object_types
from tatc.home.state import ObjectState, Snapshot

Pixels = NDArray[Any]
# scipy's types for it are incomplete.
_bounding_slices: Callable[..., Any] = getattr(ndimage, "find_objects")  # noqa: B009
_ORTHOGRAPHIC_DISTANCE_METRES = 30.0  # how far back the camera that imitates one is
_COLOUR_MULTIPLIER = 0x9E3779  # odd, so that all numbers below 2 ** 24 get different colours


@dataclass(frozen=True, slots=True)
class WireImage:
    """An image, and the name of its part in a WSGI message."""

    part: str
    data: bytes


def requested_views(world: ThorWorld, arguments: Mapping[str, Any]) -> frozenset[ImageKind]:
    """Return the kinds of images that Initialize or this action's arguments ask for.

    As in AI2-THOR, instances come with classes: clients find the masks of classes in them.
    """
    if arguments.get("renderImage") is False:
        return frozenset()
    requested = (kind for kind, names in VIEW_ARGUMENTS.items() if any(map(arguments.get, names)))
    kinds = {ImageKind.RGB, *world.settings.views, *requested}
    return frozenset(kinds | {ImageKind.IDS} if ImageKind.CLASSES in kinds else kinds)


def draw_images(
    world: ThorWorld, views_wanted: Collection[ImageKind], metadata: dict[str, Any]
) -> Iterator[WireImage]:
    """Yield the images of all agents and cameras; write the colours into `metadata`."""
    if not views_wanted:
        return
    for agent, event in zip(world.agents, metadata["agents"], strict=True):
        shown = _snapshot_seen_by(world, None if world.is_map_view_on else agent)
        planes = _render_planes(world, shown, _agent_camera(world, agent), views_wanted)
        if ImageKind.IDS in planes:
            event["colors"] = _colour_table(_snapshot_seen_by(world, None).objects)
            event["colorBounds"] = _colour_bounds(planes[ImageKind.IDS], shown.objects)
        yield from _encode_images(planes, shown, world, AGENT_PARTS)
    for camera in world.cameras:
        shown = _snapshot_seen_by(world, None)
        planes = _render_planes(world, shown, _third_party_camera(world, camera), views_wanted)
        yield from _encode_images(planes, shown, world, THIRD_PARTY_PARTS)


def _snapshot_seen_by(world: ThorWorld, viewer: ThorAgent | None) -> Snapshot:
    """Return the world with the bodies that an agent sees, or a camera, as its last objects."""
    bodies = world.bodies_seen_by(viewer) if world.settings.draws_agents else []
    snapshot = world.state.snapshot()
    return replace(snapshot, objects=(*snapshot.objects, *bodies)) if bodies else snapshot


_PARTS: dict[str, dict[str, str]] = files.package_table("tatc.apps.thorserver", "images.toml")
AGENT_PARTS, THIRD_PARTY_PARTS = (
    {ImageKind[kind]: part for kind, part in _PARTS[of].items()} for of in ("agent", "third_party")
)
"""The client's names of the images' parts."""


def _render_planes(
    world: ThorWorld, shown: Snapshot, camera: FrameCamera, views_wanted: Collection[ImageKind]
) -> dict[ImageKind, Pixels]:
    views = world.renderer.draw(shown, camera.eye, camera.side_pixels, views_wanted)
    planes = {
        ImageKind.RGB: views.rgb,
        ImageKind.DEPTH: views.depth,
        ImageKind.IDS: views.ids,
        ImageKind.CLASSES: views.classes,
    }
    return {kind: camera.crop(plane) for kind, plane in planes.items() if plane is not None}


def _encode_images(
    planes: dict[ImageKind, Pixels], shown: Snapshot, world: ThorWorld, names: dict[ImageKind, str]
) -> Iterator[WireImage]:
    for kind, plane in planes.items():
        image = _encode_plane(kind, plane, shown.objects, world.client.depth_range_metres)
        yield WireImage(names[kind], np.ascontiguousarray(image[::-1]).tobytes())


def _encode_plane(
    kind: ImageKind, plane: Pixels, objects: Sequence[ObjectState], depth_range_metres: float
) -> Pixels:
    """Return the colours, 8-bit RGB, that stand for the values of a plane."""
    match kind:
        case ImageKind.RGB:
            return plane
        case ImageKind.DEPTH:
            return _encode_depth(plane, depth_range_metres)
        case ImageKind.IDS:
            numbers = _instance_numbers(objects)
        case ImageKind.CLASSES:
            numbers = map(type_number, object_types(objects))
    colours = [*map(_number_colour, numbers), (0, 0, 0)]  # the last is for no object
    return np.array(colours, np.uint8)[plane]


def _agent_camera(world: ThorWorld, agent: ThorAgent) -> FrameCamera:
    if not world.is_map_view_on:
        return world.camera_of(agent)
    position, span = map_view_extent(world)
    camera = ThirdPartyCamera(position, (90.0, 0.0, 0.0), orthographic_size=span)
    return _third_party_camera(world, camera)


def _third_party_camera(world: ThorWorld, camera: ThirdPartyCamera) -> FrameCamera:
    """Return a camera; for an orthographic one, one far behind it: its rays are near parallel."""
    horizon, yaw, _ = camera.rotation
    span, away = camera.orthographic_size, _ORTHOGRAPHIC_DISTANCE_METRES
    if span is None:
        return FrameCamera.from_pose(camera.position, yaw, horizon, camera.fov, world.size)
    forward, _, _ = Eye(camera.position, yaw, horizon).axes
    x, y, z = (at - away * part for at, part in zip(camera.position, forward, strict=True))
    fov = degrees(2 * atan(span / away))
    return FrameCamera.from_pose((x, y, z), yaw, horizon, fov, world.size)


def type_number(object_type: str) -> int:
    """Return the number of a type's colour, which is the same in every scene."""
    return 0x800000 | crc32(object_type.encode()) & 0x7FFFFF


def _instance_numbers(objects: Sequence[ObjectState]) -> list[int]:
    """Return the numbers of objects' colours; an agent's is the same in every image."""
    bodies = (type_number(obj.objectId) if obj.objectType == BODY_TYPE else 0 for obj in objects)
    return [body or i for i, body in enumerate(bodies, 1)]


def _colour_table(objects: Sequence[ObjectState]) -> list[dict[str, Any]]:
    numbered = [*zip([obj.objectId for obj in objects], _instance_numbers(objects), strict=True)]
    numbered += [(name, type_number(name)) for name in object_types(objects)]
    numbered.append(("StructureObject", 0))  # the black of walls, and of what else is no object
    return [{"name": name, "color": list(_number_colour(number))} for name, number in numbered]


def _number_colour(number: int) -> tuple[int, int, int]:
    mixed = number * _COLOUR_MULTIPLIER % 0x1000000
    return mixed >> 16, mixed >> 8 & 255, mixed & 255


def _colour_bounds(ids: Pixels, objects: Sequence[ObjectState]) -> list[dict[str, Any]]:
    """Return the bounds of each colour in the frame: left, bottom, right, top in pixels."""
    bounds: list[dict[str, Any]] = []
    found_slices = _bounding_slices(ids + 1, len(objects))  # 0 is no object
    for number, found in zip(_instance_numbers(objects), found_slices, strict=True):
        if found is not None:
            rows, columns = found
            bottom, top = len(ids) - rows.stop + 1, len(ids) - rows.start
            box = [columns.start, bottom, columns.stop - 1, top]
            bounds.append({"color": list(_number_colour(number)), "bounds": box})
    return bounds


def _encode_depth(metres: Pixels, range_metres: float) -> Pixels:
    """Return depths as three bytes each; the largest value stands for `range_metres`."""
    share = np.clip(np.nan_to_num(metres, posinf=range_metres) / range_metres, 0.0, 1.0)
    whole = np.minimum(share * 0x1000000, 0xFFFFFF).astype(np.uint32)
    return np.stack((whole >> 16, whole >> 8 & 255, whole & 255), axis=-1).astype(np.uint8)
