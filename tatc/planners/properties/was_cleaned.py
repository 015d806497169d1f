"""wasCleaned: ALFRED's mark of what was under running water in a sink."""

from tatc.planners.property_facts import PropertyFacts, register_property

register_property(PropertyFacts("wasCleaned", rank=1))
