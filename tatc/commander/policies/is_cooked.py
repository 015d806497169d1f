"""isCooked: toast bread in a toaster, cook the rest in a pan or a microwave."""

from tatc.commander.candidates import candidates, in_turn
from tatc.commander.draft import Plan
from tatc.commander.kitchen import in_microwave, in_vessel
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.commander.skills.heat import HeatIn
from tatc.state import ObjectState
from tatc.tdl import ProblemKey


@policy("isCooked")
def cook(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Use the appliance that AI2-THOR lets cook this type."""
    return in_turn(_plans(thing, known) for thing in candidates(key, known))


def _plans(thing: ObjectState, known: Knowledge) -> tuple[Plan, ...]:
    if thing.objectType == "BreadSliced":
        toasters = known.all("Toaster")
        return tuple((HeatIn(thing.objectId, t.objectId),) for t in toasters)
    plans = list(in_microwave(thing, known))
    for vessel in known.all("Pan", "Pot"):
        plans += in_vessel(thing, vessel, known)
    return tuple(plans)
