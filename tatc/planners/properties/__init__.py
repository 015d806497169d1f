"""The facts of each property that a task can want changed, one file a property.

`tatc.planners.property_facts` loads the files in name order when facts are first asked for.
"""
