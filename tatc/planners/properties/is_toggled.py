"""isToggled: a device is switched on or off."""

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
    if not obj.affordances.toggleable:
        return None
    return "on" if obj.isToggled else "off"


def _need(means: StartMeans, obj: ObjectState, desired: DesiredValue) -> PropertyNeed:
    return PropertyNeed(own_interactions=1) if obj.affordances.toggleable else NO_NEED


register_property(
    PropertyFacts(
        "isToggled",
        goals={
            True: PddlGoal("on", 2.0, Verb.TOGGLE_ON),
            False: PddlGoal("off", 2.0, Verb.TOGGLE_OFF),
        },
        predicate_of=_predicate,
        need_of=_need,
    )
)
