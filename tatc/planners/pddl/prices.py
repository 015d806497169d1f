"""What a wanted property becomes as a fact, and roughly what that costs, in actions."""

from math import inf

from tatc.actions import Verb
from tatc.planners.pddl.home import Home
from tatc.state import ObjectState
from tatc.tdl.definition import Atomic, Want
from tatc.tdl.properties import AFFORDANCES, compile_test

GOALS: dict[tuple[str, bool], tuple[str, float]] = {
    ("isDirty", False): ("clean", 14.0),
    ("isFilledWithLiquid", True): ("full", 15.0),
    ("isFilledWithLiquid", False): ("empty", 9.0),
    ("simbotIsFilledWithWater", True): ("wet", 12.0),
    ("simbotIsFilledWithCoffee", True): ("coffee", 12.0),
    ("isCooked", True): ("cooked", 12.0),
    ("simbotIsCooked", True): ("heated", 12.0),
    ("simbotIsBoiled", True): ("boiled", 25.0),
    ("isToggled", True): ("on", 2.0),
    ("isToggled", False): ("off", 2.0),
    ("isOpen", True): ("open", 2.0),
    ("isOpen", False): ("shut", 2.0),
}
"""The fact that a wanted property becomes, and roughly what it costs to bring about."""

FIXED = (*AFFORDANCES, "objectType", "simbotObjectClass")
"""Properties that nothing changes."""
_SWITCHED = {
    "on": Verb.TOGGLE_ON,
    "off": Verb.TOGGLE_OFF,
    "open": Verb.OPEN,
    "shut": Verb.CLOSE,
}


def missing(part: Atomic, thing: ObjectState, home: Home) -> float:
    """Return what it costs to bring a thing to all conditions; inf if it cannot."""
    return sum(
        _price(name, want, thing, home)
        for name, want in part.conditions
        if not compile_test(name, want)(thing, home.snapshot)
    )


def _price(name: str, want: Want, thing: ObjectState, home: Home) -> float:
    goal = None if name in FIXED else GOALS.get((name, bool(want)))
    if goal is None:
        return inf
    fact, cost = goal
    if fact in _SWITCHED:
        return cost if home.allows(_SWITCHED[fact], thing.objectId) else inf
    if fact == "full" and not thing.affordances.pickupable:
        return cost
    if fact == "boiled" and thing.isCooked:
        return inf  # only what becomes cooked now is boiled (spec 2.8)
    return cost if home.takeable(thing) else inf
