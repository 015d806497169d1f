"""parentReceptacles: the rank alone; planners and the lower bound read the relations."""

from tatc.planners.properties import PropertyFacts

FACTS = PropertyFacts("parentReceptacles", rank=4)
