"""wasCooled: ALFRED's mark of what was shut in a fridge."""

from tatc.planners.property_facts import PropertyFacts, register_property

register_property(PropertyFacts("wasCooled", rank=2))
