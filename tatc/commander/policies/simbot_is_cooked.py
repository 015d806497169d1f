"""simbotIsCooked: heat the object in a microwave, or in a pan on a burner."""

from tatc.commander.candidates import candidates, in_turn
from tatc.commander.draft import Plan
from tatc.commander.kitchen import in_microwave, in_vessel
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.state import ObjectState
from tatc.tdl import ProblemKey


@policy("simbotIsCooked")
def cook(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Use the microwave first: it needs nothing else."""
    return in_turn(_plans(thing, known) for thing in candidates(key, known))


def _plans(thing: ObjectState, known: Knowledge) -> tuple[Plan, ...]:
    plans = list(in_microwave(thing, known))
    for vessel in known.all("Pan", "Pot"):
        plans += in_vessel(thing, vessel, known)
    return tuple(plans)
