"""What several policies share: candidates for a problem key, and plans to cook and to water."""

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import Plans, SkillPlan
from tatc.commander.skills.appliances import HeatIn, HeatOn, PourOn, Rinse
from tatc.commander.skills.hold import PlaceIn
from tatc.home import state, type_facts
from tatc.tdl import ProblemKey, properties

_FILLING_COST = 15.0  # actions that filling a vessel takes, roughly
# Actions that each of these adds, roughly: a rinse, a pour, freeing a full hand.
_RINSING_COST, _EMPTYING_COST, _FREE_HAND_COST = 14.0, 9.0, 5.0
_THIN_PIECE_RATIO = 1.5  # a piece up to this many times as thick as the thinnest is thin


def candidate_objects(key: ProblemKey, known: Knowledge) -> tuple[state.ObjectState, ...]:
    """Return the objects that could meet a key: its own, then others of its type.

    The others come nearest first, but what is held before the key's own if it is as done: a
    Follower that was told a type may have taken another.  Where the task wants all objects
    (determiner "all"), the key's own object is the only one.  An object that no longer exists
    gives none.

    An object in another dish that the task names is left there, because it may be wanted there.
    If the key's own object is there, only objects cooked in the same ways can take its place.
    """
    own = known.snapshot.get(key.object_id)
    if own is None:
        return ()
    if key.determiner == "all":
        return (own,)

    def is_satisfied(obj: state.ObjectState) -> bool:
        if key.property_name == "parentReceptacles":
            return any(_is_target(each, key) for each in known.view.receptacles_of(obj))
        value = getattr(obj, key.property_name, None)
        return key.desired in (0, 1) and bool(value) == bool(key.desired)

    like = known.view.find_objects(
        own.objectType, where=lambda t: t is not own and not is_satisfied(t)
    )
    ranked = _prefer_thin_pieces(own, like)
    free = tuple(obj for obj in ranked if not _is_served_elsewhere(obj, key, known))
    if own not in free:
        free = tuple(obj for obj in free if _is_as_done(obj, own))
    return tuple(sorted(free, key=lambda obj: not (obj.isPickedUp and _is_as_done(obj, own))))


def spare_pieces(key: ProblemKey, known: Knowledge) -> tuple[state.ObjectState, ...]:
    """Return raw pieces, nearest first, to cook if a key's own cooked piece serves another dish."""
    own = known.snapshot.get(key.object_id)
    if own is None or not own.isCooked or not _is_served_elsewhere(own, key, known):
        return ()
    raw = known.view.find_objects(own.objectType, where=lambda t: t is not own and not t.isCooked)
    return tuple(obj for obj in raw if not _is_served_elsewhere(obj, key, known))


def _is_served_elsewhere(obj: state.ObjectState, key: ProblemKey, known: Knowledge) -> bool:
    """Return whether an object lies in a dish that the task names, but not for this key.

    A slice wanted in a bowl and one on a plate would be carried from one to the other for ever.
    """
    if key.property_name != "parentReceptacles":
        return False
    dishes = [p for p in known.view.receptacles_of(obj) if p.affordances.pickupable]
    return any(not _is_target(dish, key) and known.is_named(dish) for dish in dishes)


def _is_target(receptacle: state.ObjectState, key: ProblemKey) -> bool:
    if key.targets:
        return receptacle.objectId in key.targets
    return properties.is_of_type_or_class(receptacle, key.desired)


def _prefer_thin_pieces(
    own: state.ObjectState, others: tuple[state.ObjectState, ...]
) -> tuple[state.ObjectState, ...]:
    """Return an object and others of its type, but thick pieces of food after the thin ones.

    The first piece that is cut off may be several times as thick as the others, and takes up as
    much of a plate as several of them.  If the object has been cooked, pieces that have not been
    cooked in the same ways are left out, so that it may come first though it is thick.
    """
    every = (own, *others)
    if own.objectType not in type_facts.SLICE_TYPES or own.isPickedUp:
        return every
    most = _THIN_PIECE_RATIO * min(min(t.box.size) for t in every)
    thin = [t for t in every if min(t.box.size) <= most]
    like_own = [t for t in thin if _is_as_done(t, own)]
    rest = filter(lambda t: _is_as_done(t, own), every) if any(_doneness(own)) else (*thin, *every)
    return tuple(dict.fromkeys((*like_own, own, *rest)))


