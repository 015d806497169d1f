"""The Commander's search for an object, as TEACh does it (spec section 2.12).

SearchObject takes the type whose name is most like the words, SelectOid an object that
a progress check has named.  Either way a camera is set up that looks at the object from
where a body could stand.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import atan2, degrees, dist, hypot

from tatc.actions import Verb
from tatc.camera.rays import Eye
from tatc.state import ObjectState, Pose, Snapshot

TOOLS = (Verb.SEARCH_OBJECT, Verb.SELECT_OID)
"""The verbs of a search."""

_HEIGHT = 1.8  # metres above the floor that the camera stands at
_FLOOR = "Floor"


@dataclass(frozen=True, slots=True)
class Look:
    """A camera that is aimed at an object, or at what holds it."""

    shown: ObjectState
    eye: Eye


def find(snapshot: Snapshot, verb: Verb, words: str) -> ObjectState | None:
    """Return the object that a search is for, None where there is none."""
    if verb is Verb.SELECT_OID:
        return snapshot.get(words)
    scored = [(likeness(t.objectType, words), t) for t in _about(snapshot)]
    best = max((score for score, _ in scored), default=0)
    if best == 0:
        return None
    body = snapshot.follower.position
    return min(
        (thing for score, thing in scored if score == best),
        key=lambda thing: (dist(thing.position, body), thing.objectId),
    )


def likeness(kind: str, words: str) -> int:
    """Return how like two strings are, 0 to 100, as fuzzywuzzy's `ratio` does."""
    return round(100 * SequenceMatcher(None, kind, words).ratio())


def looks(
    snapshot: Snapshot, thing: ObjectState, cells: Iterable[Pose]
) -> Iterator[Look]:
    """Yield views of an object, then of what it is in or on, as they should be tried.

    `cells` are where a body can stand; without any there is no view.
    """
    places = tuple(cells)
    parents = (snapshot.get(name) for name in thing.parentReceptacles or ())
    for each in (thing, *parents):
        if each is not None and each.objectType != _FLOOR and places:
            yield Look(each, _aimed(each, places))


def _about(snapshot: Snapshot) -> Iterator[ObjectState]:
    """Yield what is searched among: what the hand holds is not."""
    return (thing for thing in snapshot.objects if not thing.isPickedUp)


def _aimed(thing: ObjectState, places: tuple[Pose, ...]) -> Eye:
    x, y, z = thing.position
    place = min(places, key=lambda p: (abs(p.x - x) + abs(p.z - z), p.x, p.z))
    if not thing.affordances.pickupable:
        x, y, z = _nearest_corner(thing, (place.x, _HEIGHT, place.z))
    dx, dz = x - place.x, z - place.z
    away = hypot(dx, dz)
    down = degrees(atan2(_HEIGHT - y, away)) if away > 1e-6 else 0.0
    return Eye((place.x, _HEIGHT, place.z), _cardinal(dx, dz), down)


def _nearest_corner(
    thing: ObjectState, eye: tuple[float, float, float]
) -> tuple[float, float, float]:
    low, high = thing.box.bounds()
    x, y, z = (
        a if abs(a - at) <= abs(b - at) else b
        for a, b, at in zip(low, high, eye, strict=True)
    )
    return x, y, z


def _cardinal(dx: float, dz: float) -> float:
    """Return the yaw, of four, that faces the longer of two ways; z where equal."""
    if abs(dx) > abs(dz):
        return 90.0 if dx > 0 else 270.0
    return 0.0 if dz >= 0 else 180.0
