"""Writes the metadata of events as AI2-THOR does; `wire_images` draws their images."""

from itertools import product
from json import dumps, loads
from math import dist
from typing import Any

from tatc.apps.thorserver import moved_objects, object_actions, views
from tatc.apps.thorserver.thor_action import ThorResult
from tatc.apps.thorserver.thor_agent import DEFAULT_HAND_POSITION, ThorAgent
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.base import files
from tatc.home.metadata import write_aligned_box, write_object, write_vector
from tatc.home.state import ObjectState, Vec3, subtract
from tatc.home.type_facts import COLD_SOURCE_TYPES, HEAT_SOURCE_TYPES
from tatc.sim.embedded.world_state import held_position

_METADATA_DIGITS = 6  # the decimals of numbers; AI2-THOR's single precision holds no more
NO_EXTRAS: dict[str, Any] = files.package_table("tatc.apps.thorserver", "unused_metadata.json")
"""What AI2-THOR's metadata always hold, and only actions of its own tests fill."""


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
                is_asked = action == "GetReachablePositions"
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
            "inventoryObjects": []
            if held is None
            else [{"objectId": held.objectId, "objectType": held.objectType}],
            "objects": self._objects_metadata(world, agent),
            "colors": None,
            "colorBounds": None,
            "collided": False,
            "collidedObjects": [],
            **_view_metadata(world, agent),
        }

    def _objects_metadata(self, world: ThorWorld, agent: ThorAgent) -> list[dict[str, Any]]:
        if world.listed_ids is not None and not world.listed_ids:
            return []
        visible = views.visible_ids(world, agent)
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
            metadata = self._static_metadata(world, obj) | {
                "visible": is_visible,
                "isInteractable": is_visible,
                "obstructed": not is_visible,
                "distance": round(dist(obj.position, agent.state.position), _METADATA_DIGITS),
                "receptacleObjectIds": contents.get(name, []) if holds else None,
                "fillLiquid": world.liquid_by_object.get(name),
                "openness": object_actions.openness_of(world, obj),
            }
            listed.append(metadata)
        return listed

    def _static_metadata(self, world: ThorWorld, obj: ObjectState) -> dict[str, Any]:
        known = self._static_cache.get(obj.objectId)
        if known is not None and known[0] is obj:
            return known[1]
        raw = write_object(obj)
        aligned = world.aligned_box(obj)
        if aligned is not None:
            raw["axisAlignedBoundingBox"] = write_aligned_box(aligned)
        raw = round_numbers(raw)
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
    hand = agent.hand
    local: Vec3 = tuple(a + b for a, b in zip(DEFAULT_HAND_POSITION, hand.offset, strict=True))  # pyright: ignore
    held = None if agent.held is None else world.state.find(agent.held)
    position = held_position(agent.state) if held is None else held.position
    rotation = moved_objects.combined_rotation((0.0, agent.state.yaw, 0.0), hand.rotation)
    return round_numbers(
        {
            "position": write_vector(position),
            "rotation": write_vector(rotation),
            "localPosition": write_vector(local),
            "localRotation": write_vector(hand.rotation),
        }
    )


def _view_metadata(world: ThorWorld, agent: ThorAgent) -> dict[str, Any]:
    if world.is_map_view_on:
        position, span = views.map_view_extent(world)
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
    size = subtract(high, low)
    corners = [list(corner) for corner in product(*zip(high, low, strict=True))]
    return {"cornerPoints": corners, "center": write_vector(middle), "size": write_vector(size)}


def round_numbers(value: Any) -> Any:
    """Return JSON with its numbers rounded to as many decimals as AI2-THOR gives."""
    return loads(dumps(value), parse_float=lambda text: round(float(text), _METADATA_DIGITS))
