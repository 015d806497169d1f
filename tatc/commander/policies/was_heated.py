"""wasHeated: run a microwave with the object in it (ALFRED)."""

from tatc.commander.candidates import candidate_objects, interleave_plans, microwave_plans
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy


@policy("wasHeated")
def heat_in_microwave(key: ProblemKey, known: Knowledge) -> Plans:
    """Use any microwave: nothing else leaves ALFRED's mark."""
    return interleave_plans(microwave_plans(obj, known) for obj in candidate_objects(key, known))
