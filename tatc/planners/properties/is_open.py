"""isOpen: an object is opened or closed."""

from tatc.home.actions import Verb
from tatc.planners.properties import PddlGoal, PropertyFacts, PropertyNeed, two_predicates

FACTS = PropertyFacts(
    "isOpen",
    goals={True: PddlGoal("open", 2.0, Verb.OPEN), False: PddlGoal("shut", 2.0, Verb.CLOSE)},
    predicate_of=two_predicates("isOpen", "openable", "open", "shut"),
    need_of=lambda means, obj, desired: PropertyNeed(
        own_interactions=int(obj.affordances.openable)
    ),
)
