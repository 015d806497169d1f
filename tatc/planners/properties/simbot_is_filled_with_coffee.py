"""simbotIsFilledWithCoffee: an empty mug is filled in a coffee machine."""

from tatc.planners.properties import Means, PddlGoal, PropertyFacts, PropertyNeed

FACTS = PropertyFacts(
    "simbotIsFilledWithCoffee",
    goals={True: PddlGoal("coffee", 12.0, means=Means.COFFEE_MACHINES)},
    predicate_of=lambda obj: "coffee" if obj.simbotIsFilledWithCoffee else None,
    need_of=lambda means, obj, desired: PropertyNeed(
        means.coffee_machines,
        shared_interactions=means.switching_on("coffee", means.coffee_machines),
    ),
    is_filling=True,
)
