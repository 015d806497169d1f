"""Puts a freshly loaded scene into a given state, as TEACh does it (spec 2.10).

Poses first, then states, then agents.  What AI2-THOR cannot bring about is left as it
is: liquids are water, doors are wide open or shut, and what its scene lacks is not
made up.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import dist
from typing import Any

from tatc.metadata import write_vector
from tatc.sim.thor.client import ThorClient
from tatc.state import AgentState, ObjectState, Snapshot

Same = Mapping[str, str]
"""Ids of the wanted state -> ids in the scene."""

_STATES: tuple[tuple[str, str, str, str | None], ...] = (
    ("toggleable", "isToggled", "ToggleObjectOn", "ToggleObjectOff"),
    (
        "canFillWithLiquid",
        "isFilledWithLiquid",
        "FillObjectWithLiquid",
        "EmptyLiquidFromObject",
    ),
    ("dirtyable", "isDirty", "DirtyObject", "CleanObject"),
    ("openable", "isOpen", "OpenObject", "CloseObject"),
    ("canBeUsedUp", "isUsedUp", "UseUpObject", None),
    ("cookable", "isCooked", "CookObject", None),
    ("breakable", "isBroken", "BreakObject", None),
)
"""Affordance, flag, and what sets and clears it; slices are made before."""


def restore(client: ThorClient, wanted: Snapshot, now: Snapshot) -> Same:
    """Bring about a state in a scene that is `now`; return what is which.

    Raises:
        ThorError: AI2-THOR died or hangs.

    """
    for thing in wanted.objects:
        if thing.isSliced and now.get(thing.objectId) is not None:
            client.act("SliceObject", objectId=thing.objectId, forceAction=True)
    event = client.act("Pass").event
    poses = list(_poses(wanted.objects, event.metadata["objects"]))
    event = client.act("SetObjectPoses", objectPoses=poses, placeStationary=True).event
    same = _matched(wanted.objects, event.metadata["objects"])
    by_id = {raw["objectId"]: raw for raw in event.metadata["objects"]}
    for thing in wanted.objects:
        if thing.objectId in same:
            _set_states(client, thing, by_id[same[thing.objectId]])
    _put_agent(client, wanted.follower)
    held = wanted.held()
    if held is not None and held.objectId in same:
        client.act("PickupObject", objectId=same[held.objectId], forceAction=True)
    return same


def set_unbreakable(client: ThorClient, objects: Sequence[ObjectState]) -> None:
    """Let nothing break from now on."""
    kinds = {thing.objectType for thing in objects if thing.affordances.breakable}
    for kind in sorted(kinds):
        client.act("MakeObjectsOfTypeUnbreakable", objectType=kind)


def _put_agent(client: ThorClient, agent: AgentState) -> None:
    client.act(
        "Teleport",
        position=write_vector(agent.position),
        rotation=write_vector((0.0, agent.yaw, 0.0)),
        horizon=agent.horizon,
        forceAction=True,
    )


def _poses(
    wanted: Sequence[ObjectState], scene: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield a pose for each thing that can be carried or pushed.

    It is named as in the scene.  A start that was drawn, and not recorded, has names
    of its own; then the scene's object of that type and the nearest size is meant.
    """
    loose = [raw for raw in scene if raw["pickupable"] or raw["moveable"]]
    names = {_cut(raw["name"]) for raw in loose}
    for thing in wanted:
        name: str | None = _cut(thing.name)
        if name not in names:
            name = _stand_in(thing, loose)
        if name is not None:
            yield {
                "objectName": name,
                "position": write_vector(thing.position),
                "rotation": write_vector(thing.rotation),
            }


def _stand_in(thing: ObjectState, loose: Sequence[Mapping[str, Any]]) -> str | None:
    low, high = thing.box.bounds()
    volume = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2])

    def unlike(raw: Mapping[str, Any]) -> tuple[float, str]:
        size = raw["axisAlignedBoundingBox"]["size"]
        return abs(size["x"] * size["y"] * size["z"] - volume), str(raw["name"])

    same = [raw for raw in loose if raw["objectType"] == thing.objectType]
    return _cut(min(same, key=unlike)["name"]) if same else None


def _cut(name: str) -> str:
    return name.split("(", 1)[0]


def _matched(
    wanted: Sequence[ObjectState], scene: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Return which object of the scene is which: by id, else the nearest of its type.

    No object of the scene is two.
    """
    kinds = {str(raw["objectId"]): str(raw["objectType"]) for raw in scene}
    same = {
        thing.objectId: thing.objectId
        for thing in wanted
        if kinds.get(thing.objectId) == thing.objectType and _fixed(thing)
    }
    free: dict[str, list[Mapping[str, Any]]] = {}
    for raw in scene:
        if raw["objectId"] not in same.values():
            free.setdefault(str(raw["objectType"]), []).append(raw)
    for thing in wanted:
        left = free.get(thing.objectType, [])
        if thing.objectId in same or not left:
            continue
        nearest = min(left, key=lambda raw: (_off(raw, thing), raw["objectId"]))
        left.remove(nearest)
        same[thing.objectId] = str(nearest["objectId"])
    return same


def _fixed(thing: ObjectState) -> bool:
    return not (thing.affordances.pickupable or thing.affordances.moveable)


def _off(raw: Mapping[str, Any], thing: ObjectState) -> float:
    at = raw["position"]
    return dist((at["x"], at["y"], at["z"]), thing.position)


def _set_states(
    client: ThorClient, thing: ObjectState, scene: Mapping[str, Any]
) -> None:
    for able, flag, sets, clears in _STATES:
        wants = bool(getattr(thing, flag))
        if not getattr(thing.affordances, able) or wants == bool(scene[flag]):
            continue
        action = sets if wants else clears
        if action is not None:
            liquid = {"fillLiquid": "water"} if action.startswith("Fill") else {}
            client.act(action, objectId=scene["objectId"], forceAction=True, **liquid)
