"""wasCooled: shut the object in a fridge (ALFRED)."""

from tatc.commander.candidates import candidate_objects, interleave_plans
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills.appliances import CoolIn
from tatc.home.type_facts import COLD_SOURCE_TYPES


@policy("wasCooled")
def cool_in_fridge(key: ProblemKey, known: Knowledge) -> Plans:
    """Use any fridge, nearest first."""
    fridges = known.view.find_objects(*sorted(COLD_SOURCE_TYPES))
    return interleave_plans(
        tuple((CoolIn(obj.objectId, fridge.objectId),) for fridge in fridges)
        for obj in candidate_objects(key, known)
    )
