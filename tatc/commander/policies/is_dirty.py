"""isDirty: rinse the object in a sink."""

from tatc.commander.candidates import candidate_objects
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills.appliances import Rinse


@policy("isDirty")
def clean(key: ProblemKey, known: Knowledge) -> Plans:
    """Rinse the object, or another of its type."""
    return tuple((Rinse(obj.objectId),) for obj in candidate_objects(key, known) if obj.isDirty)