def _is_as_done(one: state.ObjectState, other: state.ObjectState) -> bool:
    """Return whether two pieces of food have been cooked in the same ways."""
    return _doneness(one) == _doneness(other)


def _doneness(food: state.ObjectState) -> tuple[bool, ...]:
    return bool(food.isCooked), bool(food.simbotIsCooked), bool(food.simbotIsBoiled)


def interleave_plans(options: Iterable[Sequence[SkillPlan]]) -> Plans:
    """Return each candidate's best plan, then each one's second best, so that each gets a try."""
    return tuple(plan for tier in zip_longest(*options) for plan in tier if plan is not None)


def fetching_cost(
    obj: state.ObjectState, known: Knowledge, *, clean: bool = True, empty: bool = False
) -> float:
    """Return roughly how many actions it takes to hold an object, clean or empty if asked."""
    cost = known.view.effort_to_reach(obj)
    cost += _RINSING_COST * (clean and obj.isDirty)
    cost += _EMPTYING_COST * (empty and (obj.isFilledWithLiquid or obj.isDirty))
    if known.view.held_id not in ("", obj.objectId):
        cost += _FREE_HAND_COST
    return cost


def microwave_plans(obj: state.ObjectState, known: Knowledge) -> Plans:
    """Return plans that heat an object, one for each microwave, nearest first."""
    ovens = known.view.find_objects("Microwave")
    return tuple((HeatIn(obj.objectId, oven.objectId),) for oven in ovens)


def burner_plans(obj: state.ObjectState, vessel: state.ObjectState, known: Knowledge) -> Plans:
    """Return plans to heat an object in a vessel, on its own burner, else on near free ones."""
    own = [p for p in known.view.receptacles_of(vessel) if p.objectType == type_facts.BURNER_TYPE]
    burners = own or known.view.find_objects(
        type_facts.BURNER_TYPE, where=lambda b: not known.view.contents_of(b)
    )
    put = PlaceIn(obj.objectId, vessel.objectId)
    return tuple((put, HeatOn(vessel.objectId, burner.objectId)) for burner in burners)


def heating_plans(obj: state.ObjectState, known: Knowledge) -> Plans:
    """Return plans that heat an object: in a microwave first, which needs nothing else."""
    vessels = vessels_for(obj, known, type_facts.COOKING_VESSEL_TYPES)
    on_burners = chain.from_iterable(burner_plans(obj, vessel, known) for vessel in vessels)
    return (*microwave_plans(obj, known), *on_burners)


def cooking_plans(obj: state.ObjectState, known: Knowledge) -> Plans:
    """Return plans that cook an object: bread in a toaster, anything else as it is heated."""
    if obj.objectType in type_facts.TOASTED_TYPES:
        toasters = known.view.find_objects("Toaster")
        return tuple((HeatIn(obj.objectId, t.objectId),) for t in toasters)
    return heating_plans(obj, known)


def vessels_for(
    obj: state.ObjectState, known: Knowledge, types: tuple[str, ...]
) -> tuple[state.ObjectState, ...]:
    """Return vessels of some types, an object's own first, so that food stays, then the nearest."""
    own = [vessel.objectId for vessel in known.view.receptacles_of(obj)]
    vessels = known.view.find_objects(*types)
    return tuple(sorted(vessels, key=lambda vessel: vessel.objectId not in own))


def watering_plans(target: state.ObjectState, known: Knowledge) -> Plans:
    """Return plans that bring water to an object, the cheapest vessel first."""

    def cost(vessel: state.ObjectState) -> float:
        filling = 0.0 if vessel.isFilledWithLiquid else _FILLING_COST
        return fetching_cost(vessel, known, clean=False) + filling

    portable = known.view.find_objects(where=lambda obj: obj.affordances.pickupable)
    vessels = (v for v in portable if v.affordances.canFillWithLiquid and v is not target)
    ranked = sorted(vessels, key=lambda v: (cost(v), v.objectId))
    pours = [(v, PourOn(v.objectId, target.objectId)) for v in ranked]
    return tuple((p,) if v.isFilledWithLiquid else (Rinse(v.objectId), p) for v, p in pours)
