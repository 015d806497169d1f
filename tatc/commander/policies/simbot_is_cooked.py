"""simbotIsCooked: heat the object in a microwave, or in a pan on a burner."""

from tatc.commander.candidates import candidate_objects, heating_plans, interleave_plans
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.tdl import ProblemKey


@policy("simbotIsCooked")
def heat(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Use the microwave first: it needs nothing else."""
    return interleave_plans(heating_plans(obj, known) for obj in candidate_objects(key, known))
