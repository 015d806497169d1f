"""The room as the page draws it from above: floor, furniture, and what lies about.

Lengths are metres, rounded to the centimetre; x goes right and z up on the page.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tatc.actions import GRID
from tatc.sim.rooms.groups import Group, group_of
from tatc.state import AgentState, ObjectState, Pose, Snapshot

_FLAGS: tuple[tuple[str, str], ...] = (
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
_OVERHEAD = 1.3  # metres: what begins higher hangs over the furniture


def floor_json(cells: Iterable[Pose]) -> dict[str, Any]:
    """Return where the body can stand, in steps of the grid."""
    return {
        "step": GRID,
        "cells": [[round(c.x / GRID), round(c.z / GRID)] for c in cells],
    }


def thing_json(thing: ObjectState) -> dict[str, Any]:
    """Return what of an object stays the same while a session lasts."""
    loose = thing.affordances.pickupable
    low, _ = thing.box.bounds()
    return {
        "id": thing.objectId,
        "type": thing.objectType,
        "group": (Group.THING if loose else group_of(thing.objectType)).value,
        "high": low[1] > _OVERHEAD,
    }


def shape_json(thing: ObjectState) -> list[float]:
    """Return an object's box from above: centre, size, yaw, lowest and highest y."""
    (x, y, z), (width, height, depth) = thing.box.center, thing.box.size
    low, high = y - height / 2, y + height / 2
    numbers = (x, z, width, depth, thing.box.yaw, low, high)
    return [round(number, 2) for number in numbers]


def flags_of(thing: ObjectState) -> list[str]:
    """Return what can be said of an object's state, in words."""
    found = [word for name, word in _FLAGS if getattr(thing, name)]
    if thing.ObjectTemperature != "RoomTemp":
        found.append(thing.ObjectTemperature.lower())
    return found


def body_json(agent: AgentState) -> list[float]:
    """Return where an agent is: x, z, yaw, horizon, y."""
    x, y, z = agent.position
    return [round(number, 2) for number in (x, z, agent.yaw, agent.horizon, y)]


def furniture(snapshot: Snapshot) -> tuple[ObjectState, ...]:
    """Return what a person who enters the room may know of: what cannot be carried."""
    return tuple(t for t in snapshot.objects if not t.affordances.pickupable)


class Tracks:
    """How each object changes: its states by the step at which each begins."""

    def __init__(self) -> None:
        """Begin with an empty room."""
        self._last: list[ObjectState] = []
        self._index: Mapping[str, int] = {}
        self._things: list[dict[str, Any]] = []

    @property
    def things(self) -> Sequence[dict[str, Any]]:
        """The objects with their tracks: step, shape, state, what they are in."""
        return self._things

    def index(self, object_id: str | None) -> int | None:
        """Return the place of an object among `things`, None where it has none."""
        return None if object_id is None else self._index.get(object_id)

    def follow(self, step: int, snapshot: Snapshot) -> None:
        """Note what has changed up to a step."""
        self._index = snapshot.roster.index
        for i, thing in enumerate(snapshot.objects):
            if i == len(self._last):
                self._last.append(thing)
                self._things.append(thing_json(thing) | {"track": []})
            elif self._last[i] is thing:
                continue
            self._note(i, step, thing)

    def _note(self, i: int, step: int, thing: ObjectState) -> None:
        self._last[i] = thing
        track = self._things[i]["track"]
        state = [shape_json(thing), flags_of(thing), self._parent(thing)]
        if not track or track[-1][1:] != state:
            track.append([step, *state])

    def _parent(self, thing: ObjectState) -> int | None:
        within = thing.parentReceptacles or ()
        return self.index(within[0]) if within else None
