"""Writes the metadata of the objects that an agent's events list."""

from math import dist
from typing import Any, cast

from tatc.apps.thorserver.open_actions import openness_of
from tatc.apps.thorserver.thor_agent import ThorAgent
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.apps.thorserver.visibility import visible_ids
from tatc.home.metadata import write_object
from tatc.home.state import ObjectState
from tatc.home.types.facts import COLD_SOURCE_TYPES, HEAT_SOURCE_TYPES

_METADATA_DIGITS = 6
"""The decimals of numbers; AI2-THOR's single precision holds no more."""


class ObjectMetadataWriter:
    """Writes objects, and keeps what has not changed of them since the last time."""

    def __init__(self) -> None:
        """Start without kept metadata."""
        self._static_cache: dict[str, tuple[ObjectState, dict[str, Any]]] = {}

    def objects_metadata(self, world: ThorWorld, agent: ThorAgent) -> list[dict[str, Any]]:
        """Return the objects that are listed, as an agent sees them."""
        if world.listed_ids is not None and not world.listed_ids:
            return []
        visible, contents = visible_ids(world, agent), _contents_by_receptacle(world.state.objects)
        return [
            self._object_metadata(world, obj, agent, visible, contents)
            for obj in world.state.objects
            if world.listed_ids is None or obj.objectId in world.listed_ids
        ]

    def _object_metadata(
        self,
        world: ThorWorld,
        obj: ObjectState,
        agent: ThorAgent,
        visible: frozenset[str],
        contents: dict[str, list[str]],
    ) -> dict[str, Any]:
        name = obj.objectId
        is_visible = name in visible or obj.isPickedUp
        return self._static_metadata(obj) | {
            "visible": is_visible,
            "isInteractable": is_visible,
            "obstructed": not is_visible,
            "distance": round(dist(obj.position, agent.state.position), _METADATA_DIGITS),
            "receptacleObjectIds": contents.get(name, []) if obj.affordances.receptacle else None,
            "fillLiquid": world.liquid_by_object.get(name),
            "openness": openness_of(world, obj),
        }

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


def _contents_by_receptacle(objects: list[ObjectState]) -> dict[str, list[str]]:
    """Return the ids of the objects in or on each receptacle, by the receptacle's id."""
    contents: dict[str, list[str]] = {}
    for obj in objects:
        for parent in obj.parentReceptacles or ():
            contents.setdefault(parent, []).append(obj.objectId)
    return contents
