"""Skills for devices, doors and water: Switch, OpenClose, HeatOn, HeatIn, CoolIn, Rinse, ..."""

from dataclasses import dataclass

from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlanFailure
from tatc.commander.skills.hold import Hold, Open, PlaceIn
from tatc.home import actions, type_facts
from tatc.planners.snapshot_view import faucet_of, knob_of


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
        if self.on and obj.isOpen and obj.objectType in type_facts.RUNS_CLOSED_TYPES:
            if failure := builder.add_interaction(actions.Verb.CLOSE, self.object_id):
                return failure
        verb = actions.Verb.TOGGLE_ON if self.on else actions.Verb.TOGGLE_OFF
        return builder.add_interaction(verb, self.object_id)


@dataclass(frozen=True, slots=True)
class OpenClose:
    """The object is open, or closed."""

    object_id: str
    is_open: bool

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Open or close the object if need be; a running microwave is switched off first."""
        obj = builder.predicted_object(self.object_id)
        if obj is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        if obj.isOpen == self.is_open:
            return None
        if self.is_open and obj.isToggled and obj.objectType in type_facts.RUNS_CLOSED_TYPES:
            if failure := builder.add_interaction(actions.Verb.TOGGLE_OFF, self.object_id):
                return failure
        verb = actions.Verb.OPEN if self.is_open else actions.Verb.CLOSE
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
            return PlanFailure(FailureReason.NONE_EXISTS, type_facts.KNOB_TYPE)
        put = PlaceIn(self.vessel_id, self.burner_id)
        return builder.add_in_turn(put, Switch(knob.objectId, on=True))


@dataclass(frozen=True, slots=True)
class HeatIn:
    """The object has been in this appliance while it ran."""

    object_id: str
    appliance_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Put the object in, and switch the appliance on (off first if it is running)."""
        if builder.predicted_object(self.appliance_id) is None:
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


@dataclass(frozen=True, slots=True)
class Rinse:
    """Running water has run over this object: it is clean, and full if it can be."""

    object_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Stand the object in the nearest sink that takes it and let water run."""
        sinks = builder.known.view.watered_sinks()
        options = [RinseIn(self.object_id, sink.objectId) for sink in sinks]
        return builder.add_first_possible(options, PlanFailure(FailureReason.NONE_EXISTS, "Sink"))


@dataclass(frozen=True, slots=True)
class RinseIn:
    """Running water has run over this object in this sink."""

    object_id: str
    sink_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Put the object in the sink, and let water run anew."""
        known = builder.known
        sink, obj = map(builder.predicted_object, (self.sink_id, self.object_id))
        faucet = None if sink is None else faucet_of(known.snapshot, sink)
        if faucet is None or obj is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        inside = self.sink_id in (p.objectId for p in known.view.receptacles_of(obj))
        if inside and faucet.isToggled:
            # The water was running before the object needed it: turn it off and on again.
            if failure := Switch(faucet.objectId, on=False).plan(builder):
                return failure
        put = PlaceIn(self.object_id, self.sink_id)
        return builder.add_in_turn(put, Switch(faucet.objectId, on=True))


@dataclass(frozen=True, slots=True)
class Empty:
    """No liquid is in this vessel."""

    object_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Pour the vessel out into the nearest sink."""
        vessel = builder.predicted_object(self.object_id)
        if vessel is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        if not vessel.isFilledWithLiquid:
            return None
        sinks = builder.known.view.watered_sinks()
        options = [PourOn(self.object_id, sink.objectId) for sink in sinks]
        return builder.add_first_possible(options, PlanFailure(FailureReason.NONE_EXISTS, "Sink"))


@dataclass(frozen=True, slots=True)
class PourOn:
    """What this vessel holds has been poured on or into the target."""

    vessel_id: str
    target_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Take the vessel to the target and pour."""
        if failure := Hold(self.vessel_id).plan(builder):
            return failure
        return builder.add_interaction(actions.Verb.POUR, self.target_id)
