"""simbotIsBoiled: food is cooked in a vessel that has held water (spec section 2.8)."""

from dataclasses import replace

from tatc.home.state import ObjectState
from tatc.planners.properties import (
    Means,
    PddlGoal,
    PropertyFacts,
    PropertyNeed,
    StartMeans,
    heating_need,
)
from tatc.planners.snapshot_view import PlanningView
from tatc.tdl.definition import DesiredValue


def _can_be_boiled(obj: ObjectState, view: PlanningView) -> bool:
    # Only what becomes cooked now gets boiled (spec section 2.8).
    return not obj.isCooked and view.can_be_taken(obj)


def _need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    heating = heating_need(means, obj, desired)
    interactions = {**heating.shared_interactions, **means.filling()}
    return replace(heating, shared_interactions=interactions)


FACTS = PropertyFacts(
    "simbotIsBoiled",
    rank=2,
    goals={
        True: PddlGoal("boiled", 25.0, means=Means.BOILING_VESSELS, is_achievable=_can_be_boiled)
    },
    predicate_of=lambda obj: "boiled" if obj.simbotIsBoiled else None,
    need_of=_need,
)
