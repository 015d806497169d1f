"""isFilledWithLiquid: a vessel is filled in a sink; a fixed object is watered from a vessel."""

from tatc.home.state import ObjectState
from tatc.planners.properties import (
    NO_NEED,
    Means,
    PddlGoal,
    PropertyFacts,
    PropertyNeed,
    StartMeans,
    two_predicates,
)
from tatc.planners.snapshot_view import PlanningView
from tatc.tdl.definition import DesiredValue


def _can_be_filled(obj: ObjectState, view: PlanningView) -> bool:
    return not obj.affordances.pickupable or view.can_be_taken(obj)


def _need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    if not desired or obj.affordances.pickupable:
        return NO_NEED
    pouring = {"pour": frozenset[str](), "vessel": means.portable_vessels()}
    return PropertyNeed(shared_interactions=pouring | means.filling(), stays_in_place=False)


FACTS = PropertyFacts(
    "isFilledWithLiquid",
    goals={
        True: PddlGoal("full", 15.0, means=Means.WATER_SUPPLY, is_achievable=_can_be_filled),
        False: PddlGoal("empty", 9.0, means=Means.SINKS),
    },
    predicate_of=two_predicates("isFilledWithLiquid", "canFillWithLiquid", "full", "empty"),
    need_of=_need,
    is_filling=True,
)
