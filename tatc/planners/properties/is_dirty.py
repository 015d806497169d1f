"""isDirty: an object gets clean under running water."""

from tatc.home.state import ObjectState
from tatc.planners.properties import (
    NO_NEED,
    Means,
    PddlGoal,
    PropertyFacts,
    PropertyNeed,
    StartMeans,
)
from tatc.tdl.definition import DesiredValue


def _need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    if desired:
        return NO_NEED
    water = means.switching_on("water", means.faucets)
    return PropertyNeed(means.sinks, shared_interactions=water)


FACTS = PropertyFacts(
    "isDirty",
    rank=1,
    goals={False: PddlGoal("clean", 14.0, means=Means.SINKS)},
    predicate_of=lambda obj: "dirty" if obj.isDirty else "clean",
    need_of=_need,
)
