"""What planners and scores must know of each object property that a task can want changed.

`facts` has the records of the properties, and `tatc.commander.policies` their policies.
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from math import inf

from tatc.base.errors import UsageError
from tatc.home import actions, state, type_facts
from tatc.planners.snapshot_view import PlanningView
from tatc.tdl.definition import AtomicComponent, DesiredValue
from tatc.tdl.properties import compile_property_test

AlternativeIds = frozenset[str]  # object ids of which any one will do
DEFAULT_RANK = 3  # the rank of a property that nothing must wait for
_PLACING_COST = 6.0  # actions, roughly, to put an object in or on a receptacle of some kind


@dataclass(frozen=True, slots=True)
class PropertyNeed:
    """What one object needs at least for one property: a relaxation, for lower bounds.

    It may have to get into or onto a `place` (to be washed, into some sink; None where it need not
    move).  `own_interactions` on it can serve nothing else.  `shared_interactions` have a name
    (such as "water", to turn on some faucet) and the ids of what they act on, empty where that
    moves.  If it does not stay in place it counts as moved: nobody need go to it for its own sake.
    """

    place: AlternativeIds | None = None
    own_interactions: int = 0
    shared_interactions: Mapping[str, AlternativeIds] = field(
        default_factory=dict[str, AlternativeIds]
    )
    stays_in_place: bool = True


NO_NEED = PropertyNeed()


class StartMeans:
    """The means that a start state offers: sinks, heaters, knives, water."""

    def __init__(self, start: state.Snapshot) -> None:
        """Look for the means among the objects of a start state."""
        self._start = start
        self.sinks = self.ids_of_types(*type_facts.SINK_TYPES)
        self.faucets = self.ids_of_types("Faucet")
        self.coffee_machines = self.ids_of_types("CoffeeMachine")
        self.heaters = self.ids_of_types(*type_facts.HEAT_SOURCE_TYPES, type_facts.KNOB_TYPE)
        self.knives = self.ids_of_types(*type_facts.KNIFE_TYPES)
        self.has_water = any(
            obj.isFilledWithLiquid or obj.simbotIsFilledWithWater for obj in start.objects
        )

    def ids_of_types(self, *types: str) -> AlternativeIds:
        """Return the ids of all objects of these types."""
        return object_ids(self._start.of_type(*types))

    def switching_on(self, name: str, switches: AlternativeIds) -> dict[str, AlternativeIds]:
        """Return the need to switch one on, under this name; {} where one runs or is hot."""
        found = [obj for obj in map(self._start.get, switches) if obj is not None]
        running = any(obj.isToggled or obj.ObjectTemperature == "Hot" for obj in found)
        return {} if running or not switches else {name: switches}

    def filling(self) -> dict[str, AlternativeIds]:
        """Return the need to fill something, under "fill"; {} where something is full already."""
        return {} if self.has_water else {"fill": self.sinks | self.faucets}

    def portable_vessels(self) -> AlternativeIds:
        """Return the ids of the vessels that can be carried."""
        vessels = (obj for obj in self._start.objects if obj.affordances.canFillWithLiquid)
        return object_ids(obj for obj in vessels if obj.affordances.pickupable)


def object_ids(objects: Iterable[state.ObjectState]) -> AlternativeIds:
    """Return the ids of some objects."""
    return frozenset(obj.objectId for obj in objects)


def two_predicates(
    name: str, affordance: str, if_true: str, if_false: str
) -> Callable[[state.ObjectState], str | None]:
    """Return the function that names the predicate of a property's value; None if not afforded."""

    def predicate_of(obj: state.ObjectState) -> str | None:
        if not getattr(obj.affordances, affordance):
            return None
        return if_true if getattr(obj, name) else if_false

    return predicate_of


class Means(StrEnum):
    """What a PDDL problem must hold for a goal to be reached."""

    SINKS = "sinks"
    WATER_SUPPLY = "water supply"
    COFFEE_MACHINES = "coffee machines"
    COOKING_APPLIANCES = "cooking appliances"
    BOILING_VESSELS = "boiling vessels"
    SINK_BASINS = "sink basins"
    MICROWAVES = "microwaves"
    FRIDGES = "fridges"


