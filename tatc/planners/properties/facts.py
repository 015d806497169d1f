"""The facts of the properties that tatc's own tasks want changed, in name order."""

from dataclasses import replace

from tatc.home import type_facts
from tatc.home.actions import Verb
from tatc.home.state import ObjectState
from tatc.planners import properties, snapshot_view
from tatc.planners.properties import Means, PddlGoal, PropertyFacts, PropertyNeed, StartMeans
from tatc.tdl.definition import DesiredValue


def _can_be_filled(obj: ObjectState, view: snapshot_view.PlanningView) -> bool:
    return not obj.affordances.pickupable or view.can_be_taken(obj)


def _can_be_boiled(obj: ObjectState, view: snapshot_view.PlanningView) -> bool:
    # Only what becomes cooked now gets boiled (spec section 2.8).
    return not obj.isCooked and view.can_be_taken(obj)


def _washing_need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    if desired:
        return properties.NO_NEED
    return PropertyNeed(means.sinks, shared_interactions=means.switching_on("water", means.faucets))


def _watering_need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    if not desired or obj.affordances.pickupable:
        return properties.NO_NEED
    pouring = {"pour": frozenset[str](), "vessel": means.portable_vessels()}
    return PropertyNeed(shared_interactions=pouring | means.filling(), stays_in_place=False)


def _cutting_need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    cutting: dict[str, properties.AlternativeIds] = {f"cut {obj.objectType}": frozenset()}
    if obj.objectType not in type_facts.CRACKED_TYPE_BY_WHOLE and means.knives:
        cutting["knife"] = means.knives
    return PropertyNeed(shared_interactions=cutting, stays_in_place=False)


def _heating_need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    """Return the need of an object that has to get hot: to be at a heater that runs."""
    heat = means.switching_on("heat", means.heaters)
    return PropertyNeed(means.heaters, shared_interactions=heat)


def _boiling_need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    heating = _heating_need(means, obj, desired)
    return replace(heating, shared_interactions={**heating.shared_interactions, **means.filling()})


def _facts_of_mark(
    name: str,
    rank: int,
    goal: PddlGoal,
    need_of: properties.NeedOfObject = lambda means, obj, desired: properties.NO_NEED,
) -> PropertyFacts:
    """Return the facts of a property that stays once it is true, as its goal's predicate does."""

    def predicate_of(obj: ObjectState) -> str | None:
        return goal.predicate if getattr(obj, name) else None

    return PropertyFacts(name, rank, {True: goal}, predicate_of, need_of)


FACTS = (
    # AI2-THOR's property of food that has been heated.
    PropertyFacts(
        "isCooked",
        rank=2,
        goals={True: PddlGoal("cooked", 12.0, means=Means.COOKING_APPLIANCES)},
        predicate_of=properties.two_predicates("isCooked", "cookable", "cooked", "raw"),
        need_of=_heating_need,
    ),
    PropertyFacts(
        "isDirty",
        rank=1,
        goals={False: PddlGoal("clean", 14.0, means=Means.SINKS)},
        predicate_of=lambda obj: "dirty" if obj.isDirty else "clean",
        need_of=_washing_need,
    ),
    # A vessel is filled in a sink; a fixed object is watered from a vessel.
    PropertyFacts(
        "isFilledWithLiquid",
        goals={
            True: PddlGoal("full", 15.0, means=Means.WATER_SUPPLY, is_achievable=_can_be_filled),
            False: PddlGoal("empty", 9.0, means=Means.SINKS),
        },
        predicate_of=properties.two_predicates(
            "isFilledWithLiquid", "canFillWithLiquid", "full", "empty"
        ),
        need_of=_watering_need,
        is_filling=True,
    ),
    PropertyFacts(
        "isOpen",
        goals={True: PddlGoal("open", 2.0, Verb.OPEN), False: PddlGoal("shut", 2.0, Verb.CLOSE)},
        predicate_of=properties.two_predicates("isOpen", "openable", "open", "shut"),
        need_of=lambda means, obj, desired: PropertyNeed(
            own_interactions=int(obj.affordances.openable)
        ),
    ),
    # Its keys come before those of devices to switch.
    PropertyFacts("isPickedUp", rank=2, goals={True: PddlGoal("holding", 3.0)}),
    PropertyFacts(
        "isToggled",
        goals={
            True: PddlGoal("on", 2.0, Verb.TOGGLE_ON),
            False: PddlGoal("off", 2.0, Verb.TOGGLE_OFF),
        },
        predicate_of=properties.two_predicates("isToggled", "toggleable", "on", "off"),
        need_of=lambda means, obj, desired: PropertyNeed(
            own_interactions=int(obj.affordances.toggleable)
        ),
    ),
    # A whole is cut into slices, which the PDDL planner makes without a goal.
    PropertyFacts("objectType", rank=0, need_of=_cutting_need),
    # Only a rank: planners and the lower bound read the task's relations.
    PropertyFacts("parentReceptacles", rank=4),
    # Food is cooked in a vessel that has held water (spec section 2.8).
    _facts_of_mark(
        "simbotIsBoiled",
        2,
        PddlGoal("boiled", 25.0, means=Means.BOILING_VESSELS, is_achievable=_can_be_boiled),
        _boiling_need,
    ),
    # TEACh's property of any object that has been heated.
    _facts_of_mark(
        "simbotIsCooked",
        2,
        PddlGoal("heated", 12.0, means=Means.COOKING_APPLIANCES),
        _heating_need,
    ),
    PropertyFacts(
        "simbotIsFilledWithCoffee",
        goals={True: PddlGoal("coffee", 12.0, means=Means.COFFEE_MACHINES)},
        predicate_of=lambda obj: "coffee" if obj.simbotIsFilledWithCoffee else None,
        need_of=lambda means, obj, desired: PropertyNeed(
            means.coffee_machines,
            shared_interactions=means.switching_on("coffee", means.coffee_machines),
        ),
        is_filling=True,
    ),
    # A vessel has held water, which is enough to boil in.
    PropertyFacts(
        "simbotIsFilledWithWater",
        goals={True: PddlGoal("wet", 12.0, means=Means.SINKS)},
        predicate_of=lambda obj: (
            "wet" if obj.isFilledWithLiquid or obj.simbotIsFilledWithWater else None
        ),
        is_filling=True,
    ),
    # ALFRED's: it was under running water in a sink, in a shut fridge, in a running microwave.
    _facts_of_mark("wasCleaned", 1, PddlGoal("was-cleaned", 14.0, means=Means.SINK_BASINS)),
    _facts_of_mark("wasCooled", 2, PddlGoal("was-cooled", 12.0, means=Means.FRIDGES)),
    _facts_of_mark("wasHeated", 2, PddlGoal("was-heated", 12.0, means=Means.MICROWAVES)),
)
