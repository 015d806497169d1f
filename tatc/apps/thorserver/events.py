"""Writes events as AI2-THOR does: their metadata, and their images as bytes.

Images begin with the bottom row, as Unity reads its frames.  Instances and classes are colours,
and depths are shares of a distance in 24 bits: the formats that all versions of the client read.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import atan, degrees, dist
from typing import Any, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tatc.apps.thorserver.moved_objects import combined_rotation
from tatc.apps.thorserver.object_actions import openness_of
from tatc.apps.thorserver.thor_action import ThorResult
from tatc.apps.thorserver.thor_agent import DEFAULT_HAND_POSITION, FrameCamera, ThorAgent
from tatc.apps.thorserver.thor_world import VIEW_ARGUMENTS, ThirdPartyCamera, ThorWorld
from tatc.apps.thorserver.views import map_view_extent, visible_ids
from tatc.home.camera.rays import Eye
from tatc.home.camera.views import ImageKind, object_types
from tatc.home.metadata import write_object, write_vector
from tatc.home.state import ObjectState, Vec3
from tatc.home.type_facts import COLD_SOURCE_TYPES, HEAT_SOURCE_TYPES
from tatc.sim.embedded.world_state import held_position

_METADATA_DIGITS = 6
"""The decimals of numbers; AI2-THOR's single precision holds no more."""
NO_EXTRAS: dict[str, Any] = {
    "flatSurfacesOnGrid": [],
    "distances": [],
    "normals": [],
    "isOpenableGrid": [],
    "segmentedObjectIds": [],
    "objectIdsInBox": [],
    "actionIntReturn": 0,
    "actionFloatReturn": 0.0,
    "actionStringsReturn": [],
    "actionFloatsReturn": [],
    "actionVector3sReturn": [],
    "visibleRange": None,
}
"""What AI2-THOR's metadata always hold, and only actions of its own tests fill."""
REACHABLE_POSITIONS_ACTION = "GetReachablePositions"


