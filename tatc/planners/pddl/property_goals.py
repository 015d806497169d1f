"""What a wanted property becomes as a fact, and roughly what that costs, in actions."""

from math import inf

from tatc.actions import Verb
from tatc.metadata import AFFORDANCE_FIELDS
from tatc.planners.pddl.planning_view import PlanningView
from tatc.state import ObjectState
from tatc.tdl.definition import AtomicComponent, DesiredValue
from tatc.tdl.properties import compile_property_test

PROPERTY_GOALS: dict[tuple[str, bool], tuple[str, float]] = {
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

IMMUTABLE_PROPERTIES = (*AFFORDANCE_FIELDS, "objectType", "simbotObjectClass")
"""Properties that nothing changes."""
_VERB_BY_FACT = {
    "on": Verb.TOGGLE_ON,
    "off": Verb.TOGGLE_OFF,
    "open": Verb.OPEN,
    "shut": Verb.CLOSE,
}


def cost_to_satisfy(part: AtomicComponent, obj: ObjectState, view: PlanningView) -> float:
    """Return what it costs to bring a thing to all conditions; inf if it cannot."""
    return sum(
        _condition_cost(name, want, obj, view)
        for name, want in part.conditions
        if not compile_property_test(name, want)(obj, view.snapshot)
    )


def _condition_cost(name: str, want: DesiredValue, obj: ObjectState, view: PlanningView) -> float:
    goal = None if name in IMMUTABLE_PROPERTIES else PROPERTY_GOALS.get((name, bool(want)))
    if goal is None:
        return inf
    fact, cost = goal
    if fact in _VERB_BY_FACT:
        return cost if view.is_allowed(_VERB_BY_FACT[fact], obj.objectId) else inf
    if fact == "full" and not obj.affordances.pickupable:
        return cost
    if fact == "boiled" and obj.isCooked:
        return inf  # only what becomes cooked now is boiled (spec 2.8)
    return cost if view.can_be_taken(obj) else inf
