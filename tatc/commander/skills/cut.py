"""The skill Cut: an object is cut with a knife, or an egg is cracked with one."""

from dataclasses import dataclass

from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlanFailure
from tatc.commander.skills.hold import Hold, PutDown, Reveal
from tatc.home import actions, type_facts


@dataclass(frozen=True, slots=True)
class Cut:
    """The object is in slices; an egg is cracked."""

    object_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Fetch the nearest knife that can be reached, and cut with it."""
        if builder.held_id == self.object_id:
            options = (PutDown(surface_types=type_facts.CUTTING_SURFACE_TYPES), PutDown())
            no_room = PlanFailure(FailureReason.NO_ROOM, self.object_id)
            failure = builder.add_first_possible(options, no_room)
            return failure or PlanFailure(FailureReason.UNCERTAIN, self.object_id)
        if self._is_cramped(builder):
            put_down = PutDown(surface_types=type_facts.CUTTING_SURFACE_TYPES)
            failure = builder.add_plan((Hold(self.object_id), put_down))
            if failure is None or failure.is_temporary:
                return failure or PlanFailure(FailureReason.UNCERTAIN, self.object_id)
        held = builder.predicted_object(builder.held_id) if builder.held_id else None
        if held is None or held.objectType not in type_facts.KNIFE_TYPES:
            found = builder.known.view.find_objects(*type_facts.KNIFE_TYPES)
            knives = [Hold(t.objectId) for t in found]
            none = PlanFailure(FailureReason.NONE_EXISTS, "Knife")
            if failure := builder.add_first_possible(knives, none):
                return failure
        if failure := Reveal(self.object_id).plan(builder):
            return failure
        return builder.add_interaction(actions.Verb.SLICE, self.object_id)

    def _is_cramped(self, builder: PlanBuilder) -> bool:
        """Return whether the object lies where its slices might be hidden, in or under something.

        An egg gives one piece, where it lies, and is often to be cracked in a vessel.
        """
        obj = builder.predicted_object(self.object_id)
        if obj is None or obj.objectType in type_facts.CRACKED_TYPE_BY_WHOLE:
            return False
        parents = builder.known.view.receptacles_of(obj)
        cramped = type_facts.CRAMPED_TYPES
        return any(p.affordances.openable or p.objectType in cramped for p in parents)
