"""Bring a scene of AI2-THOR into a given state, as TEACh does (spec 2.10), and read its state.

Poses come first, then states, then agents.  What AI2-THOR cannot do stays undone: liquids become
water, doors are fully open or closed, and objects that its scene lacks are left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import dist, prod
from typing import Any

from tatc.base import errors, files
from tatc.home import state, type_facts
from tatc.home.metadata import MetadataError, read_object, write_vector
from tatc.sim import stove_knobs, teach_effects
from tatc.sim.thor.client import ThorClient

ObjectIdMap = Mapping[str, str]  # ids of the wanted state -> ids in the scene

_STATE_ACTIONS: Mapping[str, tuple[str, str, str]] = files.package_table(
    "tatc.sim.thor", "calls.toml"
)["states"]
"""By affordance: the flag, and the actions that set and clear it; slices are made before."""


def restore_scene(client: ThorClient, wanted: state.Snapshot, now: state.Snapshot) -> ObjectIdMap:
    """Bring a scene from the state `now` to `wanted`; return the matching object ids."""
    for obj in wanted.objects:
        if obj.isSliced and now.get(obj.objectId) is not None:
            client.act("SliceObject", objectId=obj.objectId, forceAction=True)
    event = client.act("Pass").event
    poses = list(_object_poses(wanted.objects, event.metadata["objects"]))
    event = client.act("SetObjectPoses", objectPoses=poses, placeStationary=True).event
    id_map = _match_objects(wanted.objects, event.metadata["objects"])
    by_id = {raw["objectId"]: raw for raw in event.metadata["objects"]}
    for obj in wanted.objects:
        if obj.objectId in id_map:
            _set_states(client, obj, by_id[id_map[obj.objectId]])
    body = wanted.follower
    client.act(
        "Teleport",
        position=write_vector(body.position),
        rotation=write_vector((0.0, body.yaw, 0.0)),
        horizon=body.horizon,
        forceAction=True,
    )
    held = wanted.held_object()
    if held is not None and held.objectId in id_map:
        client.act("PickupObject", objectId=id_map[held.objectId], forceAction=True)
    return id_map


def make_objects_unbreakable(client: ThorClient, objects: Sequence[state.ObjectState]) -> None:
    """Make all breakable objects unbreakable."""
    for kind in sorted({obj.objectType for obj in objects if obj.affordances.breakable}):
        client.act("MakeObjectsOfTypeUnbreakable", objectType=kind)


def _object_poses(
    wanted: Sequence[state.ObjectState], scene: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield a pose for each object that can be carried or pushed, by its name in the scene.

    A start that was drawn, not recorded, has names of its own; then the scene's object of
    the same type and most similar size is taken.
    """
    movable = [raw for raw in scene if raw["pickupable"] or raw["moveable"]]
    names = {_base_name(raw["name"]) for raw in movable}
    for obj in wanted:
        name: str | None = _base_name(obj.name)
        if name not in names:
            name = _most_similar_name(obj, movable)
        if name is not None:
            yield {
                "objectName": name,
                "position": write_vector(obj.position),
                "rotation": write_vector(obj.rotation),
            }


def _most_similar_name(obj: state.ObjectState, movable: Sequence[Mapping[str, Any]]) -> str | None:
    volume = prod(high - low for low, high in zip(*obj.box.bounds(), strict=True))

    def unlike(raw: Mapping[str, Any]) -> tuple[float, str]:
        size = raw["axisAlignedBoundingBox"]["size"]
        return abs(size["x"] * size["y"] * size["z"] - volume), str(raw["name"])

    of_type = [raw for raw in movable if raw["objectType"] == obj.objectType]
    return _base_name(min(of_type, key=unlike)["name"]) if of_type else None


def _base_name(name: str) -> str:
    return name.split("(", 1)[0]


