"""simbotIsFilledWithCoffee: a clean, empty mug under a coffee machine."""

from tatc.commander.candidates import effort
from tatc.commander.draft import Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.commander.skills.heat import HeatIn
from tatc.commander.skills.hold import SetAside
from tatc.commander.skills.water import Empty, Rinse
from tatc.state import ObjectState
from tatc.tdl import ProblemKey


@policy("simbotIsFilledWithCoffee")
def brew(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Wash and empty the mug that takes the fewest steps, and brew into it."""
    own = known.snapshot.get(key.object_id)
    if own is None:
        return ()
    mugs = known.all(own.objectType, that=lambda m: not _is_served(m))
    ranked = sorted(mugs, key=lambda m: (_cost(m, known), m.objectId))
    return tuple(
        plan
        for mug in ranked
        for machine in known.all("CoffeeMachine")
        for plan in _at(mug, machine, known)
    )


def _is_served(mug: ObjectState) -> bool:
    return bool(mug.simbotIsFilledWithCoffee) and not mug.isDirty


def _cost(mug: ObjectState, known: Knowledge) -> float:
    ready = any(p.objectType == "CoffeeMachine" for p in known.parents(mug))
    return effort(mug, known, empty=True) - 8.0 * ready


def _at(mug: ObjectState, machine: ObjectState, known: Knowledge) -> tuple[Plan, ...]:
    if mug.isDirty:
        return ((Rinse(mug.objectId),),)
    if mug.isFilledWithLiquid:
        return ((Empty(mug.objectId),),)
    others = (t for t in known.contents(machine) if t.objectId != mug.objectId)
    cleared = (SetAside(other.objectId) for other in others)
    return ((*cleared, HeatIn(mug.objectId, machine.objectId)),)
