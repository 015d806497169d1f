"""What planners and scores must know of one object property, as one record.

Each file of `tatc.planners.properties` holds the record of one property; its policy, a
file of the same name in `tatc.commander.policies`, is all that there is besides.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from pathlib import Path

from tatc.base.errors import UsageError
from tatc.home.actions import Verb
from tatc.home.state import ObjectState
from tatc.planners.minimum_needs import NO_NEED, PropertyNeed, StartMeans
from tatc.planners.planning_view import PlanningView
from tatc.tdl.definition import DesiredValue

DEFAULT_RANK = 3
"""The rank of a property that nothing must wait for."""


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
    """A wanted value of a property, as a goal in PDDL.

    Attributes:
        predicate: a predicate of `domain.pddl` with the object as its one argument.
        cost: roughly how many actions it takes to bring the goal about.
        verb: the verb that does so on the object itself; None where the object has to be
            taken somewhere.
        means: what the problem must hold for it.
        is_achievable: further says of an object whether the goal can be reached; by default
            the verb must not have been refused, or (without verb) the object must be one
            that can be taken.

    """

    predicate: str
    cost: float
    verb: Verb | None = None
    means: Means | None = None
    is_achievable: Callable[[ObjectState, PlanningView], bool] | None = None

    def cost_for(self, obj: ObjectState, view: PlanningView) -> float | None:
        """Return the cost in actions for an object; None where it cannot be done."""
        if self.is_achievable is not None:
            possible = self.is_achievable(obj, view)
        elif self.verb is not None:
            possible = view.is_allowed(self.verb, obj.objectId)
        else:
            possible = view.can_be_taken(obj)
        return self.cost if possible else None


NeedOfObject = Callable[[StartMeans, ObjectState, DesiredValue], PropertyNeed]
"""What an object needs at least to get the desired value, from a start state."""


@dataclass(frozen=True, slots=True)
class PropertyFacts:
    """All that is known of one property beside its policy.

    Attributes:
        name: the property, as `ObjectState` and task files spell it.
        rank: problem keys are taken up by rank, lowest first: cut (0) before wash (1)
            before cook (2) before fill and switch (3) before put in place (4).
        goals: the PDDL goal of each wanted value, by its truth; a value without goal is
            left to the policy.
        predicate_of: the unary predicate that holds of an object in a state, or None.
        need_of: what an object needs at least to get a desired value that it lacks.
        is_filling: whether to rinse an object for this property is to fill it.

    """

    name: str
    rank: int = DEFAULT_RANK
    goals: Mapping[bool, PddlGoal] = field(default_factory=dict[bool, PddlGoal])
    predicate_of: Callable[[ObjectState], str | None] = lambda obj: None
    need_of: NeedOfObject = lambda means, obj, desired: NO_NEED
    is_filling: bool = False


_FACTS: dict[str, PropertyFacts] = {}
_FOLDER = Path(__file__).parent / "properties"
_left_to_load = ["properties"]
"""Emptied when the shipped facts are loaded: they are built from what asks for facts."""


def _load_shipped_facts() -> None:
    if _left_to_load:
        _left_to_load.clear()
        for path in sorted(_FOLDER.glob("[a-z]*.py")):
            import_module(f"tatc.planners.properties.{path.stem}")


def register_property(facts: PropertyFacts, *, override: bool = False) -> None:
    """Register the facts of a property; with `override` in place of those there are."""
    _load_shipped_facts()
    if facts.name in _FACTS and not override:
        what = f"facts of {facts.name} are registered twice"
        raise UsageError(what, fix="give override=True to replace them")
    _FACTS[facts.name] = facts


def facts_of(name: str) -> PropertyFacts:
    """Return the facts of a property; of an unknown one, that nothing is known."""
    _load_shipped_facts()
    return _FACTS.get(name) or PropertyFacts(name)


@contextmanager
def temporary_properties() -> Generator[None]:
    """Forget at the end which facts were registered in between."""
    _load_shipped_facts()
    before = dict(_FACTS)
    try:
        yield
    finally:
        _FACTS.clear()
        _FACTS.update(before)


def registered_facts() -> tuple[PropertyFacts, ...]:
    """Return the facts of all registered properties, in name order."""
    _load_shipped_facts()
    return tuple(_FACTS[name] for name in sorted(_FACTS))
