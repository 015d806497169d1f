"""Plans to cook and to water that several policies share."""

from itertools import chain

from tatc.commander.candidates import fetching_cost
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.skills.heat import HeatIn, HeatOn
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.water import PourOn, Rinse
from tatc.home.state import ObjectState
from tatc.home.type_facts import BURNER_TYPE, COOKING_VESSEL_TYPES, TOASTED_TYPES

_FILLING_COST = 15.0  # actions that filling a vessel takes, roughly


def microwave_plans(obj: ObjectState, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Return a plan for each microwave, nearest first."""
    ovens = known.view.find_objects("Microwave")
    return tuple((HeatIn(obj.objectId, oven.objectId),) for oven in ovens)


def burner_plans(obj: ObjectState, vessel: ObjectState, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Return plans that heat an object in this pot or pan, one for each usable burner."""
    return tuple(
        (PlaceIn(obj.objectId, vessel.objectId), HeatOn(vessel.objectId, burner.objectId))
        for burner in usable_burners(vessel, known)
    )


def heating_plans(obj: ObjectState, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Return plans that heat an object: in a microwave first, which needs nothing else."""
    vessels = vessels_for(obj, known, COOKING_VESSEL_TYPES)
    on_burners = chain.from_iterable(burner_plans(obj, vessel, known) for vessel in vessels)
    return (*microwave_plans(obj, known), *on_burners)


def cooking_plans(obj: ObjectState, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Return plans that cook an object: bread in a toaster, anything else as it is heated."""
    if obj.objectType in TOASTED_TYPES:
        toasters = known.view.find_objects("Toaster")
        return tuple((HeatIn(obj.objectId, t.objectId),) for t in toasters)
    return heating_plans(obj, known)


def vessels_for(
    obj: ObjectState, known: Knowledge, types: tuple[str, ...]
) -> tuple[ObjectState, ...]:
    """Return the vessels of some types, nearest first, but before all that which holds an object.

    So food does not wander from one vessel to another.
    """
    own = [vessel.objectId for vessel in known.view.receptacles_of(obj)]
    vessels = known.view.find_objects(*types)
    return tuple(sorted(vessels, key=lambda vessel: vessel.objectId not in own))


def usable_burners(vessel: ObjectState, known: Knowledge) -> tuple[ObjectState, ...]:
    """Return the burners under a vessel, or else the free ones, nearest first."""
    own = [p for p in known.view.receptacles_of(vessel) if p.objectType == BURNER_TYPE]
    if own:
        return tuple(own)
    return known.view.find_objects(BURNER_TYPE, where=lambda b: not known.view.contents_of(b))


def watering_plans(target: ObjectState, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Return plans that bring water to an object, the cheapest vessel first."""
    vessels = known.view.find_objects(where=lambda v: _is_portable_vessel(v) and v is not target)
    ranked = sorted(vessels, key=lambda v: (_watering_cost(v, known), v.objectId))
    return tuple(_watering_plan(vessel, target) for vessel in ranked)


def _is_portable_vessel(obj: ObjectState) -> bool:
    able = obj.affordances
    return able.pickupable and able.canFillWithLiquid


def _watering_cost(vessel: ObjectState, known: Knowledge) -> float:
    filling = 0.0 if vessel.isFilledWithLiquid else _FILLING_COST
    return fetching_cost(vessel, known, clean=False) + filling


def _watering_plan(vessel: ObjectState, target: ObjectState) -> SkillPlan:
    pour = PourOn(vessel.objectId, target.objectId)
    if vessel.isFilledWithLiquid:
        return (pour,)
    return Rinse(vessel.objectId), pour
