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
    """Take the object to the receptacle with most objects of its type, then the nearest.

    Where a cooked piece is wanted in two dishes, a second one is cooked first.
    """
    places, candidates = _wanted_receptacles(key, known), candidate_objects(key, known)
    if not candidates:
        return interleave_plans(cooking_plans(each, known) for each in spare_pieces(key, known))
    return interleave_plans(_placing_plans(t, places, known) for t in candidates)


def _placing_plans(obj: ObjectState, places: tuple[ObjectState, ...], known: Knowledge) -> Plans:
    return tuple(
        (PlaceIn(obj.objectId, place.objectId),)
        for place in sorted(places, key=lambda r: _receptacle_rank(r, obj, known))
        if place.objectId != obj.objectId
    )


def _wanted_receptacles(key: ProblemKey, known: Knowledge) -> tuple[ObjectState, ...]:
    if key.targets:
        return known.view.find_objects(
            where=lambda obj: obj.affordances.receptacle and obj.objectId in key.targets
        )
    return known.view.receptacles_of_kind(key.desired)


def _receptacle_rank(
    receptacle: ObjectState, obj: ObjectState, known: Knowledge
) -> tuple[bool, int, float]:
    like = sum(t.objectType == obj.objectType for t in known.view.contents_of(receptacle))
    return receptacle.isDirty, -like, known.view.distance_to(receptacle)
