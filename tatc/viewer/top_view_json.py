"""The room as the page draws it from above: floor, furniture, and what lies about.

Lengths are metres, rounded to the centimetre; x goes right and z up on the page.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tatc.actions import GRID_SIZE_METRES
from tatc.state import AgentState, ObjectState, Pose, Snapshot
from tatc.top_view.type_groups import TypeGroup, group_of

_STATE_WORDS: tuple[tuple[str, str], ...] = (
    ("isPickedUp", "held"),
    ("isOpen", "open"),
    ("isToggled", "on"),
    ("isDirty", "dirty"),
    ("isBroken", "broken"),
    ("isUsedUp", "used up"),
    ("isSliced", "sliced"),
    ("isFilledWithLiquid", "filled"),
    ("simbotIsFilledWithWater", "water"),
    ("simbotIsFilledWithCoffee", "coffee"),
    ("simbotIsCooked", "cooked"),
    ("simbotIsBoiled", "boiled"),
)
_OVERHEAD_METRES = 1.3  # metres: what begins higher hangs over the furniture


def floor_json(cells: Iterable[Pose]) -> dict[str, Any]:
    """Return where the body can stand, in steps of the grid."""
    return {
        "step": GRID_SIZE_METRES,
        "cells": [[round(c.x / GRID_SIZE_METRES), round(c.z / GRID_SIZE_METRES)] for c in cells],
    }


def object_json(obj: ObjectState) -> dict[str, Any]:
    """Return what of an object stays the same while a session lasts."""
    loose = obj.affordances.pickupable
    low, _ = obj.box.bounds()
    return {
        "id": obj.objectId,
        "type": obj.objectType,
        "group": (TypeGroup.PICKUPABLE if loose else group_of(obj.objectType)).value,
        "high": low[1] > _OVERHEAD_METRES,
    }


def box_json(obj: ObjectState) -> list[float]:
    """Return an object's box from above: centre, size, yaw, lowest and highest y."""
    (x, y, z), (width, height, depth) = obj.box.center, obj.box.size
    low, high = y - height / 2, y + height / 2
    numbers = (x, z, width, depth, obj.box.yaw, low, high)
    return [round(number, 2) for number in numbers]


def state_words(obj: ObjectState) -> list[str]:
    """Return what can be said of an object's state, in words."""
    found = [word for name, word in _STATE_WORDS if getattr(obj, name)]
    if obj.ObjectTemperature != "RoomTemp":
        found.append(obj.ObjectTemperature.lower())
    return found


def agent_json(agent: AgentState) -> list[float]:
    """Return where an agent is: x, z, yaw, horizon, y."""
    x, y, z = agent.position
    return [round(number, 2) for number in (x, z, agent.yaw, agent.horizon, y)]


def fixed_objects(snapshot: Snapshot) -> tuple[ObjectState, ...]:
    """Return what a person who enters the room may know of: what cannot be carried."""
    return tuple(t for t in snapshot.objects if not t.affordances.pickupable)


class ObjectTracks:
    """How each object changes: its states by the step at which each begins."""

    def __init__(self) -> None:
        """Begin with an empty room."""
        self._last_states: list[ObjectState] = []
        self._index: Mapping[str, int] = {}
        self._objects: list[dict[str, Any]] = []

    @property
    def objects(self) -> Sequence[dict[str, Any]]:
        """The objects with their tracks: step, shape, state, what they are in."""
        return self._objects

    def index_of(self, object_id: str | None) -> int | None:
        """Return the place of an object among `objects`, None where it has none."""
        return None if object_id is None else self._index.get(object_id)

    def add_step(self, step: int, snapshot: Snapshot) -> None:
        """Note what has changed up to a step."""
        self._index = snapshot.object_index.by_id
        for i, obj in enumerate(snapshot.objects):
            if i == len(self._last_states):
                self._last_states.append(obj)
                self._objects.append(object_json(obj) | {"track": []})
            elif self._last_states[i] is obj:
                continue
            self._add_state(i, step, obj)

    def _add_state(self, i: int, step: int, obj: ObjectState) -> None:
        self._last_states[i] = obj
        track = self._objects[i]["track"]
        state = [box_json(obj), state_words(obj), self._parent_index(obj)]
        if not track or track[-1][1:] != state:
            track.append([step, *state])

    def _parent_index(self, obj: ObjectState) -> int | None:
        within = obj.parentReceptacles or ()
        return self.index_of(within[0]) if within else None
