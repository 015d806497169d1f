"""parentReceptacles: put the object in or on a receptacle of the wanted kind."""

from tatc.commander.candidates import (
    candidate_objects,
    cooking_plans,
    interleave_plans,
    spare_pieces,
)
from tatc.commander.policies import Knowledge, Plans, ProblemKey, policy
from tatc.commander.skills.hold import PlaceIn
from tatc.home.state import ObjectState


@policy("parentReceptacles")
def put_in_receptacle(key: ProblemKey, known: Knowledge) -> Plans:
    """Take the object to a receptacle: clean first, then with most objects of its type, then near.

    Where a cooked piece is wanted in two dishes, a second one is cooked first.
    """
    candidates = candidate_objects(key, known)
    if not candidates:
        return interleave_plans(cooking_plans(each, known) for each in spare_pieces(key, known))
    places = known.view.receptacles_of_kind(key.desired)
    if key.targets:
        places = known.view.find_objects(
            where=lambda obj: obj.affordances.receptacle and obj.objectId in key.targets
        )
    return interleave_plans(_placing_plans(obj, places, known) for obj in candidates)


def _placing_plans(obj: ObjectState, places: tuple[ObjectState, ...], known: Knowledge) -> Plans:
    def rank(place: ObjectState) -> tuple[bool, int, float]:
        like = sum(t.objectType == obj.objectType for t in known.view.contents_of(place))
        return place.isDirty, -like, known.view.distance_to(place)

    others = (place for place in sorted(places, key=rank) if place.objectId != obj.objectId)
    return tuple((PlaceIn(obj.objectId, place.objectId),) for place in others)
