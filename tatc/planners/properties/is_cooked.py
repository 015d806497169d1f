"""isCooked: AI2-THOR's property of food that has been heated."""

from tatc.planners.properties import Means, PddlGoal, PropertyFacts, heating_need, two_predicates

FACTS = PropertyFacts(
    "isCooked",
    rank=2,
    goals={True: PddlGoal("cooked", 12.0, means=Means.COOKING_APPLIANCES)},
    predicate_of=two_predicates("isCooked", "cookable", "cooked", "raw"),
    need_of=heating_need,
)
