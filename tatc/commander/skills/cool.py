"""CoolIn: an object has been shut in a fridge."""

from dataclasses import dataclass

from tatc.commander.plan_builder import PlanBuilder
from tatc.commander.plan_failure import PlanFailure
from tatc.commander.skills.hold import Open
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.switch_and_open import OpenClose


@dataclass(frozen=True, slots=True)
class CoolIn:
    """The object was in this fridge when its door was closed."""

    object_id: str
    fridge_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Put the object in, and close the door (open it first, if it is closed)."""
        put, shut = PlaceIn(self.object_id, self.fridge_id), OpenClose(self.fridge_id, False)
        return builder.add_in_turn(put, Open(self.fridge_id), shut)
