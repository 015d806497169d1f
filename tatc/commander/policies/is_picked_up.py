"""isPickedUp: hold the object."""

from tatc.commander.candidates import candidate_objects
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills.hold import Hold


@policy("isPickedUp")
def pick_up(key: ProblemKey, known: Knowledge) -> Plans:
    """Take the object into the hand, or another of its type."""
    return tuple((Hold(obj.objectId),) for obj in candidate_objects(key, known))
