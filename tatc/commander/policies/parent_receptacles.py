"""parentReceptacles: put the object in or on a receptacle of the wanted kind."""

from tatc.commander.candidates import candidates, in_turn
from tatc.commander.draft import Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.commander.skills.place import PlaceIn
from tatc.state import ObjectState
from tatc.tdl import ProblemKey


@policy("parentReceptacles")
def put(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Take the object to where most of its like are, or else to what is nearest."""
    places = known.all(that=lambda r: _is_wanted(r, key))
    return in_turn(_plans(t, places, known) for t in candidates(key, known))


def _plans(
    thing: ObjectState, places: tuple[ObjectState, ...], known: Knowledge
) -> tuple[Plan, ...]:
    return tuple(
        (PlaceIn(thing.objectId, place.objectId),)
        for place in sorted(places, key=lambda r: _rank(r, thing, known))
        if place.objectId != thing.objectId
    )


def _is_wanted(receptacle: ObjectState, key: ProblemKey) -> bool:
    if not receptacle.affordances.receptacle:
        return False
    if key.targets:
        return receptacle.objectId in key.targets
    classes = receptacle.simbotObjectClass or ()
    return key.desired == receptacle.objectType or key.desired in classes


def _rank(
    receptacle: ObjectState, thing: ObjectState, known: Knowledge
) -> tuple[bool, int, float]:
    like = sum(t.objectType == thing.objectType for t in known.contents(receptacle))
    return receptacle.isDirty, -like, known.distance(receptacle)
