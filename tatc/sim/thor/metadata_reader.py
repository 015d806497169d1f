"""The present state, read from AI2-THOR's metadata and TEACh's own books."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tatc.base.errors import ThorError
from tatc.home.metadata import MetadataError, read_object
from tatc.home.state import ABSENT, AgentState, ObjectIndex, ObjectState, Snapshot
from tatc.home.type_facts import KNOB_TYPE
from tatc.sim.stove_knobs import burners_of
from tatc.sim.teach_rules import SetProperty

_TRANSIENT_FIELDS = ("visible", "isInteractable", "distance", "isMoving", "visibleBounds2D")
"""What changes in an object's metadata while the object does not."""

RawMetadata = Mapping[str, Any]


class MetadataReader:
    """Reads successive states of one scene; what has not changed is the same object."""

    def __init__(self, floor_plan: str) -> None:
        """Begin a scene: nothing is in TEACh's books."""
        self._floor_plan = floor_plan
        self._teach_properties: dict[str, dict[str, Any]] = {}
        self._known_objects: dict[str, tuple[dict[str, Any], ObjectState]] = {}
        self._roster: tuple[tuple[str, ...], ObjectIndex] | None = None

    def set_property(self, change: SetProperty) -> None:
        """Note a property of TEACh's, or strike it out."""
        properties = self._teach_properties.setdefault(change.object_id, {})
        if properties.get(change.name, ABSENT) == change.value:
            return
        if change.value is ABSENT:
            properties.pop(change.name, None)
        else:
            properties[change.name] = change.value
        self._known_objects.pop(change.object_id, None)

    def snapshot(self, metadata: RawMetadata, commander: AgentState) -> Snapshot:
        """Return the state that an event's metadata tells of."""
        try:
            objects = [self._to_object(raw) for raw in metadata["objects"]]
            objects = self._with_burners(objects)
            follower = read_agent(metadata["agent"])
        except (MetadataError, KeyError) as fault:
            raise ThorError(
                f"AI2-THOR sent metadata that cannot be read: {fault}",
                fix="use ai2thor 3.1.0 or 5.0.0",
            ) from fault
        return Snapshot(tuple(objects), self._roster_of(objects), commander, follower)

    def _to_object(self, raw: RawMetadata) -> ObjectState:
        name = str(raw["objectId"])
        lasting = {key: value for key, value in raw.items() if key not in _TRANSIENT_FIELDS}
        known = self._known_objects.get(name)
        if known is not None and known[0] == lasting:
            return known[1]
        obj = replace(read_object(raw), **self._teach_properties.get(name, {}))
        self._known_objects[name] = (lasting, obj)
        return obj

    def _with_burners(self, objects: list[ObjectState]) -> list[ObjectState]:
        """Return the objects with each knob's burners, which 3.1.0 does not tell."""
        for i, obj in enumerate(objects):
            if obj.objectType == KNOB_TYPE and obj.controlledObjects is None:
                burners = burners_of(self._floor_plan, obj, objects)
                objects[i] = replace(obj, controlledObjects=burners)
                raw, _ = self._known_objects[obj.objectId]
                self._known_objects[obj.objectId] = (raw, objects[i])
        return objects

    def _roster_of(self, objects: Sequence[ObjectState]) -> ObjectIndex:
        """Return the index of objects, the same while their ids and order are."""
        names = tuple(obj.objectId for obj in objects)
        if self._roster is None or self._roster[0] != names:
            self._roster = (names, ObjectIndex.from_objects(objects))
        return self._roster[1]


def read_agent(raw: RawMetadata) -> AgentState:
    """Return an agent of AI2-THOR's metadata; a missing field is a KeyError."""
    x, y, z = (float(raw["position"][axis]) for axis in "xyz")
    return AgentState((x, y, z), float(raw["rotation"]["y"]), float(raw["cameraHorizon"]))
