"""isOpen: an object is opened or closed."""

from tatc.home.actions import Verb
from tatc.home.state import ObjectState
from tatc.planners.properties import (
    NO_NEED,
    PddlGoal,
    PropertyFacts,
    PropertyNeed,
    StartMeans,
    register_property,
)
from tatc.tdl.definition import DesiredValue


def _predicate(obj: ObjectState) -> str | None:
    if not obj.affordances.openable:
        return None
    return "open" if obj.isOpen else "shut"


def _need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    return PropertyNeed(own_interactions=1) if obj.affordances.openable else NO_NEED


register_property(
    PropertyFacts(
        "isOpen",
        goals={True: PddlGoal("open", 2.0, Verb.OPEN), False: PddlGoal("shut", 2.0, Verb.CLOSE)},
        predicate_of=_predicate,
        need_of=_need,
    )
)
