"""isDirty: rinse the object in a sink."""

from tatc.commander.candidates import candidate_objects
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.commander.skills.water import Rinse
from tatc.tdl import ProblemKey


@policy("isDirty")
def clean(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Rinse the object, or another of its type."""
    return tuple((Rinse(obj.objectId),) for obj in candidate_objects(key, known) if obj.isDirty)
