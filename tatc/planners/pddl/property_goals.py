"""What the registered properties are in PDDL: goals with costs, and facts of a state."""

from math import inf

from tatc.home.state import ObjectState
from tatc.planners.planning_view import PlanningView
from tatc.planners.property_facts import PddlGoal, facts_of, registered_facts
from tatc.tdl.definition import AtomicComponent, DesiredValue
from tatc.tdl.properties import compile_property_test

_PLACING_COST = 6.0  # actions, roughly, to put an object in or on a receptacle of some kind


def pddl_goal_of(name: str, desired: DesiredValue) -> PddlGoal | None:
    """Return the goal that a property with a desired value becomes, or None."""
    return facts_of(name).goals.get(bool(desired))


def goals_by_predicate() -> dict[str, PddlGoal]:
    """Return the goals of all registered properties by their predicates."""
    return {goal.predicate: goal for facts in registered_facts() for goal in facts.goals.values()}


def unary_predicates_of(obj: ObjectState) -> tuple[str, ...]:
    """Return the predicates of the registered properties that hold of an object."""
    found = (facts.predicate_of(obj) for facts in registered_facts())
    return tuple(predicate for predicate in found if predicate is not None)


def cost_to_satisfy(part: AtomicComponent, obj: ObjectState, view: PlanningView) -> float:
    """Return roughly how many actions bring an object to all conditions; inf if none can."""
    return sum(
        _condition_cost(name, desired, obj, view)
        for name, desired in part.conditions
        if not compile_property_test(name, desired)(obj, view.snapshot)
    )


def _condition_cost(
    name: str, desired: DesiredValue, obj: ObjectState, view: PlanningView
) -> float:
    if name == "parentReceptacles":
        return _PLACING_COST if view.can_be_taken(obj) else inf
    goal = pddl_goal_of(name, desired)
    cost = None if goal is None else goal.cost_for(obj, view)
    return inf if cost is None else cost
