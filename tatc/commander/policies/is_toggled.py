"""isToggled: switch the object."""

from tatc.commander.candidates import candidate_objects
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills.appliances import Switch


@policy("isToggled")
def switch_on_or_off(key: ProblemKey, known: Knowledge) -> Plans:
    """Switch the object on or off, or another of its type."""
    on = bool(key.desired)
    objects = candidate_objects(key, known)
    return tuple((Switch(t.objectId, on=on),) for t in objects if t.isToggled != on)