class EventMetadataWriter:
    """Writes metadata, and keeps that of objects that have not changed since the last time."""

    def __init__(self) -> None:
        """Start without kept metadata."""
        self._static_cache: dict[str, tuple[ObjectState, dict[str, Any]]] = {}

    def event_metadata(
        self, world: ThorWorld, action: str, result: ThorResult, sequence: int
    ) -> dict[str, Any]:
        """Return the metadata after an action, with one event for each agent."""
        world.save_active_agent()
        world.state.snapshot()  # moves the held object with the agent
        cameras = [
            {
                "thirdPartyCameraId": i,
                "position": write_vector(camera.position),
                "rotation": write_vector(camera.rotation),
                "fieldOfView": camera.fov,
            }
            for i, camera in enumerate(world.cameras)
        ]
        shared = NO_EXTRAS | {
            "screenWidth": world.size[0],
            "screenHeight": world.size[1],
            "sequenceId": sequence,
            "sceneName": world.served_scene.scene,
            "tatcRoom": world.served_scene.source,
            "sceneBounds": _scene_bounds(world),
            "thirdPartyCameras": cameras,
            "isSceneAtRest": True,
            "currentTime": 0.0,
            "depthFormat": "Normalized",
            "lastAction": action,
        }
        agents = [shared | self._agent_event(world, i, result) for i in range(len(world.agents))]
        if world.client.lists_reachable_positions:
            for event in agents:
                is_asked = action == REACHABLE_POSITIONS_ACTION
                event["reachablePositions"] = event["actionReturn"] or [] if is_asked else []
        return {
            "agents": agents,
            "thirdPartyCameras": cameras,
            "activeAgentId": world.active_agent,
            "sequenceId": sequence,
        }

    def _agent_event(self, world: ThorWorld, i: int, result: ThorResult) -> dict[str, Any]:
        agent = world.agents[i]
        own = result if i == world.active_agent else ThorResult()
        hand = _hand_metadata(world, agent)
        held = None if agent.held is None else world.state.find(agent.held)
        in_hand = (
            [] if held is None else [{"objectId": held.objectId, "objectType": held.objectType}]
        )
        return {
            "agentId": i,
            "lastActionSuccess": own.success,
            "errorMessage": own.error_message,
            "errorCode": own.error_code or None,
            "actionReturn": own.return_value,
            "agent": {
                "name": "agent",
                "position": round_numbers(write_vector(agent.state.position)),
                "rotation": round_numbers(write_vector((0.0, agent.state.yaw, 0.0))),
                "cameraHorizon": round_numbers(agent.state.horizon),
                "isStanding": agent.is_standing,
                "inHighFrictionArea": False,
            },
            "isStanding": agent.is_standing,
            "heldObjectPose": hand,
            "hand": hand,
            "inventoryObjects": in_hand,
            "objects": self._objects_metadata(world, agent),
            "colors": None,
            "colorBounds": None,
            "collided": False,
            "collidedObjects": [],
            **_view_metadata(world, agent),
        }

    def _objects_metadata(self, world: ThorWorld, agent: ThorAgent) -> list[dict[str, Any]]:
        """Return the objects that are listed, as an agent sees them."""
        if world.listed_ids is not None and not world.listed_ids:
            return []
        visible = visible_ids(world, agent)
        contents: dict[str, list[str]] = {}
        for obj in world.state.objects:
            for parent in obj.parentReceptacles or ():
                contents.setdefault(parent, []).append(obj.objectId)
        listed: list[dict[str, Any]] = []
        for obj in world.state.objects:
            name, holds = obj.objectId, obj.affordances.receptacle
            if world.listed_ids is not None and name not in world.listed_ids:
                continue
            is_visible = name in visible or obj.isPickedUp
            metadata = self._static_metadata(obj) | {
                "visible": is_visible,
                "isInteractable": is_visible,
                "obstructed": not is_visible,
                "distance": round(dist(obj.position, agent.state.position), _METADATA_DIGITS),
                "receptacleObjectIds": contents.get(name, []) if holds else None,
                "fillLiquid": world.liquid_by_object.get(name),
                "openness": openness_of(world, obj),
            }
            listed.append(metadata)
        return listed

    def _static_metadata(self, obj: ObjectState) -> dict[str, Any]:
        """Return the part of an object's metadata that does not depend on the agent."""
        known = self._static_cache.get(obj.objectId)
        if known is not None and known[0] is obj:
            return known[1]
        raw = round_numbers(write_object(obj))
        raw |= {
            "temperature": obj.ObjectTemperature,
            "isMoving": False,
            "assetId": "",
            "isHeatSource": obj.objectType in HEAT_SOURCE_TYPES,
            "isColdSource": obj.objectType in COLD_SOURCE_TYPES,
        }
        self._static_cache[obj.objectId] = (obj, raw)
        return raw


def _hand_metadata(world: ThorWorld, agent: ThorAgent) -> dict[str, Any]:
    """Return the hand's pose in the world, and as the camera sees it."""
    hand = agent.hand
    local: Vec3 = tuple(a + b for a, b in zip(DEFAULT_HAND_POSITION, hand.offset, strict=True))  # pyright: ignore
    held = None if agent.held is None else world.state.find(agent.held)
    position = held_position(agent.state) if held is None else held.position
    rotation = combined_rotation((0.0, agent.state.yaw, 0.0), hand.rotation)
    return round_numbers(
        {
            "position": write_vector(position),
            "rotation": write_vector(rotation),
            "localPosition": write_vector(local),
            "localRotation": write_vector(hand.rotation),
        }
    )


def _view_metadata(world: ThorWorld, agent: ThorAgent) -> dict[str, Any]:
    """Return the properties of the agent's camera, or of the map's camera if that is on."""
    if world.is_map_view_on:
        position, span = map_view_extent(world)
    else:
        position, span = agent.eye.position, -1.0
    return {
        "cameraPosition": round_numbers(write_vector(position)),
        "cameraOrthSize": span,
        "fov": world.settings.fov,
    }


