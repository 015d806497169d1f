"""Views of one moment of the home: for the Commander, and with refusals for the PDDL planner.

Distances are in metres, from the Follower to the centre of an object's box.  Efforts are
in actions: metres in steps of the grid, and what an obstacle on the way adds.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import dist

import numpy as np
from numpy.typing import NDArray

from tatc.home.actions import GRID_SIZE_METRES, Verb
from tatc.home.state import ObjectState, Snapshot, Vec3
from tatc.home.type_facts import KNOB_TYPE, SINK_TYPES
from tatc.tdl.definition import DesiredValue
from tatc.tdl.properties import is_of_type_or_class, parent_receptacles_of

OPENING_COST_ACTIONS = 3.0
"""Actions that a closed container around an object adds to reaching it, roughly."""


class SnapshotView:
    """Questions about the objects of one snapshot; the answers never change."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Look at the objects of a snapshot."""
        self.snapshot = snapshot
        held = snapshot.held_object()
        self.held_id = held.objectId if held else ""

    def get(self, object_id: str) -> ObjectState | None:
        """Return the object with this id, or None where there is none."""
        return self.snapshot.get(object_id)

    def distance_to(self, obj: ObjectState) -> float:
        """Return how far an object is from the Follower, metres."""
        return dist(obj.box.center, self.snapshot.follower.position)

    def effort_to_reach(self, obj: ObjectState) -> float:
        """Return roughly how many actions it takes to reach an object; 0 if it is held."""
        if obj.objectId == self.held_id:
            return 0.0
        steps = self.distance_to(obj) / GRID_SIZE_METRES
        return steps + OPENING_COST_ACTIONS * len(self.closed_containers_of(obj))

    def find_objects(
        self, *types: str, where: Callable[[ObjectState], bool] | None = None
    ) -> tuple[ObjectState, ...]:
        """Return the objects of these types (of any type, without types), nearest first."""
        found = self.snapshot.of_type(*types) if types else self.snapshot.objects
        return self._nearest_first(obj for obj in found if where is None or where(obj))

    def objects_within(self, low: Vec3, high: Vec3) -> tuple[ObjectState, ...]:
        """Return the objects whose boxes reach into a space, nearest first."""
        lows, highs = self._bounds
        reaching = ((lows < high) & (highs > low)).all(1)
        return self._nearest_first(self.snapshot.objects[i] for i in np.flatnonzero(reaching))

    @cached_property
    def _bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The lowest and the highest corners of all boxes, (objects, 3) each."""
        bounds = np.array([obj.box.bounds() for obj in self.snapshot.objects]).reshape(-1, 2, 3)
        return bounds[:, 0], bounds[:, 1]

    def _nearest_first(self, objects: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
        return tuple(sorted(objects, key=lambda obj: (self.distance_to(obj), obj.objectId)))

    def receptacles_of_kind(self, kind: DesiredValue) -> tuple[ObjectState, ...]:
        """Return the receptacles of a type or class, nearest first."""
        return self.find_objects(
            where=lambda obj: obj.affordances.receptacle and is_of_type_or_class(obj, kind)
        )

    def receptacles_of(self, obj: ObjectState) -> tuple[ObjectState, ...]:
        """Return what `obj`, which may be predicted, is in or on, in the simulator's order."""
        ids = parent_receptacles_of(obj, self.snapshot)
        found = (self.get(name) for name in ids if name != obj.objectId)
        return tuple(parent for parent in found if parent is not None)

    def closed_containers_of(self, obj: ObjectState) -> tuple[ObjectState, ...]:
        """Return the closed containers that an object is in."""
        return tuple(parent for parent in self.receptacles_of(obj) if is_closed(parent))

    def contents_of(self, receptacle: ObjectState) -> tuple[ObjectState, ...]:
        """Return the objects in or on a receptacle, in the snapshot's order."""
        return tuple(self._contents_by_parent.get(receptacle.objectId, ()))

    def watered_sinks(self) -> tuple[ObjectState, ...]:
        """Return the basins that a faucet waters: sinks before tubs, then the nearest."""
        found = self.find_objects(*SINK_TYPES, where=lambda sink: sink.affordances.receptacle)
        watered = (sink for sink in found if faucet_of(self.snapshot, sink) is not None)
        return tuple(sorted(watered, key=lambda sink: SINK_TYPES.index(sink.objectType) // 2))

    @cached_property
    def _contents_by_parent(self) -> dict[str, list[ObjectState]]:
        contents: dict[str, list[ObjectState]] = {}
        for obj in self.snapshot.objects:
            for parent in dict.fromkeys(parent_receptacles_of(obj, self.snapshot)):
                if parent != obj.objectId:
                    contents.setdefault(parent, []).append(obj)
        return contents


def has_door(obj: ObjectState) -> bool:
    """Return whether an object's door decides what can be taken out of it."""
    return obj.affordances.openable and obj.affordances.receptacle


def is_closed(obj: ObjectState) -> bool:
    """Return whether an object's closed door shuts off what is in it."""
    return has_door(obj) and not obj.isOpen


def faucet_of(snapshot: Snapshot, sink: ObjectState) -> ObjectState | None:
    """Return the faucet nearest to a sink, which waters it (spec section 2.7), or None."""
    center = sink.box.center
    return min(snapshot.of_type("Faucet"), key=lambda f: dist(f.box.center, center), default=None)


def knob_of(snapshot: Snapshot, burner: ObjectState) -> ObjectState | None:
    """Return the knob whose `controlledObjects` name a burner, or None."""
    knobs = snapshot.of_type(KNOB_TYPE)
    return next((k for k in knobs if burner.objectId in (k.controlledObjects or ())), None)


_VERBS_USING_HELD = (Verb.PLACE, Verb.POUR, Verb.SLICE)


@dataclass(frozen=True, slots=True)
class RefusedInteraction:
    """A verb that is known not to work on an object, with what was held (Place, Pour, Slice)."""

    verb: Verb
    target_id: str
    held_id: str = ""

    @staticmethod
    def of(verb: Verb, target_id: str, held_id: str) -> "RefusedInteraction":
        """Return the refusal; a held object that does not matter to the verb is left out."""
        return RefusedInteraction(verb, target_id, held_id if verb in _VERBS_USING_HELD else "")


class PlanningView(SnapshotView):
    """A snapshot with the world's refusals, taken as facts; PDDL problems are written from it."""

    def __init__(self, snapshot: Snapshot, refusals: Collection[RefusedInteraction] = ()) -> None:
        """Look at the objects of a snapshot, and at what is known to be refused."""
        super().__init__(snapshot)
        self.refusals = frozenset(refusals)

    def is_allowed(self, verb: Verb, target: str, held: str = "") -> bool:
        """Return whether no refusal is known of this verb, target id and held id."""
        return RefusedInteraction(verb, target, held) not in self.refusals

    def was_refused(self, verb: Verb, target: str) -> bool:
        """Return whether a refusal is known of this verb and target id, whatever was held."""
        return any(each.verb is verb and each.target_id == target for each in self.refusals)

    def can_be_taken(self, obj: ObjectState) -> bool:
        """Return whether the hand can get an object, as far as is known."""
        if obj.objectId == self.held_id:
            return True
        return obj.affordances.pickupable and self.is_allowed(Verb.PICKUP, obj.objectId)

    def easiest_objects(
        self, *types: str, where: Callable[[ObjectState], bool] | None = None
    ) -> tuple[ObjectState, ...]:
        """Return the objects of these types that are not sliced, easiest to reach first."""
        whole = (obj for obj in self.find_objects(*types, where=where) if not obj.isSliced)
        return tuple(sorted(whole, key=lambda obj: (self.effort_to_reach(obj), obj.objectId)))

    def removable_contents_of(self, receptacle: ObjectState) -> tuple[ObjectState, ...]:
        """Return what can be taken out of a receptacle, or off it."""
        inside = self.contents_of(receptacle)
        return tuple(obj for obj in inside if obj.affordances.pickupable and not obj.isSliced)

    def receptacles_by_size(self, obj: ObjectState) -> tuple[ObjectState, ...]:
        """Return the receptacles that an object is in: portable ones first, then by size."""

        def size_rank(obj: ObjectState) -> tuple[bool, float, str]:
            x, y, z = obj.box.size
            return not obj.affordances.pickupable, x * y * z, obj.objectId

        return tuple(sorted(self.receptacles_of(obj), key=size_rank))
