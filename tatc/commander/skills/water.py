"""Rinse, Fill, Empty, PourOn: what is done with water at a sink and elsewhere."""

from dataclasses import dataclass

from tatc.actions import Verb
from tatc.commander.draft import Draft
from tatc.commander.skills.hold import Hold
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.switch import Switch
from tatc.commander.trouble import Reason, Trouble
from tatc.planners.fittings import SINKS, faucet_of
from tatc.state import ObjectState


def sinks(draft: Draft) -> tuple[ObjectState, ...]:
    """Return the basins that a faucet waters, kitchen sinks before tubs."""
    known = draft.known
    found = known.all(*SINKS, that=lambda s: s.affordances.receptacle)
    watered = (s for s in found if faucet_of(known.snapshot, s) is not None)
    return tuple(sorted(watered, key=lambda s: SINKS.index(s.objectType) // 2))


@dataclass(frozen=True, slots=True)
class Rinse:
    """Running water has run over this object: it is clean, and full if it can be."""

    object_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Stand the object in the nearest sink that takes it and let water run."""
        options = [_RinseIn(self.object_id, sink) for sink in sinks(draft)]
        return draft.first(options, Trouble(Reason.NONE_EXISTS, "Sink"))


@dataclass(frozen=True, slots=True)
class _RinseIn:
    object_id: str
    sink: ObjectState

    def plan(self, draft: Draft) -> Trouble | None:
        known = draft.known
        faucet = faucet_of(known.snapshot, self.sink)
        thing = draft.get(self.object_id)
        if faucet is None or thing is None:
            return Trouble(Reason.NONE_EXISTS, self.object_id)
        inside = self.sink.objectId in (p.objectId for p in known.parents(thing))
        if inside and faucet.isToggled:
            # The water ran before the thing got dirty or empty: start it anew.
            if trouble := Switch(faucet.objectId, on=False).plan(draft):
                return trouble
        if trouble := PlaceIn(self.object_id, self.sink.objectId).plan(draft):
            return trouble
        return Switch(faucet.objectId, on=True).plan(draft)


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing liquid is in this vessel."""

    object_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Pour the vessel out into the nearest sink."""
        vessel = draft.get(self.object_id)
        if vessel is None:
            return Trouble(Reason.NONE_EXISTS, self.object_id)
        if not vessel.isFilledWithLiquid:
            return None
        options = [PourOn(self.object_id, sink.objectId) for sink in sinks(draft)]
        return draft.first(options, Trouble(Reason.NONE_EXISTS, "Sink"))


@dataclass(frozen=True, slots=True)
class PourOn:
    """What this vessel holds has been poured on or into the target."""

    vessel_id: str
    target_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Take the vessel to the target and pour."""
        if trouble := Hold(self.vessel_id).plan(draft):
            return trouble
        return draft.do(Verb.POUR, self.target_id)
