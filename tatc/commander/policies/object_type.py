"""objectType: cut something whole into the slices that are wanted."""

from tatc.commander.candidates import candidate_objects
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.commander.skills.cut import Cut
from tatc.tdl import ProblemKey


@policy("objectType")
def cut_into_slices(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Cut the object; only whole objects that can be cut are candidates."""
    return tuple(
        (Cut(obj.objectId),)
        for obj in candidate_objects(key, known)
        if obj.affordances.sliceable and not obj.isSliced
    )
