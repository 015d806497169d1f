"""isPickedUp: hold the object."""

from tatc.commander.candidates import candidate_objects
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.commander.skills.hold import Hold
from tatc.tdl import ProblemKey


@policy("isPickedUp")
def pick_up(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Take the object into the hand, or another of its type."""
    return tuple((Hold(obj.objectId),) for obj in candidate_objects(key, known))
