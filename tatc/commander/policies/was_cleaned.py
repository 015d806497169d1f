"""wasCleaned: let water run over the object in a sink basin (ALFRED)."""

from tatc.commander.candidates import candidate_objects, interleave_plans
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills.appliances import RinseIn


@policy("wasCleaned")
def rinse_in_basin(key: ProblemKey, known: Knowledge) -> Plans:
    """Use the nearest basin of a sink: a tub does not leave ALFRED's mark."""
    basins = [sink for sink in known.view.watered_sinks() if sink.objectType == "SinkBasin"]
    return interleave_plans(
        tuple((RinseIn(obj.objectId, basin.objectId),) for basin in basins)
        for obj in candidate_objects(key, known)
    )
