"""wasCleaned: let water run over the object in a sink basin (ALFRED)."""

from tatc.commander.candidates import candidate_objects, interleave_plans
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.commander.skills.water import RinseIn
from tatc.tdl import ProblemKey


@policy("wasCleaned")
def rinse_in_basin(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Use the nearest basin of a sink: a tub does not leave ALFRED's mark."""
    basins = [sink for sink in known.view.watered_sinks() if sink.objectType == "SinkBasin"]
    return interleave_plans(
        tuple((RinseIn(obj.objectId, basin.objectId),) for basin in basins)
        for obj in candidate_objects(key, known)
    )