def _scene_bounds(world: ThorWorld) -> dict[str, Any]:
    low, high = world.bounds()
    middle: Vec3 = tuple((a + b) / 2 for a, b in zip(low, high, strict=True))  # pyright: ignore
    size: Vec3 = tuple(b - a for a, b in zip(low, high, strict=True))  # pyright: ignore
    corners = [
        [x, y, z] for x in (high[0], low[0]) for y in (high[1], low[1]) for z in (high[2], low[2])
    ]
    return {"cornerPoints": corners, "center": write_vector(middle), "size": write_vector(size)}


def round_numbers(value: Any) -> Any:
    """Return JSON with its numbers rounded to as many decimals as AI2-THOR gives."""
    if isinstance(value, float):
        return round(value, _METADATA_DIGITS)
    if isinstance(value, dict):
        given = cast(dict[str, Any], value)
        return {key: round_numbers(item) for key, item in given.items()}
    if isinstance(value, list):
        return [round_numbers(item) for item in cast(list[Any], value)]
    return value


Pixels = NDArray[Any]

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
        planes = _render_planes(world, _agent_camera(world, agent), views_wanted)
        if ImageKind.IDS in planes:
            event["colors"] = _colour_table(world.state.objects)
            event["colorBounds"] = _colour_bounds(planes[ImageKind.IDS])
        yield from _encode_images(planes, world, AGENT_PARTS)
    for camera in world.cameras:
        planes = _render_planes(world, _third_party_camera(world, camera), views_wanted)
        yield from _encode_images(planes, world, THIRD_PARTY_PARTS)


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


def _render_planes(
    world: ThorWorld, camera: FrameCamera, views_wanted: Collection[ImageKind]
) -> dict[ImageKind, Pixels]:
    views = world.renderer.draw(
        world.state.snapshot(), camera.eye, camera.side_pixels, views_wanted
    )
    planes = {
        ImageKind.RGB: views.rgb,
        ImageKind.DEPTH: views.depth,
        ImageKind.IDS: views.ids,
        ImageKind.CLASSES: views.classes,
    }
    return {kind: camera.crop(plane) for kind, plane in planes.items() if plane is not None}


def _encode_images(
    planes: dict[ImageKind, Pixels], world: ThorWorld, names: dict[ImageKind, str]
) -> Iterator[WireImage]:
    for kind, plane in planes.items():
        image = _encode_plane(kind, plane, world)
        yield WireImage(names[kind], np.ascontiguousarray(image[::-1]).tobytes())


def _encode_plane(kind: ImageKind, plane: Pixels, world: ThorWorld) -> Pixels:
    """Return the colours, 8-bit RGB, that stand for the values of a plane."""
    objects = world.state.objects
    match kind:
        case ImageKind.RGB:
            return plane
        case ImageKind.DEPTH:
            return _encode_depth(plane, world.client.depth_range_metres)
        case ImageKind.IDS:
            numbers = range(1, len(objects) + 1)
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
    return FrameCamera.from_pose(
        (x, y, z), yaw, horizon, degrees(2 * atan(span / away)), world.size
    )


def type_number(object_type: str) -> int:
    """Return the number of a type's colour, which is the same in every scene."""
    return 0x800000 | crc32(object_type.encode()) & 0x7FFFFF


def _colour_table(objects: list[ObjectState]) -> list[dict[str, Any]]:
    numbered = [(obj.objectId, i) for i, obj in enumerate(objects, 1)]
    numbered += [(name, type_number(name)) for name in object_types(objects)]
    return [{"name": name, "color": list(_number_colour(number))} for name, number in numbered]


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


def _encode_depth(metres: Pixels, range_metres: float) -> Pixels:
    """Return depths as three bytes each; the largest value stands for `range_metres`."""
    share = np.clip(np.nan_to_num(metres, posinf=range_metres) / range_metres, 0.0, 1.0)
    whole = np.minimum(share * 0x1000000, 0xFFFFFF).astype(np.uint32)
    channels = (whole >> 16, whole >> 8 & 255, whole & 255)
    return np.stack(channels, axis=-1).astype(np.uint8)
