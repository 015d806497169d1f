"""simbotIsFilledWithCoffee: an empty mug is filled in a coffee machine."""

from tatc.home.state import ObjectState
from tatc.planners.properties import (
    Means,
    PddlGoal,
    PropertyFacts,
    PropertyNeed,
    StartMeans,
    register_property,
)
from tatc.tdl.definition import DesiredValue


def _need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    machines = means.coffee_machines
    return PropertyNeed(machines, shared_interactions=means.switching_on("coffee", machines))


register_property(
    PropertyFacts(
        "simbotIsFilledWithCoffee",
        goals={True: PddlGoal("coffee", 12.0, means=Means.COFFEE_MACHINES)},
        predicate_of=lambda obj: "coffee" if obj.simbotIsFilledWithCoffee else None,
        need_of=_need,
        is_filling=True,
    )
)
