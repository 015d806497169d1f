"""Where there should be room: the Commander's guess from boxes alone.

A thing is taken to fit where its footprint, squared to the room or turned by a quarter,
meets no footprint of what stands there already.  AI2-THOR tries points of a lattice,
the one nearest to the click first, so that a click near a free one is what is wanted.
"""

from collections.abc import Callable
from math import dist, hypot

import numpy as np

from tatc.actions import Verb
from tatc.camera.shapes import surface_of
from tatc.commander.draft import Draft, Prefer
from tatc.commander.skills.lattice import GAP, Bounds, Spots, spots_of, taken
from tatc.state import ObjectState, Vec3

WALL = 0.01
"""Metres that the walls of a hollow thing take on each side."""
FAR = 0.5
"""Metres from a free spot beyond which a click will hardly lead to it."""
ASIDE = 0.2
"""Metres from where a thing was refused within which it is not tried again."""
CLEAR = 0.35
"""Metres around a thing that are kept free of what is moved out of its way."""
LAYERED = frozenset({"Box", "Cabinet", "Fridge", "GarbageCan", "LaundryHamper", "Safe"})
"""Places in which things lie above one another: their footprints say little."""


def radius(thing: ObjectState) -> float:
    """Return half the larger side of a thing's footprint, metres."""
    return max(thing.box.size[0], thing.box.size[2]) / 2


def has_room(draft: Draft, receptacle: ObjectState, thing: ObjectState) -> bool:
    """Whether a thing should fit somewhere on or in a receptacle."""
    spots = free_spots(draft, receptacle, thing)
    return draft.bold or spots is None or len(spots) > 0


def free_spot(draft: Draft, receptacle: ObjectState, thing: ObjectState) -> Prefer:
    """Return a scorer of points on a receptacle by how near a free spot is.

    The score is in metres; points too far from any free spot score below zero, and so
    do those near a point where the thing was refused before.
    """
    if receptacle.affordances.pickupable:
        return _emptiest(draft, receptacle, thing)
    spots = free_spots(draft, receptacle, thing)
    attempt = draft.attempt(Verb.PLACE, receptacle)
    refused = draft.known.memory.spots.get(attempt, [])

    def score(point: Vec3) -> float:
        if any(dist(point, other) < ASIDE for other in refused):
            return -1.0
        if spots is None or (draft.bold and not len(spots)):
            return 0.0
        if not len(spots):
            return -1.0
        away = np.abs(spots - (point[0], point[2])).max(axis=1)
        return FAR - float(away.min())

    return score


def _emptiest(draft: Draft, dish: ObjectState, thing: ObjectState) -> Prefer:
    """Return a scorer of points on a dish: far from what lies there and the middle.

    All of a dish is tried from where the click is, so that what comes first must not
    lie in the middle of what room there is.
    """
    others = [t.box.bounds() for t in _inside(draft, dish, thing)]
    middle = dish.box.center

    def score(point: Vec3) -> float:
        away = [_beside(point, low, high) for low, high in others]
        return min(away, default=0.0) + hypot(
            point[0] - middle[0], point[2] - middle[2]
        )

    return score


def _beside(point: Vec3, low: Vec3, high: Vec3) -> float:
    """Return how far a point is from a box, seen from above, metres."""
    x, _, z = point
    return hypot(max(low[0] - x, 0.0, x - high[0]), max(low[2] - z, 0.0, z - high[2]))


def _inside(
    draft: Draft, receptacle: ObjectState, thing: ObjectState
) -> list[ObjectState]:
    """Return what takes room in or on a receptacle beside the thing itself.

    What stands in the air above an open place counts, though it be on something else.
    """
    known = draft.known
    others = {t.objectId: t for t in known.contents(receptacle)}
    if not _is_hollow(receptacle):
        low, high = _above(receptacle, thing)
        near = known.all(that=lambda t: _meets(t.box.bounds(), low, high))
        others |= {t.objectId: t for t in near}
    return [
        other
        for name, other in others.items()
        if _counts(other)
        and not other.isPickedUp
        and name not in (thing.objectId, draft.held, receptacle.objectId)
    ]


