"""PlaceIn: an object comes to stand in or on a receptacle."""

from dataclasses import dataclass

from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlanFailure
from tatc.commander.skills.free_space import fewest_to_clear, has_free_room
from tatc.commander.skills.hold import Hold, Open, Reveal, SetAside
from tatc.commander.skills.placing_clicks import placing_preferences
from tatc.home.actions import Verb


@dataclass(frozen=True, slots=True)
class PlaceIn:
    """The object is in or on this receptacle."""

    object_id: str
    receptacle_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Fetch the object, open the receptacle, and place it on a free spot.

        What the task does not name is first taken out of a dish that is too full.
        """
        obj = builder.predicted_object(self.object_id)
        receptacle = builder.predicted_object(self.receptacle_id)
        if obj is None or receptacle is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        if self.receptacle_id in (p.objectId for p in builder.known.view.receptacles_of(obj)):
            return None
        if not has_free_room(builder, receptacle, obj):
            if failure := self._make_room(builder):
                return failure
        reveal, opening = Reveal(self.receptacle_id), Open(self.receptacle_id)
        if failure := builder.add_in_turn(reveal, Hold(self.object_id), opening):
            return failure
        preferences = placing_preferences(builder, receptacle, obj)
        return builder.add_interaction(Verb.PLACE, self.receptacle_id, preferences=preferences)

    def _make_room(self, builder: PlanBuilder) -> PlanFailure | None:
        known = builder.known
        obj, place = map(builder.predicted_object, (self.object_id, self.receptacle_id))
        full = PlanFailure(FailureReason.NO_ROOM, self.receptacle_id, self.object_id)
        if obj is None or place is None or not place.affordances.pickupable:
            return full
        others = fewest_to_clear(builder, place, obj, lambda t: not known.is_stranger(t))
        if not others:
            return full
        aside = (SetAside(other.objectId, place.objectId) for other in others)
        failure = builder.add_in_turn(*aside)
        return failure if failure is None or failure.is_temporary else full
