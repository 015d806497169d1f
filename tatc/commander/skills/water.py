"""Rinse, Empty, PourOn: what is done with water, at a sink and elsewhere."""

from dataclasses import dataclass

from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlanFailure
from tatc.commander.skills.appliances import Switch
from tatc.commander.skills.hold import Hold, PlaceIn
from tatc.home.actions import Verb
from tatc.planners.snapshot_view import faucet_of


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
    """Nothing liquid is in this vessel."""

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
        return builder.add_interaction(Verb.POUR, self.target_id)
