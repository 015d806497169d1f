"""How things are cooked and watered: plans that several policies share."""

from tatc.commander.candidates import effort
from tatc.commander.draft import Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.skills.heat import HeatIn, HeatOn
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.water import PourOn, Rinse
from tatc.state import ObjectState

_FILLING = 15.0  # actions that filling a vessel takes, roughly


def in_microwave(thing: ObjectState, known: Knowledge) -> tuple[Plan, ...]:
    """Return a plan for each microwave, nearest first."""
    ovens = known.all("Microwave")
    return tuple((HeatIn(thing.objectId, oven.objectId),) for oven in ovens)


def in_vessel(
    thing: ObjectState, vessel: ObjectState, known: Knowledge
) -> tuple[Plan, ...]:
    """Return plans that heat a thing in this pot or pan on a burner.

    The burner under the vessel comes first, then free ones, nearest first.
    """
    return tuple(
        (
            PlaceIn(thing.objectId, vessel.objectId),
            HeatOn(vessel.objectId, burner.objectId),
        )
        for burner in burners(vessel, known)
    )


def burners(vessel: ObjectState, known: Knowledge) -> tuple[ObjectState, ...]:
    """Return the burners a vessel could stand on: its own, else the free ones."""
    own = [p for p in known.parents(vessel) if p.objectType == "StoveBurner"]
    if own:
        return tuple(own)
    return known.all("StoveBurner", that=lambda b: not known.contents(b))


def carry_water(target: ObjectState, known: Knowledge) -> tuple[Plan, ...]:
    """Return plans that bring water to a thing, by the vessel of fewest steps first."""
    vessels = known.all(that=lambda v: _is_vessel(v) and v is not target)
    ranked = sorted(vessels, key=lambda v: (_carrying(v, known), v.objectId))
    return tuple(_bring(vessel, target) for vessel in ranked)


def _is_vessel(thing: ObjectState) -> bool:
    able = thing.affordances
    return able.pickupable and able.canFillWithLiquid


def _carrying(vessel: ObjectState, known: Knowledge) -> float:
    return effort(vessel, known, clean=False) + _FILLING * (
        not vessel.isFilledWithLiquid
    )


def _bring(vessel: ObjectState, target: ObjectState) -> Plan:
    pour = PourOn(vessel.objectId, target.objectId)
    if vessel.isFilledWithLiquid:
        return (pour,)
    return Rinse(vessel.objectId), pour
