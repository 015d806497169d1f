"""isCooked: toast bread in a toaster, cook the rest in a pan or a microwave."""

from tatc.commander.candidates import candidate_objects, cooking_plans, interleave_plans
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy


@policy("isCooked")
def cook(key: ProblemKey, known: Knowledge) -> Plans:
    """Use the appliance that AI2-THOR lets cook this type."""
    return interleave_plans(cooking_plans(obj, known) for obj in candidate_objects(key, known))
