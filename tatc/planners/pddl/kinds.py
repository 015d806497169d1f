"""What an object is in PDDL, and what can be said of it alone."""

from tatc.actions import KNIVES
from tatc.planners.fittings import SINKS
from tatc.planners.pddl.home import has_door
from tatc.state import ObjectState

TIGHT = ("Toaster", "CoffeeMachine", "StoveBurner", "Mug", "Cup")
"""Types that take one thing at a time."""

_FIXTURES = {
    "Faucet": "faucet",
    "StoveKnob": "knob",
    "StoveBurner": "burner",
    "Microwave": "microwave",
    "Toaster": "toaster",
    "CoffeeMachine": "coffeemachine",
    **dict.fromkeys(SINKS, "sink"),
}


def is_furniture(place: ObjectState) -> bool:
    """Return whether things on it are as good as anywhere: a plain open surface."""
    return type_of(place) == "fixture" and not has_door(place)


def type_of(thing: ObjectState) -> str:
    """Return the PDDL type of an object."""
    if not thing.affordances.pickupable:
        return _FIXTURES.get(thing.objectType, "fixture")
    if thing.objectType in KNIVES:
        return "knife"
    return "vessel" if thing.affordances.canFillWithLiquid else "solid"


def state_of(thing: ObjectState) -> tuple[str, ...]:
    """Return the facts about an object alone."""
    able = thing.affordances
    found = ["dirty" if thing.isDirty else "clean"]
    if able.canFillWithLiquid:
        found.append("full" if thing.isFilledWithLiquid else "empty")
    if thing.isFilledWithLiquid or thing.simbotIsFilledWithWater:
        found.append("wet")
    if thing.simbotIsFilledWithCoffee:
        found.append("coffee")
    if able.toggleable:
        found.append("on" if thing.isToggled else "off")
    if able.openable:
        found.append("open" if thing.isOpen else "shut")
    if able.cookable:
        found.append("cooked" if thing.isCooked else "raw")
    if thing.simbotIsCooked:
        found.append("heated")
    if thing.simbotIsBoiled:
        found.append("boiled")
    return tuple(found)
