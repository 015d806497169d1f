"""A plan of a room as JSON for the page: floor, objects, agents.

Lengths are metres, rounded to the centimetre.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tatc.home.actions import GRID_SIZE_METRES
from tatc.home.state import AgentState, Box, ObjectState, Snapshot
from tatc.sim.top_view.plan_model import Footprint, PlanFloor, footprint_of, state_words


def floor_json(floor: PlanFloor) -> dict[str, Any]:
    """Return the cells where a body can stand, counted in steps of the grid."""
    return {
        "step": GRID_SIZE_METRES,
        "cells": [[round(v / GRID_SIZE_METRES) for v in cell] for cell in floor.cells],
    }


def object_json(footprint: Footprint) -> dict[str, Any]:
    """Return what stays the same of an object for a whole session.

    The page draws what is `high` above other furniture and what is `round` as an ellipse;
    what is in something that `closes` is pale while that is shut.
    """
    value = {
        "id": footprint.object_id,
        "type": footprint.object_type,
        "group": footprint.group.value,
        "high": footprint.is_overhead,
    }
    flags = {"round": footprint.is_round, "closes": footprint.can_close}
    return value | {name: True for name, holds in flags.items() if holds}


def box_json(box: Box) -> list[float]:
    """Return a box from above: x and z of its centre, width, depth, yaw, lowest and highest y."""
    (x, y, z), (width, height, depth) = box.center, box.size
    numbers = (x, z, width, depth, box.yaw, y - height / 2, y + height / 2)
    return [round(number, 2) for number in numbers]


def agent_json(agent: AgentState) -> list[float]:
    """Return where an agent is and looks: x, z, yaw, horizon, y."""
    x, y, z = agent.position
    return [round(number, 2) for number in (x, z, agent.yaw, agent.horizon, y)]


class ObjectTracks:
    """Each object's states over a session, with the steps at which they begin."""

    def __init__(self) -> None:
        """Begin without objects."""
        self._places: dict[str, int] = {}
        self._last_states: list[ObjectState | None] = []
        self._index: Mapping[str, int] = {}
        self._objects: list[dict[str, Any]] = []

    @property
    def objects(self) -> Sequence[dict[str, Any]]:
        """The objects, each with its `track`: rows of step, box, state words, container's index.

        From a row of a step and null on, an object is gone.
        """
        return self._objects

    def index_of(self, object_id: str | None) -> int | None:
        """Return an object's index in `objects`, None for an id of no object."""
        return None if object_id is None else self._index.get(object_id)

    def add_step(self, step: int, snapshot: Snapshot, names: Sequence[str]) -> None:
        """Add what is new in the snapshot of a step; steps come in order.

        `names` has for each object a name that is its own in every step, as ids of believed
        objects may not be.
        """
        objects = dict(zip(names, snapshot.objects, strict=True))
        for name, obj in objects.items():
            if name not in self._places:
                self._places[name] = len(self._objects)
                self._last_states.append(None)
                self._objects.append(object_json(footprint_of(obj)) | {"track": []})
        self._index = {obj.objectId: self._places[name] for name, obj in objects.items()}
        for name, i in self._places.items():
            obj = objects.get(name)
            if obj is None:
                self._end(i, step)
            elif obj is not self._last_states[i]:
                self._add_state(i, step, obj)

    def _end(self, i: int, step: int) -> None:
        if self._last_states[i] is not None:
            self._last_states[i] = None
            self._objects[i]["track"].append([step, None])

    def _add_state(self, i: int, step: int, obj: ObjectState) -> None:
        self._last_states[i] = obj
        track = self._objects[i]["track"]
        state = [box_json(obj.box), state_words(obj), self._parent_index(obj)]
        if not track or track[-1][1:] != state:
            track.append([step, *state])

    def _parent_index(self, obj: ObjectState) -> int | None:
        within = obj.parentReceptacles or ()
        return self.index_of(within[0]) if within else None
