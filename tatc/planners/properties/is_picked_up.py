"""isPickedUp: an object in the hand; taken up before what is switched on beside it."""

from tatc.planners.properties import PddlGoal, PropertyFacts, register_property

register_property(PropertyFacts("isPickedUp", rank=2, goals={True: PddlGoal("holding", 3.0)}))
