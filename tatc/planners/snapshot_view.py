"""One moment of the home, as the Commander and the PDDL planner ask about it.

Distances are in metres, from the Follower to the centre of an object's box.  Efforts are
in actions: metres in steps of the grid, and what an obstacle on the way adds.
"""

from collections.abc import Callable
from functools import cached_property
from math import dist

from tatc.home.actions import GRID_SIZE_METRES
from tatc.home.state import ObjectState, Snapshot
from tatc.home.types.facts import KNOB_TYPE, SINK_TYPES
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
        """Return roughly how many actions it takes to reach an object.

        The held object takes none; each closed container around an object adds
        `OPENING_COST_ACTIONS`.
        """
        if obj.objectId == self.held_id:
            return 0.0
        steps = self.distance_to(obj) / GRID_SIZE_METRES
        return steps + OPENING_COST_ACTIONS * len(self.closed_containers_of(obj))

    def find_objects(
        self, *types: str, where: Callable[[ObjectState], bool] | None = None
    ) -> tuple[ObjectState, ...]:
        """Return the objects of these types (of any type, without types), nearest first."""
        found = self.snapshot.of_type(*types) if types else self.snapshot.objects
        wanted = (obj for obj in found if where is None or where(obj))
        return tuple(sorted(wanted, key=lambda obj: (self.distance_to(obj), obj.objectId)))

    def receptacles_of_kind(self, kind: DesiredValue) -> tuple[ObjectState, ...]:
        """Return the receptacles of a type or class, nearest first."""
        return self.find_objects(
            where=lambda obj: obj.affordances.receptacle and is_of_type_or_class(obj, kind)
        )

    def receptacles_of(self, obj: ObjectState) -> tuple[ObjectState, ...]:
        """Return the receptacles that an object is in or on (spec section 2.9).

        The order is the simulator's.  `obj` may be a predicted state of an object.
        """
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


# Fixtures that belong together: a sink and its faucet, a burner and its knob.


def faucet_of(snapshot: Snapshot, sink: ObjectState) -> ObjectState | None:
    """Return the faucet nearest to a sink, which waters it (spec section 2.7), or None."""
    center = sink.box.center
    faucets = snapshot.of_type("Faucet")
    return min(faucets, key=lambda f: dist(f.box.center, center), default=None)


def knob_of(snapshot: Snapshot, burner: ObjectState) -> ObjectState | None:
    """Return the knob whose `controlledObjects` name a burner, or None."""
    knobs = snapshot.of_type(KNOB_TYPE)
    own = (k for k in knobs if burner.objectId in (k.controlledObjects or ()))
    return next(own, None)
