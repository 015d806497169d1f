"""simbotIsFilledWithCoffee: a clean, empty mug under a coffee machine."""

from tatc.commander.candidates import fetching_cost
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills import appliances, hold
from tatc.home.state import ObjectState


@policy("simbotIsFilledWithCoffee")
def brew_coffee(key: ProblemKey, known: Knowledge) -> Plans:
    """Wash and empty the mug that takes the fewest actions, and brew coffee in it."""
    own = known.snapshot.get(key.object_id)
    if own is None:
        return ()

    def cost(mug: ObjectState) -> float:
        ready = any(p.objectType == "CoffeeMachine" for p in known.view.receptacles_of(mug))
        return fetching_cost(mug, known, empty=True) - 8.0 * ready

    mugs = known.view.find_objects(
        own.objectType, where=lambda m: m.isDirty or not m.simbotIsFilledWithCoffee
    )
    ranked = sorted(mugs, key=lambda m: (cost(m), m.objectId))
    machines = known.view.find_objects("CoffeeMachine")
    pairs = ((mug, machine) for mug in ranked for machine in machines)
    return tuple(plan for pair in pairs for plan in _brewing_plans(*pair, known))


def _brewing_plans(mug: ObjectState, machine: ObjectState, known: Knowledge) -> Plans:
    if mug.isDirty:
        return ((appliances.Rinse(mug.objectId),),)
    if mug.isFilledWithLiquid:
        return ((appliances.Empty(mug.objectId),),)
    others = (t for t in known.view.contents_of(machine) if t.objectId != mug.objectId)
    cleared = (hold.SetAside(other.objectId) for other in others)
    return ((*cleared, appliances.HeatIn(mug.objectId, machine.objectId)),)
