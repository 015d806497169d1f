"""isPickedUp: an object in the hand; its keys come before those of devices to switch."""

from tatc.planners.properties import PddlGoal, PropertyFacts

FACTS = PropertyFacts("isPickedUp", rank=2, goals={True: PddlGoal("holding", 3.0)})
