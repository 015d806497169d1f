"""isOpen: open or close the object."""

from tatc.commander.candidates import candidate_objects
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills.appliances import OpenClose


@policy("isOpen")
def open_or_close(key: ProblemKey, known: Knowledge) -> Plans:
    """Open or close the object, or another of its type."""
    is_open = bool(key.desired)
    objects = candidate_objects(key, known)
    return tuple((OpenClose(t.objectId, is_open=is_open),) for t in objects if t.isOpen != is_open)
