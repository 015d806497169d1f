"""What a planning problem is written from: a snapshot, and what the world refused."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from math import dist

from tatc.actions import GRID_SIZE_METRES, Verb
from tatc.planners.fixtures import faucet_of
from tatc.state import ObjectState, Snapshot
from tatc.tdl.properties import parent_receptacles_of
from tatc.thor_types.facts import SINK_TYPES

_VERBS_USING_HELD = (Verb.PLACE, Verb.POUR, Verb.SLICE)
_OPENING_COST = 3.0  # what a closed door costs, in steps


@dataclass(frozen=True, slots=True)
class RefusedInteraction:
    """A fact that the world has taught: this verb does not work on this object.

    `held_id` is what was in the hand, where the verb is about that too (Place, Pour,
    Slice); for all other verbs it is empty.
    """

    verb: Verb
    target_id: str
    held_id: str = ""

    @staticmethod
    def of(verb: Verb, target_id: str, held_id: str) -> "RefusedInteraction":
        """Return the refusal of a try, without a held object that does not matter."""
        return RefusedInteraction(verb, target_id, held_id if verb in _VERBS_USING_HELD else "")


class SnapshotView:
    """Plain questions about the objects of one moment."""

    def __init__(self, snapshot: Snapshot, refusals: Collection[RefusedInteraction] = ()) -> None:
        """Look at the objects; refusals are taken as facts."""
        self.snapshot = snapshot
        self.refusals = frozenset(refusals)
        held = snapshot.held_object()
        self.held_id = held.objectId if held else ""
        self._contents_by_parent: dict[str, list[ObjectState]] = {}
        for obj in snapshot.objects:
            for parent in parent_receptacles_of(obj, snapshot):
                if parent != obj.objectId:
                    self._contents_by_parent.setdefault(parent, []).append(obj)

    def get(self, object_id: str) -> ObjectState | None:
        """Return an object, None where there is no such."""
        return self.snapshot.get(object_id)

    def is_allowed(self, verb: Verb, target: str, held: str = "") -> bool:
        """Return whether nothing is known against this."""
        return RefusedInteraction(verb, target, held) not in self.refusals

    def count_refusals(self, target: str) -> int:
        """Return how much the world has refused on this object."""
        return sum(each.target_id == target for each in self.refusals)

    def distance_in_steps(self, obj: ObjectState) -> float:
        """Return how far an object is from the Follower, in steps."""
        return dist(obj.box.center, self.snapshot.follower.position) / GRID_SIZE_METRES

    def find_objects(
        self, *types: str, where: Callable[[ObjectState], bool] | None = None
    ) -> tuple[ObjectState, ...]:
        """Return the whole objects of these types (any, without), easiest first."""
        found = self.snapshot.of_type(*types) if types else self.snapshot.objects
        return self.sort_by_effort(
            t for t in found if not t.isSliced and (where is None or where(t))
        )

    def sort_by_effort(self, objects: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
        """Return the objects by how soon they can be reached."""
        return tuple(sorted(objects, key=lambda t: (self.effort(t), t.objectId)))

    def effort(self, obj: ObjectState) -> float:
        """Return a rough count of steps to reach an object; the held one has none."""
        if obj.objectId == self.held_id:
            return 0.0
        return self.distance_in_steps(obj) + _OPENING_COST * len(self.closed_containers_of(obj))

    def receptacles_of(self, obj: ObjectState) -> tuple[ObjectState, ...]:
        """Return the receptacles an object is in: what can be carried, then by size."""
        ids = parent_receptacles_of(obj, self.snapshot)
        found = (self.get(name) for name in ids if name != obj.objectId)
        return tuple(sorted((p for p in found if p is not None), key=_size_rank))

    def contents_of(self, receptacle: ObjectState) -> tuple[ObjectState, ...]:
        """Return what can be taken out of a receptacle, or off it."""
        inside = self._contents_by_parent.get(receptacle.objectId, ())
        return tuple(t for t in inside if t.affordances.pickupable and not t.isSliced)

    def closed_containers_of(self, obj: ObjectState) -> tuple[ObjectState, ...]:
        """Return the closed containers that an object is in."""
        return tuple(p for p in self.receptacles_of(obj) if is_closed(p))

    def can_be_taken(self, obj: ObjectState) -> bool:
        """Return whether the hand can get an object, as far as is known."""
        if obj.objectId == self.held_id:
            return True
        return obj.affordances.pickupable and self.is_allowed(Verb.PICKUP, obj.objectId)

    def watered_sinks(self) -> tuple[ObjectState, ...]:
        """Return basins that a faucet waters, kitchen sinks before tubs."""
        found = self.find_objects(*SINK_TYPES, where=lambda s: s.affordances.receptacle)
        watered = (s for s in found if faucet_of(self.snapshot, s) is not None)
        return tuple(sorted(watered, key=lambda s: SINK_TYPES.index(s.objectType)))


def has_door(obj: ObjectState) -> bool:
    """Return whether an object's door decides what can be taken out of it."""
    return obj.affordances.openable and obj.affordances.receptacle


def is_closed(obj: ObjectState) -> bool:
    """Return whether an object shuts off what is in it."""
    return has_door(obj) and not obj.isOpen


def _size_rank(obj: ObjectState) -> tuple[bool, float, str]:
    x, y, z = obj.box.size
    return not obj.affordances.pickupable, x * y * z, obj.objectId
