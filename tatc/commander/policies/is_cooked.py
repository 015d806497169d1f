"""isCooked: toast bread in a toaster, cook the rest in a pan or a microwave."""

from tatc.commander.candidates import candidate_objects, interleave_plans
from tatc.commander.cooking_plans import heating_plans
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.commander.skills.heat import HeatIn
from tatc.state import ObjectState
from tatc.tdl import ProblemKey
from tatc.thor_types.facts import TOASTED_TYPES


@policy("isCooked")
def cook(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Use the appliance that AI2-THOR lets cook this type."""
    return interleave_plans(_cooking_plans(obj, known) for obj in candidate_objects(key, known))


def _cooking_plans(obj: ObjectState, known: Knowledge) -> tuple[SkillPlan, ...]:
    if obj.objectType in TOASTED_TYPES:
        toasters = known.view.find_objects("Toaster")
        return tuple((HeatIn(obj.objectId, t.objectId),) for t in toasters)
    return heating_plans(obj, known)
