"""The PDDL type of an object."""

from tatc.home.state import ObjectState
from tatc.home.types.facts import BURNER_TYPE, KNIFE_TYPES, KNOB_TYPE, SINK_TYPES
from tatc.planners.snapshot_view import has_door

_PDDL_TYPE_OF_FIXTURE = {
    "Faucet": "faucet",
    KNOB_TYPE: "knob",
    BURNER_TYPE: "burner",
    "Microwave": "microwave",
    "Toaster": "toaster",
    "CoffeeMachine": "coffeemachine",
    "Fridge": "fridge",
    **dict.fromkeys(SINK_TYPES, "sink"),
    "SinkBasin": "basin",
}


def is_open_surface(place: ObjectState) -> bool:
    """Return whether a place is a plain open surface: objects on it count as `aside`."""
    return pddl_type_of(place) == "fixture" and not has_door(place)


def pddl_type_of(obj: ObjectState) -> str:
    """Return the PDDL type of an object."""
    if not obj.affordances.pickupable:
        return _PDDL_TYPE_OF_FIXTURE.get(obj.objectType, "fixture")
    if obj.objectType in KNIFE_TYPES:
        return "knife"
    return "vessel" if obj.affordances.canFillWithLiquid else "solid"
