"""Switch, OpenClose: an object is on or off, open or closed."""

from dataclasses import dataclass

from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlanFailure
from tatc.home.actions import Verb
from tatc.home.type_facts import RUNS_CLOSED_TYPES


@dataclass(frozen=True, slots=True)
class Switch:
    """The object is switched on, or off."""

    object_id: str
    on: bool

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Switch the object if need be; an open microwave is closed before it is switched on."""
        obj = builder.predicted_object(self.object_id)
        if obj is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        if obj.isToggled == self.on:
            return None
        if self.on and obj.isOpen and obj.objectType in RUNS_CLOSED_TYPES:
            if failure := builder.add_interaction(Verb.CLOSE, self.object_id):
                return failure
        verb = Verb.TOGGLE_ON if self.on else Verb.TOGGLE_OFF
        return builder.add_interaction(verb, self.object_id)


@dataclass(frozen=True, slots=True)
class OpenClose:
    """The object is open, or closed."""

    object_id: str
    is_open: bool

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Open or close the object if need be."""
        obj = builder.predicted_object(self.object_id)
        if obj is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        if obj.isOpen == self.is_open:
            return None
        verb = Verb.OPEN if self.is_open else Verb.CLOSE
        return builder.add_interaction(verb, self.object_id)
