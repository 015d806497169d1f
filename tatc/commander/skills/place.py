"""PlaceIn: an object comes to stand in or on a receptacle."""

from dataclasses import dataclass

from tatc.actions import Verb
from tatc.commander.plan_builder import PlanBuilder
from tatc.commander.plan_failure import FailureReason, PlanFailure
from tatc.commander.skills.free_space import free_point_scorer, has_free_room
from tatc.commander.skills.hold import Hold, Open, Reveal


@dataclass(frozen=True, slots=True)
class PlaceIn:
    """The object is in or on this receptacle."""

    object_id: str
    receptacle_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Fetch the object, open the receptacle, and place it on a free spot."""
        obj = builder.predicted_object(self.object_id)
        receptacle = builder.predicted_object(self.receptacle_id)
        if obj is None or receptacle is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        if self.receptacle_id in (p.objectId for p in builder.known.view.receptacles_of(obj)):
            return None
        if not has_free_room(builder, receptacle, obj):
            return PlanFailure(FailureReason.NO_ROOM, self.receptacle_id, self.object_id)
        reveal, opening = Reveal(self.receptacle_id), Open(self.receptacle_id)
        if failure := builder.add_in_turn(reveal, Hold(self.object_id), opening):
            return failure
        scorer = free_point_scorer(builder, receptacle, obj)
        return builder.add_interaction(Verb.PLACE, self.receptacle_id, scorer=scorer)
