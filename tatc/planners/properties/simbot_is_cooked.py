"""simbotIsCooked: TEACh's property of any object that has been heated."""

from tatc.planners.properties import Means, PddlGoal, PropertyFacts, heating_need

FACTS = PropertyFacts(
    "simbotIsCooked",
    rank=2,
    goals={True: PddlGoal("heated", 12.0, means=Means.COOKING_APPLIANCES)},
    predicate_of=lambda obj: "heated" if obj.simbotIsCooked else None,
    need_of=heating_need,
)
