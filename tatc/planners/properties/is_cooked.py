"""isCooked: AI2-THOR's property of food that has been heated."""

from tatc.home.state import ObjectState
from tatc.planners.minimum_needs import heating_need
from tatc.planners.property_facts import Means, PddlGoal, PropertyFacts, register_property


def _predicate(obj: ObjectState) -> str | None:
    if not obj.affordances.cookable:
        return None
    return "cooked" if obj.isCooked else "raw"


register_property(
    PropertyFacts(
        "isCooked",
        rank=2,
        goals={True: PddlGoal("cooked", 12.0, means=Means.COOKING_APPLIANCES)},
        predicate_of=_predicate,
        need_of=heating_need,
    )
)