def _above(receptacle: ObjectState, thing: ObjectState) -> tuple[Vec3, Vec3]:
    """Return the bounds of the air that a thing might take on a receptacle."""
    low, high = receptacle.box.bounds()
    level = surface_of(receptacle) + GAP
    return (low[0], level, low[2]), (high[0], level + thing.box.size[1], high[2])


def _meets(bounds: tuple[Vec3, Vec3], low: Vec3, high: Vec3) -> bool:
    below, above = bounds
    return all(below[i] < high[i] and above[i] > low[i] for i in range(3))


def _is_hollow(receptacle: ObjectState) -> bool:
    """Whether walls stand around what is in a receptacle."""
    able = receptacle.affordances
    return able.openable or able.pickupable or "Basin" in receptacle.objectType


def clear_of(thing: ObjectState, prefer: Prefer) -> Prefer:
    """Return the scorer, but for points too near to a thing, which are out."""
    x, _, z = thing.box.center
    apart = CLEAR + radius(thing)

    def score(point: Vec3) -> float:
        near = hypot(point[0] - x, point[2] - z) < apart
        return -1.0 if near else prefer(point)

    return score


def free_spots(
    draft: Draft, receptacle: ObjectState, thing: ObjectState
) -> Spots | None:
    """Return where on a receptacle a thing should fit; None where boxes do not tell."""
    if not _is_flat(receptacle):
        return None
    others = [other.box.bounds() for other in _inside(draft, receptacle, thing)]
    found: list[Spots] = []
    for size in _footprints(thing):
        spots = spots_of(_room(receptacle), size)
        found.append(spots[~taken(spots, size, others).any(axis=0)])
    return np.concatenate(found)


def least_to_clear(
    draft: Draft,
    receptacle: ObjectState,
    thing: ObjectState,
    stays: Callable[[ObjectState], bool],
) -> tuple[ObjectState, ...]:
    """Return the fewest things that must go for another to fit; none if none will do.

    Only what can be carried goes, and not what `stays`.  Of equally many things those
    with the smaller footprints go.
    """
    if not _is_flat(receptacle):
        return ()
    others = _inside(draft, receptacle, thing)
    bounds = [other.box.bounds() for other in others]
    area = [other.box.size[0] * other.box.size[2] for other in others]
    fast = np.array([not o.affordances.pickupable or stays(o) for o in others], bool)
    ways: list[tuple[int, float, tuple[int, ...]]] = []
    for size in _footprints(thing):
        spots = spots_of(_room(receptacle), size)
        for met in taken(spots, size, bounds).T:
            if not met[fast].any():
                rows = tuple(np.flatnonzero(met).tolist())
                ways.append((len(rows), sum(area[i] for i in rows), rows))
    _, _, fewest = min(ways, default=(0, 0.0, ()))
    return tuple(others[i] for i in fewest)


def _is_flat(receptacle: ObjectState) -> bool:
    """Whether what a place holds stands side by side on one level."""
    loose = receptacle.affordances.pickupable
    return not loose and receptacle.objectType not in LAYERED


def _room(receptacle: ObjectState) -> Bounds:
    """Return a receptacle's bounds, within its walls if it has any."""
    (x, y, z), (to_x, to_y, to_z) = receptacle.box.bounds()
    wall = WALL if _is_hollow(receptacle) else 0.0
    return (x + wall, y, z + wall), (to_x - wall, to_y, to_z - wall)


def _footprints(thing: ObjectState) -> tuple[tuple[float, float], ...]:
    width, _, depth = thing.box.size
    return (width, depth), (depth, width)


def _counts(thing: ObjectState) -> bool:
    """Whether a thing takes room: AI2-THOR also lists furniture as a sink's content."""
    return thing.affordances.pickupable or thing.affordances.moveable
