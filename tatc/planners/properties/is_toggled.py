"""isToggled: a device is switched on or off."""

from tatc.home.actions import Verb
from tatc.planners.properties import PddlGoal, PropertyFacts, PropertyNeed, two_predicates

FACTS = PropertyFacts(
    "isToggled",
    goals={
        True: PddlGoal("on", 2.0, Verb.TOGGLE_ON),
        False: PddlGoal("off", 2.0, Verb.TOGGLE_OFF),
    },
    predicate_of=two_predicates("isToggled", "toggleable", "on", "off"),
    need_of=lambda means, obj, desired: PropertyNeed(
        own_interactions=int(obj.affordances.toggleable)
    ),
)
