"""simbotIsBoiled: cook the object in a vessel of water."""

from tatc.commander import candidates
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills.appliances import PourOn, Rinse
from tatc.commander.skills.hold import PlaceIn
from tatc.home import actions, state, type_facts


@policy("simbotIsBoiled")
def boil(key: ProblemKey, known: Knowledge) -> Plans:
    """Boil raw food in a pot of water on the stove, or in a bowl in a microwave (spec 2.8)."""
    raw = [t for t in candidates.candidate_objects(key, known) if not t.isCooked]
    return candidates.interleave_plans(
        _boiling_plans(obj, vessel, known)
        for obj in raw
        for vessel in candidates.vessels_for(obj, known, type_facts.BOILING_VESSEL_TYPES)
    )


def _watering_plans_for(vessel: state.ObjectState, known: Knowledge) -> Plans:
    """Return plans that bring water to a vessel, but not from one in which food can be boiled."""
    others = known.view.find_objects(*type_facts.BOILING_VESSEL_TYPES)
    full = {other.objectId for other in others if other.isFilledWithLiquid}
    plans = candidates.watering_plans(vessel, known)
    return tuple(p for p in plans if not (isinstance(p[0], PourOn) and p[0].vessel_id in full))


def _boiling_plans(obj: state.ObjectState, vessel: state.ObjectState, known: Knowledge) -> Plans:
    if not (vessel.isFilledWithLiquid or vessel.simbotIsFilledWithWater):
        return ((Rinse(vessel.objectId),), *_watering_plans_for(vessel, known))
    if vessel.objectType == "Pot":
        return candidates.burner_plans(obj, vessel, known)
    put = PlaceIn(obj.objectId, vessel.objectId)
    if known.is_ruled_out_everywhere(actions.Verb.PLACE, "Microwave", vessel):
        # No food is moved to a vessel that no microwave takes; where it is in one, try once more.
        own = vessel.objectId in (t.objectId for t in known.view.receptacles_of(obj))
        return candidates.microwave_plans(vessel, known) if own else ()
    return tuple((put, *heat) for heat in candidates.microwave_plans(vessel, known))
