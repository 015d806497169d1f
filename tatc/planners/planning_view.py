"""What a PDDL problem is written from: a snapshot, and what the world has refused."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from tatc.home.actions import Verb
from tatc.home.state import ObjectState, Snapshot
from tatc.planners.snapshot_view import SnapshotView

_VERBS_USING_HELD = (Verb.PLACE, Verb.POUR, Verb.SLICE)


@dataclass(frozen=True, slots=True)
class RefusedInteraction:
    """The world has taught that a verb does not work on an object.

    `held_id` is what was in the hand where that matters to the verb (Place, Pour, Slice);
    for all other verbs it is empty.
    """

    verb: Verb
    target_id: str
    held_id: str = ""

    @staticmethod
    def of(verb: Verb, target_id: str, held_id: str) -> "RefusedInteraction":
        """Return the refusal; a held object that does not matter to the verb is left out."""
        return RefusedInteraction(verb, target_id, held_id if verb in _VERBS_USING_HELD else "")


class PlanningView(SnapshotView):
    """A snapshot, with refusals taken as facts."""

    def __init__(self, snapshot: Snapshot, refusals: Collection[RefusedInteraction] = ()) -> None:
        """Look at the objects of a snapshot."""
        super().__init__(snapshot)
        self.refusals = frozenset(refusals)

    def is_allowed(self, verb: Verb, target: str, held: str = "") -> bool:
        """Return whether no refusal is known of this verb, target id and held id."""
        return RefusedInteraction(verb, target, held) not in self.refusals

    def was_refused(self, verb: Verb, target: str) -> bool:
        """Return whether a refusal is known of this verb and target id, whatever was held."""
        return any(each.verb is verb and each.target_id == target for each in self.refusals)

    def count_refusals(self, target: str) -> int:
        """Return how many interactions with an object the world has refused."""
        return sum(refusal.target_id == target for refusal in self.refusals)

    def can_be_taken(self, obj: ObjectState) -> bool:
        """Return whether the hand can get an object, as far as is known."""
        if obj.objectId == self.held_id:
            return True
        return obj.affordances.pickupable and self.is_allowed(Verb.PICKUP, obj.objectId)

    def easiest_objects(
        self, *types: str, where: Callable[[ObjectState], bool] | None = None
    ) -> tuple[ObjectState, ...]:
        """Return the objects of these types that are not sliced, easiest to reach first."""
        found = self.find_objects(*types, where=where)
        whole = (obj for obj in found if not obj.isSliced)
        return tuple(sorted(whole, key=lambda obj: (self.effort_to_reach(obj), obj.objectId)))

    def removable_contents_of(self, receptacle: ObjectState) -> tuple[ObjectState, ...]:
        """Return what can be taken out of a receptacle, or off it."""
        inside = self.contents_of(receptacle)
        return tuple(obj for obj in inside if obj.affordances.pickupable and not obj.isSliced)

    def receptacles_by_size(self, obj: ObjectState) -> tuple[ObjectState, ...]:
        """Return the receptacles that an object is in: portable ones first, then by size."""
        return tuple(sorted(self.receptacles_of(obj), key=_size_rank))


def _size_rank(obj: ObjectState) -> tuple[bool, float, str]:
    x, y, z = obj.box.size
    return not obj.affordances.pickupable, x * y * z, obj.objectId
