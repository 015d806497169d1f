"""simbotIsFilledWithWater: a vessel has held water, which is enough to boil in."""

from tatc.planners.properties import Means, PddlGoal, PropertyFacts

FACTS = PropertyFacts(
    "simbotIsFilledWithWater",
    goals={True: PddlGoal("wet", 12.0, means=Means.SINKS)},
    predicate_of=lambda obj: (
        "wet" if obj.isFilledWithLiquid or obj.simbotIsFilledWithWater else None
    ),
    is_filling=True,
)
