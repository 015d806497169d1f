"""isPickedUp: an object in the hand; taken up before what is switched on beside it."""

from tatc.planners.properties import PddlGoal, PropertyFacts

FACTS = PropertyFacts("isPickedUp", rank=2, goals={True: PddlGoal("holding", 3.0)})
