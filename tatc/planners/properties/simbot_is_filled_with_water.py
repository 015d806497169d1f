"""simbotIsFilledWithWater: a vessel has held water, which is enough to boil in."""

from tatc.home.state import ObjectState
from tatc.planners.properties import Means, PddlGoal, PropertyFacts, register_property


def _predicate(obj: ObjectState) -> str | None:
    return "wet" if obj.isFilledWithLiquid or obj.simbotIsFilledWithWater else None


register_property(
    PropertyFacts(
        "simbotIsFilledWithWater",
        goals={True: PddlGoal("wet", 12.0, means=Means.SINKS)},
        predicate_of=_predicate,
        is_filling=True,
    )
)
