"""isFilledWithLiquid: water a plant or fill a vessel; or pour a vessel out."""

from tatc.commander.candidates import watering_plans
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills.appliances import Empty, Rinse


@policy("isFilledWithLiquid")
def fill_or_empty(key: ProblemKey, known: Knowledge) -> Plans:
    """Bring water to a fixed object; fill a portable one in a sink, or pour it out."""
    target = known.snapshot.get(key.object_id)
    if target is None:
        return ()
    if not key.desired:
        return ((Empty(key.object_id),),)
    if target.affordances.pickupable:
        return ((Rinse(key.object_id),), *watering_plans(target, known))
    return watering_plans(target, known)
