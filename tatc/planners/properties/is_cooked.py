"""isCooked: AI2-THOR's property of food that has been heated."""

from tatc.home.state import ObjectState
from tatc.planners.properties import (
    Means,
    PddlGoal,
    PropertyFacts,
    heating_need,
    register_property,
)


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
