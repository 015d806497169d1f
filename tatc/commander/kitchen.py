"""How things are cooked: plans that several policies share."""

from tatc.commander.draft import Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.skills.heat import HeatIn, HeatOn
from tatc.commander.skills.place import PlaceIn
from tatc.state import ObjectState


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