def _match_objects(
    wanted: Sequence[state.ObjectState], scene: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Return a scene's object for each wanted one: by id, else the nearest left of its type."""
    kinds = {str(raw["objectId"]): str(raw["objectType"]) for raw in scene}
    id_map = {
        obj.objectId: obj.objectId
        for obj in wanted
        if kinds.get(obj.objectId) == obj.objectType and not obj.affordances.can_be_moved
    }
    free: dict[str, list[Mapping[str, Any]]] = {}
    for raw in scene:
        if raw["objectId"] not in id_map.values():
            free.setdefault(str(raw["objectType"]), []).append(raw)
    for obj in wanted:
        left = free.get(obj.objectType, [])
        if obj.objectId in id_map or not left:
            continue
        nearest = min(left, key=partial(_rank_of, obj))
        left.remove(nearest)
        id_map[obj.objectId] = str(nearest["objectId"])
    return id_map


def _rank_of(obj: state.ObjectState, raw: Mapping[str, Any]) -> tuple[float, str]:
    """Return an object of the scene's distance from a wanted one, then its id."""
    return dist([raw["position"][axis] for axis in "xyz"], obj.position), raw["objectId"]


def _set_states(client: ThorClient, obj: state.ObjectState, scene: Mapping[str, Any]) -> None:
    for able, (flag, sets, clears) in _STATE_ACTIONS.items():
        wants = bool(getattr(obj, flag))
        if not getattr(obj.affordances, able) or wants == bool(scene[flag]):
            continue
        action = sets if wants else clears
        if action:
            liquid = {"fillLiquid": "water"} if action.startswith("Fill") else {}
            client.act(action, objectId=scene["objectId"], forceAction=True, **liquid)


_TRANSIENT_FIELDS = ("visible", "isInteractable", "distance", "isMoving", "visibleBounds2D")
"""What changes in an object's metadata while the object does not."""

RawMetadata = Mapping[str, Any]


class MetadataReader:
    """Reads states of a scene from metadata and TEACh's books; what has not changed is the same."""

    def __init__(self, floor_plan: str) -> None:
        """Begin a scene: nothing is in TEACh's books."""
        self._floor_plan = floor_plan
        self._teach_properties: dict[str, dict[str, Any]] = {}
        self._known_objects: dict[str, tuple[dict[str, Any], state.ObjectState]] = {}
        self._roster: tuple[tuple[str, ...], state.ObjectIndex] | None = None

    def set_property(self, change: teach_effects.SetProperty) -> None:
        """Note a property of TEACh's, or strike it out."""
        properties = self._teach_properties.setdefault(change.object_id, {})
        if properties.get(change.name, state.ABSENT) == change.value:
            return
        if change.value is state.ABSENT:
            properties.pop(change.name, None)
        else:
            properties[change.name] = change.value
        self._known_objects.pop(change.object_id, None)

    def snapshot(self, metadata: RawMetadata, commander: state.AgentState) -> state.Snapshot:
        """Return the state that an event's metadata tells of."""
        try:
            objects = [self._to_object(raw) for raw in metadata["objects"]]
            objects = self._with_burners(objects)
            follower = read_agent(metadata["agent"])
        except (MetadataError, KeyError) as fault:
            raise errors.ThorError(
                f"AI2-THOR sent metadata that cannot be read: {fault}",
                fix="use ai2thor 3.1.0 or 5.0.0",
            ) from fault
        return state.Snapshot(tuple(objects), self._roster_of(objects), commander, follower)

    def _to_object(self, raw: RawMetadata) -> state.ObjectState:
        name = str(raw["objectId"])
        lasting = {key: value for key, value in raw.items() if key not in _TRANSIENT_FIELDS}
        known = self._known_objects.get(name)
        if known is not None and known[0] == lasting:
            return known[1]
        obj = replace(read_object(raw), **self._teach_properties.get(name, {}))
        self._known_objects[name] = (lasting, obj)
        return obj

    def _with_burners(self, objects: list[state.ObjectState]) -> list[state.ObjectState]:
        """Return the objects with each knob's burners, which 3.1.0 does not tell."""
        for i, obj in enumerate(objects):
            if obj.objectType == type_facts.KNOB_TYPE and obj.controlledObjects is None:
                burners = stove_knobs.burners_of(self._floor_plan, obj, objects)
                objects[i] = replace(obj, controlledObjects=burners)
                raw, _ = self._known_objects[obj.objectId]
                self._known_objects[obj.objectId] = (raw, objects[i])
        return objects

    def _roster_of(self, objects: Sequence[state.ObjectState]) -> state.ObjectIndex:
        """Return the index of objects, the same while their ids and order are."""
        names = tuple(obj.objectId for obj in objects)
        if self._roster is None or self._roster[0] != names:
            self._roster = (names, state.ObjectIndex.from_objects(objects))
        return self._roster[1]


def read_agent(raw: RawMetadata) -> state.AgentState:
    """Return an agent of AI2-THOR's metadata; a missing field is a KeyError."""
    x, y, z = (float(raw["position"][axis]) for axis in "xyz")
    return state.AgentState((x, y, z), float(raw["rotation"]["y"]), float(raw["cameraHorizon"]))
