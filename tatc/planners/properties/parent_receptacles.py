"""parentReceptacles: only a rank; planners and the lower bound read the task's relations."""

from tatc.planners.properties import PropertyFacts

FACTS = PropertyFacts("parentReceptacles", rank=4)
