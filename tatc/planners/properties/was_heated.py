"""wasHeated: ALFRED's mark of what was in a running microwave."""

from tatc.planners.properties import Means, PddlGoal, PropertyFacts

FACTS = PropertyFacts(
    "wasHeated",
    rank=2,
    goals={True: PddlGoal("was-heated", 12.0, means=Means.MICROWAVES)},
    predicate_of=lambda obj: "was-heated" if obj.wasHeated else None,
)
