"""isFilledWithLiquid: water a plant or fill a vessel; or pour a vessel out."""

from tatc.commander.draft import Plan
from tatc.commander.kitchen import carry_water
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.commander.skills.water import Empty, Rinse
from tatc.tdl import ProblemKey


@policy("isFilledWithLiquid")
def fill(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Bring water to what stands fast; fill what can be carried in a sink."""
    target = known.snapshot.get(key.object_id)
    if target is None:
        return ()
    if not key.desired:
        return ((Empty(key.object_id),),)
    if target.affordances.pickupable:
        return ((Rinse(key.object_id),), *carry_water(target, known))
    return carry_water(target, known)
