"""wasHeated: ALFRED's mark of what was in a running microwave."""

from tatc.planners.property_facts import PropertyFacts, register_property

register_property(PropertyFacts("wasHeated", rank=2))
