"""Writes the metadata of events as AI2-THOR does."""

from math import dist
from typing import Any

from tatc.camera.clicks import eye_of
from tatc.metadata import write_object, write_vector
from tatc.sim.embedded.world_state import HAND_ABOVE_METRES, HAND_AHEAD_METRES, held_position
from tatc.state import AgentState, ObjectState, Vec3
from tatc.thor_types.facts import COLD_SOURCE_TYPES, HEAT_SOURCE_TYPES
from tatc.thorserver.action_results import ThorResult
from tatc.thorserver.camera_actions import map_view_extent
from tatc.thorserver.thor_world import ThirdPartyCamera, ThorWorld

_METADATA_DIGITS = 6
"""The decimals of numbers; AI2-THOR's single precision holds no more."""


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
        contents = _contents_by_receptacle(world.state.objects)
        cameras = [_camera_metadata(i, each) for i, each in enumerate(world.cameras)]
        shared = {
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
        agents = [
            shared | self._agent_event(world, i, result, contents) for i in range(len(world.agents))
        ]
        return {
            "agents": agents,
            "thirdPartyCameras": cameras,
            "activeAgentId": world.active_agent,
            "sequenceId": sequence,
        }

    def _agent_event(
        self, world: ThorWorld, i: int, result: ThorResult, contents: dict[str, list[str]]
    ) -> dict[str, Any]:
        agent = world.agents[i]
        own = result if i == world.active_agent else ThorResult()
        visible_ids = world.visible_ids(agent.state)
        return {
            "agentId": i,
            "lastActionSuccess": own.success,
            "errorMessage": own.error_message,
            "errorCode": own.error_code or None,
            "actionReturn": own.return_value,
            "agent": _body_metadata(agent.state),
            "isStanding": True,
            "heldObjectPose": _hand_metadata(agent.state),
            "hand": _hand_metadata(agent.state),
            "inventoryObjects": _inventory_metadata(world, agent.held),
            "objects": [
                self._object_metadata(world, obj, agent.state, visible_ids, contents)
                for obj in world.state.objects
            ],
            "colors": None,
            "colorBounds": None,
            "collided": False,
            "collidedObjects": [],
            "reachablePositions": None,
            **_view_metadata(world, agent.state),
        }

    def _object_metadata(
        self,
        world: ThorWorld,
        obj: ObjectState,
        agent: AgentState,
        visible_ids: frozenset[str],
        contents: dict[str, list[str]],
    ) -> dict[str, Any]:
        name = obj.objectId
        visible = name in visible_ids or obj.isPickedUp
        return self._static_object_metadata(obj) | {
            "visible": visible,
            "isInteractable": visible,
            "distance": round(dist(obj.position, agent.position), _METADATA_DIGITS),
            "receptacleObjectIds": contents.get(name, []) if obj.affordances.receptacle else None,
            "fillLiquid": world.liquid_by_object.get(name),
        }

    def _static_object_metadata(self, obj: ObjectState) -> dict[str, Any]:
        """Return the part of an object's metadata that does not depend on the agent."""
        known = self._static_cache.get(obj.objectId)
        if known is not None and known[0] is obj:
            return known[1]
        raw = _round_numbers(write_object(obj))
        raw |= {
            "temperature": obj.ObjectTemperature,
            "isMoving": False,
            "assetId": "",
            "isHeatSource": obj.objectType in HEAT_SOURCE_TYPES,
            "isColdSource": obj.objectType in COLD_SOURCE_TYPES,
        }
        self._static_cache[obj.objectId] = (obj, raw)
        return raw


def _contents_by_receptacle(objects: list[ObjectState]) -> dict[str, list[str]]:
    """Return the ids of the objects in or on each receptacle, by the receptacle's id."""
    contents: dict[str, list[str]] = {}
    for obj in objects:
        for parent in obj.parentReceptacles or ():
            contents.setdefault(parent, []).append(obj.objectId)
    return contents


def _body_metadata(state: AgentState) -> dict[str, Any]:
    return {
        "name": "agent",
        "position": _round_numbers(write_vector(state.position)),
        "rotation": write_vector((0.0, round(state.yaw, _METADATA_DIGITS), 0.0)),
        "cameraHorizon": round(state.horizon, _METADATA_DIGITS),
        "isStanding": True,
        "inHighFrictionArea": False,
    }


def _hand_metadata(state: AgentState) -> dict[str, Any]:
    return {
        "position": _round_numbers(write_vector(held_position(state))),
        "rotation": write_vector((0.0, state.yaw, 0.0)),
        "localPosition": write_vector(
            (0.0, round(HAND_ABOVE_METRES - 0.675, 3), HAND_AHEAD_METRES)
        ),
        "localRotation": write_vector((0.0, 0.0, 0.0)),
    }


def _inventory_metadata(world: ThorWorld, held: str | None) -> list[dict[str, str]]:
    obj = None if held is None else world.state.find(held)
    if obj is None:
        return []
    return [{"objectId": obj.objectId, "objectType": obj.objectType}]


def _view_metadata(world: ThorWorld, state: AgentState) -> dict[str, Any]:
    """Return the properties of the agent's camera, or of the map's camera if that is on."""
    if world.is_map_view_on:
        position, span = map_view_extent(world)
    else:
        position, span = eye_of(state).position, -1.0
    return {
        "cameraPosition": _round_numbers(write_vector(position)),
        "cameraOrthSize": span,
        "fov": world.settings.fov,
    }


def _camera_metadata(i: int, camera: ThirdPartyCamera) -> dict[str, Any]:
    return {
        "thirdPartyCameraId": i,
        "position": write_vector(camera.position),
        "rotation": write_vector(camera.rotation),
        "fieldOfView": camera.fov,
    }


def _scene_bounds(world: ThorWorld) -> dict[str, Any]:
    low, high = world.bounds()
    middle: Vec3 = tuple((a + b) / 2 for a, b in zip(low, high, strict=True))  # pyright: ignore
    size: Vec3 = tuple(b - a for a, b in zip(low, high, strict=True))  # pyright: ignore
    corners = [
        [x, y, z] for x in (high[0], low[0]) for y in (high[1], low[1]) for z in (high[2], low[2])
    ]
    return {"cornerPoints": corners, "center": write_vector(middle), "size": write_vector(size)}


def _round_numbers(value: Any) -> Any:
    """Return JSON with its numbers rounded to `_METADATA_DIGITS`."""
    if isinstance(value, float):
        return round(value, _METADATA_DIGITS)
    if isinstance(value, dict):
        return {key: _round_numbers(item) for key, item in value.items()}  # pyright: ignore
    if isinstance(value, list):
        return [_round_numbers(item) for item in value]  # pyright: ignore
    return value
