"""isFilledWithLiquid: water a plant or fill a vessel; or pour a vessel out."""

from tatc.commander.candidates import effort
from tatc.commander.draft import Plan, Skill
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.commander.skills.water import Empty, PourOn, Rinse
from tatc.state import ObjectState
from tatc.tdl import ProblemKey


@policy("isFilledWithLiquid")
def fill(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Bring water in the vessel that takes the fewest steps.

    What can itself be carried is filled in a sink.
    """
    target = known.snapshot.get(key.object_id)
    if target is None:
        return ()
    if not key.desired:
        return ((Empty(key.object_id),),)
    if target.affordances.pickupable:
        return ((Rinse(key.object_id),),)
    vessels = known.all(that=_is_vessel)
    ranked = sorted(vessels, key=lambda v: (_cost(v, known), v.objectId))
    return tuple(_bring(vessel, target) for vessel in ranked)


def _is_vessel(thing: ObjectState) -> bool:
    able = thing.affordances
    return able.pickupable and able.canFillWithLiquid


def _cost(vessel: ObjectState, known: Knowledge) -> float:
    to_fill = 0.0 if vessel.isFilledWithLiquid else 15.0
    return effort(vessel, known) + to_fill - 14.0 * vessel.isDirty


def _bring(vessel: ObjectState, target: ObjectState) -> Plan:
    pour: Skill = PourOn(vessel.objectId, target.objectId)
    if vessel.isFilledWithLiquid:
        return (pour,)
    return Rinse(vessel.objectId), pour
