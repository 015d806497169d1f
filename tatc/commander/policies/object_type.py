"""objectType: cut something whole into the slices that are wanted."""

from tatc.commander.candidates import candidate_objects
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills.cut import Cut


@policy("objectType")
def cut_into_slices(key: ProblemKey, known: Knowledge) -> Plans:
    """Cut the object; only whole objects that can be cut are candidates."""
    objects = candidate_objects(key, known)
    wholes = (obj for obj in objects if obj.affordances.sliceable and not obj.isSliced)
    return tuple((Cut(obj.objectId),) for obj in wholes)
