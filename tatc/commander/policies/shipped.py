"""The policies of the properties that tatc's own tasks want changed, in name order."""

from tatc.commander import candidates
from tatc.commander.candidates import candidate_objects, interleave_plans
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills import appliances, cut, hold
from tatc.home import actions, type_facts
from tatc.home.state import ObjectState


@policy("isCooked")
def cook(key: ProblemKey, known: Knowledge) -> Plans:
    """Use the appliance that AI2-THOR lets cook this type."""
    return interleave_plans(
        candidates.cooking_plans(obj, known) for obj in candidate_objects(key, known)
    )


@policy("isDirty")
def clean(key: ProblemKey, known: Knowledge) -> Plans:
    """Rinse the object, or another of its type."""
    return tuple(
        (appliances.Rinse(obj.objectId),) for obj in candidate_objects(key, known) if obj.isDirty
    )


@policy("isFilledWithLiquid")
def fill_or_empty(key: ProblemKey, known: Knowledge) -> Plans:
    """Bring water to a fixed object; fill a portable one in a sink, or pour it out."""
    target = known.snapshot.get(key.object_id)
    if target is None:
        return ()
    if not key.desired:
        return ((appliances.Empty(key.object_id),),)
    if target.affordances.pickupable:
        return ((appliances.Rinse(key.object_id),), *candidates.watering_plans(target, known))
    return candidates.watering_plans(target, known)


@policy("isOpen")
def open_or_close(key: ProblemKey, known: Knowledge) -> Plans:
    """Open or close the object, or another of its type."""
    is_open = bool(key.desired)
    objects = candidate_objects(key, known)
    return tuple(
        (appliances.OpenClose(t.objectId, is_open=is_open),) for t in objects if t.isOpen != is_open
    )


@policy("isPickedUp")
def pick_up(key: ProblemKey, known: Knowledge) -> Plans:
    """Take the object into the hand, or another of its type."""
    return tuple((hold.Hold(obj.objectId),) for obj in candidate_objects(key, known))


@policy("isToggled")
def switch_on_or_off(key: ProblemKey, known: Knowledge) -> Plans:
    """Switch the object on or off, or another of its type."""
    on = bool(key.desired)
    objects = candidate_objects(key, known)
    return tuple((appliances.Switch(t.objectId, on=on),) for t in objects if t.isToggled != on)


@policy("objectType")
def cut_into_slices(key: ProblemKey, known: Knowledge) -> Plans:
    """Cut the object; only whole objects that can be cut are candidates."""
    objects = candidate_objects(key, known)
    wholes = (obj for obj in objects if obj.affordances.sliceable and not obj.isSliced)
    return tuple((cut.Cut(obj.objectId),) for obj in wholes)


@policy("parentReceptacles")
def put_in_receptacle(key: ProblemKey, known: Knowledge) -> Plans:
    """Take the object to a receptacle: clean first, then with most objects of its type, then near.

    Where a cooked piece is wanted in two dishes, a second one is cooked first.
    """
    objects = candidate_objects(key, known)
    if not objects:
        return interleave_plans(
            candidates.cooking_plans(each, known) for each in candidates.spare_pieces(key, known)
        )
    places = known.view.receptacles_of_kind(key.desired)
    if key.targets:
        places = known.view.find_objects(
            where=lambda obj: obj.affordances.receptacle and obj.objectId in key.targets
        )
    return interleave_plans(_placing_plans(obj, places, known) for obj in objects)


def _placing_plans(obj: ObjectState, places: tuple[ObjectState, ...], known: Knowledge) -> Plans:
    def rank(place: ObjectState) -> tuple[bool, int, float]:
        like = sum(t.objectType == obj.objectType for t in known.view.contents_of(place))
        return place.isDirty, -like, known.view.distance_to(place)

    others = (place for place in sorted(places, key=rank) if place.objectId != obj.objectId)
    return tuple((hold.PlaceIn(obj.objectId, place.objectId),) for place in others)


