"""wasCleaned: ALFRED's mark of what was under running water in a sink."""

from tatc.planners.properties import Means, PddlGoal, PropertyFacts

FACTS = PropertyFacts(
    "wasCleaned",
    rank=1,
    goals={True: PddlGoal("was-cleaned", 14.0, means=Means.SINK_BASINS)},
    predicate_of=lambda obj: "was-cleaned" if obj.wasCleaned else None,
)
