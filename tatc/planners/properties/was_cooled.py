"""wasCooled: ALFRED's mark of what was shut in a fridge."""

from tatc.planners.properties import Means, PddlGoal, PropertyFacts

FACTS = PropertyFacts(
    "wasCooled",
    rank=2,
    goals={True: PddlGoal("was-cooled", 12.0, means=Means.FRIDGES)},
    predicate_of=lambda obj: "was-cooled" if obj.wasCooled else None,
)
