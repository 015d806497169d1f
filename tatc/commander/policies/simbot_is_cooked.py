"""simbotIsCooked: heat the object in a microwave, or in a pan on a burner."""

from tatc.commander.candidates import candidate_objects, heating_plans, interleave_plans
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy


@policy("simbotIsCooked")
def heat(key: ProblemKey, known: Knowledge) -> Plans:
    """Use the microwave first: it needs nothing else."""
    return interleave_plans(heating_plans(obj, known) for obj in candidate_objects(key, known))
