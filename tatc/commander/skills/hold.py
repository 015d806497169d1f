"""Hold, PutDown, SetAside, Reveal, Open: what the one hand does."""

from dataclasses import dataclass
from math import hypot

from tatc.actions import Verb
from tatc.commander.plan_builder import PlanBuilder
from tatc.commander.plan_failure import FailureReason, PlanFailure
from tatc.commander.skills.free_space import free_point_scorer, has_free_room, scorer_avoiding
from tatc.state import ObjectState
from tatc.thor_types.facts import LAST_RESORT_TYPES, PUT_DOWN_TYPES

_MAX_SURFACES_TRIED = 6


@dataclass(frozen=True, slots=True)
class Hold:
    """The hand holds this object."""

    object_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Free the hand, reveal the object, and pick it up."""
        if builder.held_id == self.object_id:
            return None
        if builder.held_id and (failure := PutDown().plan(builder)):
            return failure
        if failure := Reveal(self.object_id).plan(builder):
            return failure
        return builder.add_interaction(Verb.PICKUP, self.object_id)


@dataclass(frozen=True, slots=True)
class PutDown:
    """The hand is empty: what it held stands on the nearest surface with room.

    `keep_clear_of` names a thing to keep clear of: the thing itself and what is near to it.
    `surface_types` are the types of surfaces that will do, in no order; any without them.
    """

    keep_clear_of: str = ""
    surface_types: tuple[str, ...] = ()

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Place what is held on the nearest surface that should take it."""
        held = builder.predicted_object(builder.held_id) if builder.held_id else None
        if held is None:
            return None
        options = [
            _PutOn(place, self.keep_clear_of) for place in self._candidate_surfaces(builder, held)
        ]
        return builder.add_first_possible(
            options, PlanFailure(FailureReason.NO_ROOM, held.objectId)
        )

    def _candidate_surfaces(self, builder: PlanBuilder, held: ObjectState) -> list[ObjectState]:
        """Return where to try, those that refused much lately after the others."""
        known, pose = builder.known, builder.pose

        def order(place: ObjectState) -> tuple[bool, float]:
            kind = known.action_type_key(builder.action_key(Verb.PLACE, place))
            x, _, z = place.box.center
            return known.memory.refusal_counts_by_type[kind] > 0, hypot(x - pose.x, z - pose.z)

        def may_do(place: ObjectState) -> bool:
            return place.objectId != self.keep_clear_of and has_free_room(builder, place, held)

        preferred = sorted(
            known.view.find_objects(*(self.surface_types or PUT_DOWN_TYPES), where=may_do),
            key=order,
        )
        last_resorts = () if self.surface_types else known.view.find_objects(*LAST_RESORT_TYPES)
        return [*preferred[:_MAX_SURFACES_TRIED], *last_resorts]


@dataclass(frozen=True, slots=True)
class _PutOn:
    surface: ObjectState
    keep_clear_of: str = ""

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        held = builder.predicted_object(builder.held_id)
        if held is None:
            return None
        scorer = free_point_scorer(builder, self.surface, held)
        if avoided := builder.predicted_object(self.keep_clear_of):
            scorer = scorer_avoiding(avoided, scorer)
        return builder.add_interaction(Verb.PLACE, self.surface.objectId, scorer=scorer)


@dataclass(frozen=True, slots=True)
class SetAside:
    """The object stands somewhere else, out of the way.

    `keep_clear_of` names the thing that it was in the way of, to keep clear of it.
    """

    object_id: str
    keep_clear_of: str = ""

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Pick the object up and put it down on the nearest surface with room."""
        return Hold(self.object_id).plan(builder) or PutDown(self.keep_clear_of).plan(builder)


@dataclass(frozen=True, slots=True)
class Reveal:
    """No closed container hides this object."""

    object_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Switch off and open what the object is closed in."""
        obj = builder.predicted_object(self.object_id)
        if obj is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        for container in builder.known.view.receptacles_of(obj):
            if failure := Open(container.objectId).plan(builder):
                return failure
        return None


@dataclass(frozen=True, slots=True)
class Open:
    """The container is open, if it can be; a running appliance is switched off."""

    object_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Open the container unless it is open or has no door."""
        obj = builder.predicted_object(self.object_id)
        if obj is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        if obj.isOpen or not obj.affordances.openable:
            return None
        if not obj.affordances.receptacle:
            return None  # a laptop or a book: nothing lies inside
        if obj.isToggled and (failure := builder.add_interaction(Verb.TOGGLE_OFF, self.object_id)):
            return failure
        return builder.add_interaction(Verb.OPEN, self.object_id)
