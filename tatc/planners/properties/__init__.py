"""The facts of each property that a task can want changed, one file a property.

Importing this package loads its files in name order; `facts_of` finds a property's facts.
"""

from importlib import import_module
from pkgutil import iter_modules

from tatc.planners.property_facts import (
    Means,
    PddlGoal,
    PropertyFacts,
    facts_of,
    register_property,
    registered_facts,
    temporary_properties,
)

__all__ = [
    "Means",
    "PddlGoal",
    "PropertyFacts",
    "facts_of",
    "register_property",
    "registered_facts",
    "temporary_properties",
]

for _module in sorted(module.name for module in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")
