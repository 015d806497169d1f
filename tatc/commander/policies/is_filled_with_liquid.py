"""isFilledWithLiquid: water a plant or fill a vessel; or pour a vessel out."""

from tatc.commander.candidates import watering_plans
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.commander.skills.water import Empty, Rinse
from tatc.tdl import ProblemKey


@policy("isFilledWithLiquid")
def fill_or_empty(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Bring water to a fixed object; fill a portable one in a sink, or pour it out."""
    target = known.snapshot.get(key.object_id)
    if target is None:
        return ()
    if not key.desired:
        return ((Empty(key.object_id),),)
    if target.affordances.pickupable:
        return ((Rinse(key.object_id),), *watering_plans(target, known))
    return watering_plans(target, known)