@dataclass(frozen=True, slots=True)
class PddlGoal:
    """A wanted value of a property: a predicate of `domain.pddl` with the object as its argument.

    `cost` is in actions, roughly.  `verb` acts on the object itself, None where it is taken
    somewhere; `means` is what the problem must hold.  `is_achievable` replaces the test that the
    verb was not refused, or, without verb, that the object can be taken.
    """

    predicate: str
    cost: float
    verb: actions.Verb | None = None
    means: Means | None = None
    is_achievable: Callable[[state.ObjectState, PlanningView], bool] | None = None

    def cost_for(self, obj: state.ObjectState, view: PlanningView) -> float | None:
        """Return the cost in actions for an object; None where it cannot be done."""
        if self.is_achievable is not None:
            possible = self.is_achievable(obj, view)
        elif self.verb is not None:
            possible = view.is_allowed(self.verb, obj.objectId)
        else:
            possible = view.can_be_taken(obj)
        return self.cost if possible else None


NeedOfObject = Callable[[StartMeans, state.ObjectState, DesiredValue], PropertyNeed]
"""What an object needs at least to get the desired value, from a start state."""


@dataclass(frozen=True, slots=True)
class PropertyFacts:
    """All that is known of one property beside its policy.

    Problem keys are taken up by `rank`, lowest first: cut (0), wash (1), cook (2), fill and switch
    (3), put in place (4).  `goals` maps a wanted value, as true or false, to a PDDL goal; without
    one only the policy plans.  `predicate_of` returns the unary predicate that holds of an object,
    `need_of` what it needs at least for a value that it lacks.  `is_filling` says that to rinse an
    object for this property is to fill it.
    """

    name: str
    rank: int = DEFAULT_RANK
    goals: Mapping[bool, PddlGoal] = field(default_factory=dict[bool, PddlGoal])
    predicate_of: Callable[[state.ObjectState], str | None] = lambda obj: None
    need_of: NeedOfObject = lambda means, obj, desired: NO_NEED
    is_filling: bool = False


@cache
def _facts_by_name() -> dict[str, PropertyFacts]:
    """Return the registered facts; at first those of the package, which need this module."""
    from tatc.planners.properties.facts import FACTS

    return {facts.name: facts for facts in FACTS}


def register_property(facts: PropertyFacts, *, override: bool = False) -> None:
    """Register the facts of a property; to replace others without `override` is a UsageError."""
    if facts.name in _facts_by_name() and not override:
        what = f"facts of {facts.name} are registered twice"
        raise UsageError(what, fix="give override=True to replace them")
    _facts_by_name()[facts.name] = facts


def facts_of(name: str) -> PropertyFacts:
    """Return the facts of a property; an unknown one has the defaults."""
    return _facts_by_name().get(name) or PropertyFacts(name)


@contextmanager
def temporary_properties() -> Generator[None]:
    """Restore the registered facts when the `with` block ends."""
    before = dict(_facts_by_name())
    try:
        yield
    finally:
        _facts_by_name().clear()
        _facts_by_name().update(before)


def registered_facts() -> tuple[PropertyFacts, ...]:
    """Return the facts of all registered properties, in name order."""
    return tuple(facts for _, facts in sorted(_facts_by_name().items()))


def pddl_goal_of(name: str, desired: DesiredValue) -> PddlGoal | None:
    """Return the goal that a property with a desired value becomes, or None."""
    return facts_of(name).goals.get(bool(desired))


def goals_by_predicate() -> dict[str, PddlGoal]:
    """Return the goals of all registered properties by their predicates."""
    return {goal.predicate: goal for facts in registered_facts() for goal in facts.goals.values()}


def unary_predicates_of(obj: state.ObjectState) -> tuple[str, ...]:
    """Return the predicates of the registered properties that hold of an object."""
    found = (facts.predicate_of(obj) for facts in registered_facts())
    return tuple(predicate for predicate in found if predicate is not None)


def cost_to_satisfy(part: AtomicComponent, obj: state.ObjectState, view: PlanningView) -> float:
    """Return roughly how many actions make an object meet all conditions; inf if none can."""
    total = 0.0
    for name, desired in part.conditions:
        if compile_property_test(name, desired)(obj, view.snapshot):
            continue
        if name == "parentReceptacles":
            cost = _PLACING_COST if view.can_be_taken(obj) else None
        else:
            goal = pddl_goal_of(name, desired)
            cost = None if goal is None else goal.cost_for(obj, view)
        total += inf if cost is None else cost
    return total
