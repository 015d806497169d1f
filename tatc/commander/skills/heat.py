"""Heat: an object stands in or on something hot."""

from dataclasses import dataclass

from tatc.commander.draft import Draft
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.switch import Switch
from tatc.commander.trouble import Reason, Trouble
from tatc.planners.fittings import knob_of


@dataclass(frozen=True, slots=True)
class HeatOn:
    """The vessel stands on this burner, and the burner's knob is on."""

    vessel_id: str
    burner_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Stand the vessel on the burner and turn its knob."""
        burner = draft.get(self.burner_id)
        knob = knob_of(draft.known.snapshot, burner) if burner else None
        if knob is None:
            return Trouble(Reason.NONE_EXISTS, "StoveKnob")
        if trouble := PlaceIn(self.vessel_id, self.burner_id).plan(draft):
            return trouble
        return Switch(knob.objectId, on=True).plan(draft)


@dataclass(frozen=True, slots=True)
class HeatIn:
    """The object has been in this appliance while it ran."""

    object_id: str
    appliance_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Put the object in and switch the appliance on, anew if it is running."""
        appliance = draft.get(self.appliance_id)
        if appliance is None:
            return Trouble(Reason.NONE_EXISTS, self.appliance_id)
        if trouble := PlaceIn(self.object_id, self.appliance_id).plan(draft):
            return trouble
        if trouble := Switch(self.appliance_id, on=False).plan(draft):
            return trouble
        return Switch(self.appliance_id, on=True).plan(draft)
