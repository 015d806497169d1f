"""simbotIsBoiled: cook the object in a vessel of water."""

from tatc.commander.candidates import candidates, in_turn
from tatc.commander.draft import Plan
from tatc.commander.kitchen import carry_water, in_vessel
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.commander.skills.heat import HeatIn
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.water import Rinse
from tatc.state import ObjectState
from tatc.tdl import ProblemKey


@policy("simbotIsBoiled")
def boil(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Boil in a pot of water on the stove, or in a bowl of water in a microwave.

    What is cooked already cannot be boiled any more (spec section 2.8), so it is left.
    """
    raw = [t for t in candidates(key, known) if not t.isCooked]
    vessels = known.all("Pot", "Bowl")
    return in_turn(_plans(thing, v, known) for thing in raw for v in vessels)


def _plans(
    thing: ObjectState, vessel: ObjectState, known: Knowledge
) -> tuple[Plan, ...]:
    if not (vessel.isFilledWithLiquid or vessel.simbotIsFilledWithWater):
        return ((Rinse(vessel.objectId),), *carry_water(vessel, known))
    if vessel.objectType == "Pot":
        return in_vessel(thing, vessel, known)
    put = PlaceIn(thing.objectId, vessel.objectId)
    ovens = known.all("Microwave")
    return tuple((put, HeatIn(vessel.objectId, oven.objectId)) for oven in ovens)