@policy("simbotIsBoiled")
def boil(key: ProblemKey, known: Knowledge) -> Plans:
    """Boil raw food in a pot of water on the stove, or in a bowl in a microwave (spec 2.8)."""
    return interleave_plans(
        _boiling_plans(obj, vessel, known)
        for obj in [t for t in candidate_objects(key, known) if not t.isCooked]
        for vessel in candidates.vessels_for(obj, known, type_facts.BOILING_VESSEL_TYPES)
    )


def _watering_plans_for(vessel: ObjectState, known: Knowledge) -> Plans:
    """Return plans that bring water to a vessel, but not from one in which food can be boiled."""
    others = known.view.find_objects(*type_facts.BOILING_VESSEL_TYPES)
    full = {other.objectId for other in others if other.isFilledWithLiquid}
    plans = candidates.watering_plans(vessel, known)
    return tuple(
        p for p in plans if not (isinstance(p[0], appliances.PourOn) and p[0].vessel_id in full)
    )


def _boiling_plans(obj: ObjectState, vessel: ObjectState, known: Knowledge) -> Plans:
    if not (vessel.isFilledWithLiquid or vessel.simbotIsFilledWithWater):
        return ((appliances.Rinse(vessel.objectId),), *_watering_plans_for(vessel, known))
    if vessel.objectType == "Pot":
        return candidates.burner_plans(obj, vessel, known)
    put = hold.PlaceIn(obj.objectId, vessel.objectId)
    if known.is_ruled_out_everywhere(actions.Verb.PLACE, "Microwave", vessel):
        # No food is moved to a vessel that no microwave takes; where it is in one, try once more.
        own = vessel.objectId in (t.objectId for t in known.view.receptacles_of(obj))
        return candidates.microwave_plans(vessel, known) if own else ()
    return tuple((put, *heat) for heat in candidates.microwave_plans(vessel, known))


@policy("simbotIsCooked")
def heat(key: ProblemKey, known: Knowledge) -> Plans:
    """Use the microwave first: it needs nothing else."""
    return interleave_plans(
        candidates.heating_plans(obj, known) for obj in candidate_objects(key, known)
    )


@policy("simbotIsFilledWithCoffee")
def brew_coffee(key: ProblemKey, known: Knowledge) -> Plans:
    """Wash and empty the mug that takes the fewest actions, and brew coffee in it."""
    own = known.snapshot.get(key.object_id)
    if own is None:
        return ()

    def cost(mug: ObjectState) -> float:
        ready = any(p.objectType == "CoffeeMachine" for p in known.view.receptacles_of(mug))
        return candidates.fetching_cost(mug, known, empty=True) - 8.0 * ready

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


@policy("wasCleaned")
def rinse_in_basin(key: ProblemKey, known: Knowledge) -> Plans:
    """Use the nearest basin of a sink: a tub does not leave ALFRED's mark."""
    basins = [sink for sink in known.view.watered_sinks() if sink.objectType == "SinkBasin"]
    return interleave_plans(
        tuple((appliances.RinseIn(obj.objectId, basin.objectId),) for basin in basins)
        for obj in candidate_objects(key, known)
    )


@policy("wasCooled")
def cool_in_fridge(key: ProblemKey, known: Knowledge) -> Plans:
    """Use any fridge, nearest first."""
    fridges = known.view.find_objects(*sorted(type_facts.COLD_SOURCE_TYPES))
    return interleave_plans(
        tuple((appliances.CoolIn(obj.objectId, fridge.objectId),) for fridge in fridges)
        for obj in candidate_objects(key, known)
    )


@policy("wasHeated")
def heat_in_microwave(key: ProblemKey, known: Knowledge) -> Plans:
    """Use any microwave: nothing else leaves ALFRED's mark."""
    return interleave_plans(
        candidates.microwave_plans(obj, known) for obj in candidate_objects(key, known)
    )
