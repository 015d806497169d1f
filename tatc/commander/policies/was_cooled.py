"""wasCooled: shut the object in a fridge (ALFRED)."""

from tatc.commander.candidates import candidate_objects, interleave_plans
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.commander.skills.heat import CoolIn
from tatc.home.type_facts import COLD_SOURCE_TYPES
from tatc.tdl import ProblemKey


@policy("wasCooled")
def cool_in_fridge(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Use any fridge, nearest first."""
    fridges = known.view.find_objects(*sorted(COLD_SOURCE_TYPES))
    return interleave_plans(
        tuple((CoolIn(obj.objectId, fridge.objectId),) for fridge in fridges)
        for obj in candidate_objects(key, known)
    )
