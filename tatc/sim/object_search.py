"""The Commander's search for an object, as TEACh does it (spec section 2.12).

SearchObject finds an object of the type whose name is most similar to the words;
SelectOid finds an object that a progress check has named.  Either way, a camera looks at
the object from a place where a body could stand.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import atan2, degrees, dist, hypot

from tatc.home import state, type_facts
from tatc.home.actions import Verb
from tatc.home.camera.rays import Eye

SEARCH_VERBS = (Verb.SEARCH_OBJECT, Verb.SELECT_OID)

_CAMERA_HEIGHT_METRES = 1.8  # of the camera above the floor


@dataclass(frozen=True, slots=True)
class SearchView:
    """A camera that looks at an object, or at its receptacle."""

    target: state.ObjectState
    eye: Eye


def find_object(snapshot: state.Snapshot, verb: Verb, words: str) -> state.ObjectState | None:
    """Return the object that a search is for, None where there is none."""
    if verb is Verb.SELECT_OID:
        return snapshot.get(words)
    loose = (obj for obj in snapshot.objects if not obj.isPickedUp)
    scored = [(name_similarity(obj.objectType, words), obj) for obj in loose]
    best = max((score for score, _ in scored), default=0)
    if best == 0:
        return None
    body = snapshot.follower.position
    return min(
        (obj for score, obj in scored if score == best),
        key=lambda obj: (dist(obj.position, body), obj.objectId),
    )


def name_similarity(object_type: str, words: str) -> int:
    """Return the similarity of two strings, 0 to 100, as fuzzywuzzy's `ratio` does."""
    return round(100 * SequenceMatcher(None, object_type, words).ratio())


def search_views(
    snapshot: state.Snapshot, obj: state.ObjectState, cells: Iterable[state.Pose]
) -> Iterator[SearchView]:
    """Yield views, from poses where a body can stand, of an object, then of its receptacles."""
    positions = tuple(cells)
    for target in (obj, *(snapshot.get(name) for name in obj.parentReceptacles or ())):
        if target is not None and target.objectType != type_facts.FLOOR_TYPE and positions:
            yield SearchView(target, _aim_camera(target, positions))


def _aim_camera(obj: state.ObjectState, positions: tuple[state.Pose, ...]) -> Eye:
    x, y, z = obj.position
    position = min(positions, key=lambda p: (abs(p.x - x) + abs(p.z - z), p.x, p.z))
    if not obj.affordances.pickupable:  # then the nearest corner of its box
        eye, bounds = (position.x, _CAMERA_HEIGHT_METRES, position.z), obj.box.bounds()
        x, y, z = (
            low if abs(low - at) <= abs(high - at) else high
            for low, high, at in zip(*bounds, eye, strict=True)
        )
    dx, dz = x - position.x, z - position.z
    away = hypot(dx, dz)
    down = degrees(atan2(_CAMERA_HEIGHT_METRES - y, away)) if away > 1e-6 else 0.0
    return Eye((position.x, _CAMERA_HEIGHT_METRES, position.z), _cardinal_yaw(dx, dz), down)


def _cardinal_yaw(dx: float, dz: float) -> float:
    """Return the cardinal yaw along the longer of two offsets; along z where equal."""
    if abs(dx) > abs(dz):
        return 90.0 if dx > 0 else 270.0
    return 0.0 if dz >= 0 else 180.0
