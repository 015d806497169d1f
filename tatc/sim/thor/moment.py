"""The present state, read from AI2-THOR's metadata and TEACh's own books."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tatc.errors import ThorError
from tatc.metadata import MetadataFault, read_object
from tatc.sim.effects import Mark
from tatc.sim.stoves import KNOB, burners_of
from tatc.state import ABSENT, AgentState, ObjectState, Roster, Snapshot

_PASSING = ("visible", "isInteractable", "distance", "isMoving", "visibleBounds2D")
"""What changes in an object's metadata while the object does not."""

Raw = Mapping[str, Any]


class Reader:
    """Reads successive states of one scene; what has not changed is the same object."""

    def __init__(self, place: str) -> None:
        """Begin a scene: nothing is in TEACh's books."""
        self._place = place
        self._books: dict[str, dict[str, Any]] = {}
        self._read: dict[str, tuple[dict[str, Any], ObjectState]] = {}
        self._roster: tuple[tuple[str, ...], Roster] | None = None

    def mark(self, mark: Mark) -> None:
        """Note a property of TEACh's, or strike it out."""
        kept = self._books.setdefault(mark.object_id, {})
        if kept.get(mark.name, ABSENT) == mark.value:
            return
        if mark.value is ABSENT:
            kept.pop(mark.name, None)
        else:
            kept[mark.name] = mark.value
        self._read.pop(mark.object_id, None)

    def snapshot(self, metadata: Raw, commander: AgentState) -> Snapshot:
        """Return the state that an event's metadata tells of.

        Raises:
            ThorError: the metadata cannot be read.

        """
        try:
            objects = [self._object(raw) for raw in metadata["objects"]]
            objects = self._with_burners(objects)
            follower = read_agent(metadata["agent"])
        except (MetadataFault, KeyError) as fault:
            raise ThorError(
                f"AI2-THOR sent metadata that cannot be read: {fault}",
                fix="use ai2thor 3.1.0 or 5.0.0",
            ) from fault
        return Snapshot(tuple(objects), self._roster_of(objects), commander, follower)

    def _object(self, raw: Raw) -> ObjectState:
        name = str(raw["objectId"])
        lasting = {key: value for key, value in raw.items() if key not in _PASSING}
        known = self._read.get(name)
        if known is not None and known[0] == lasting:
            return known[1]
        thing = replace(read_object(raw), **self._books.get(name, {}))
        self._read[name] = (lasting, thing)
        return thing

    def _with_burners(self, objects: list[ObjectState]) -> list[ObjectState]:
        """Return the objects with each knob's burners, which 3.1.0 does not tell."""
        for i, thing in enumerate(objects):
            if thing.objectType == KNOB and thing.controlledObjects is None:
                burners = burners_of(self._place, thing, objects)
                objects[i] = replace(thing, controlledObjects=burners)
                raw, _ = self._read[thing.objectId]
                self._read[thing.objectId] = (raw, objects[i])
        return objects

    def _roster_of(self, objects: Sequence[ObjectState]) -> Roster:
        names = tuple(thing.objectId for thing in objects)
        if self._roster is None or self._roster[0] != names:
            self._roster = (names, Roster.of(objects))
        return self._roster[1]


def read_agent(raw: Raw) -> AgentState:
    """Return an agent of AI2-THOR's metadata.

    Raises:
        KeyError: a field is missing.

    """
    at, turn = raw["position"], raw["rotation"]
    return AgentState(
        (float(at["x"]), float(at["y"]), float(at["z"])),
        float(turn["y"]),
        float(raw["cameraHorizon"]),
    )
