"""parentReceptacles: objects are put in place when all else is done to them.

Relations between components ask for it, and both the PDDL planner and the lower bound
read the relations themselves; only the rank is said here.
"""

from tatc.planners.properties import PropertyFacts

FACTS = PropertyFacts("parentReceptacles", rank=4)
