"""Switch, OpenClose, HeatOn, HeatIn, CoolIn, Rinse, RinseIn, Empty, PourOn: appliances, water."""

from dataclasses import dataclass

from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlanFailure
from tatc.commander.skills.hold import Open, PlaceIn
from tatc.home.actions import Verb
from tatc.home.type_facts import KNOB_TYPE, RUNS_CLOSED_TYPES
from tatc.planners.snapshot_view import knob_of


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


@dataclass(frozen=True, slots=True)
class HeatOn:
    """The vessel stands on this burner, and the burner's knob is on."""

    vessel_id: str
    burner_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Stand the vessel on the burner and turn its knob."""
        burner = builder.predicted_object(self.burner_id)
        knob = knob_of(builder.known.snapshot, burner) if burner else None
        if knob is None:
            return PlanFailure(FailureReason.NONE_EXISTS, KNOB_TYPE)
        put = PlaceIn(self.vessel_id, self.burner_id)
        return builder.add_in_turn(put, Switch(knob.objectId, on=True))


@dataclass(frozen=True, slots=True)
class HeatIn:
    """The object has been in this appliance while it ran."""

    object_id: str
    appliance_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Put the object in, and switch the appliance on (off first if it is running)."""
        appliance = builder.predicted_object(self.appliance_id)
        if appliance is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.appliance_id)
        put = PlaceIn(self.object_id, self.appliance_id)
        off, on = Switch(self.appliance_id, on=False), Switch(self.appliance_id, on=True)
        return builder.add_in_turn(put, off, on)


@dataclass(frozen=True, slots=True)
class CoolIn:
    """The object was in this fridge when its door was closed."""

    object_id: str
    fridge_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Put the object in, and close the door (open it first, if it is closed)."""
        put, shut = PlaceIn(self.object_id, self.fridge_id), OpenClose(self.fridge_id, False)
        return builder.add_in_turn(put, Open(self.fridge_id), shut)
