"""simbotIsCooked: heat the object in a microwave, or in a pan on a burner."""

from tatc.commander.candidates import candidate_objects, interleave_plans
from tatc.commander.cooking_plans import burner_plans, microwave_plans
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.state import ObjectState
from tatc.tdl import ProblemKey
from tatc.thor_types.facts import COOKING_VESSEL_TYPES


@policy("simbotIsCooked")
def heat(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Use the microwave first: it needs nothing else."""
    return interleave_plans(_heating_plans(obj, known) for obj in candidate_objects(key, known))


def _heating_plans(obj: ObjectState, known: Knowledge) -> tuple[SkillPlan, ...]:
    plans = list(microwave_plans(obj, known))
    for vessel in known.view.find_objects(*COOKING_VESSEL_TYPES):
        plans += burner_plans(obj, vessel, known)
    return tuple(plans)
