"""Where there should be room: the Commander's guess from boxes alone.

A thing is taken to fit where its footprint, squared to the room or turned by a quarter,
meets no footprint of what stands there already.  AI2-THOR tries points of a lattice,
the one nearest to the click first, so that a click near a free one is what is wanted.
"""

from math import dist, hypot

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Verb
from tatc.camera.shapes import surface_of
from tatc.commander.draft import Draft, Prefer
from tatc.state import ObjectState, Vec3

LATTICE = 8
"""Into how many parts AI2-THOR cuts a place each way; it tries the points between."""
GAP = 0.002
"""Metres kept from what stands there already."""
SLACK = 0.01
"""Metres that a thing may be wider than its place: boxes are rough."""
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

Spots = NDArray[np.float64]
"""Middles of free spots, one row x, z each."""


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
    if receptacle.affordances.pickupable or receptacle.objectType in LAYERED:
        return None
    low, high = receptacle.box.bounds()
    taken = [other.box.bounds() for other in _inside(draft, receptacle, thing)]
    width, _, depth = thing.box.size
    wall = WALL if _is_hollow(receptacle) else 0.0
    start = np.array((low[0], low[2])) + wall
    stop = np.array((high[0], high[2])) - wall
    found = [
        _free(start, stop, side, taken) for side in ((width, depth), (depth, width))
    ]
    return np.concatenate(found)


def _free(
    start: Spots,
    stop: Spots,
    size: tuple[float, float],
    taken: list[tuple[Vec3, Vec3]],
) -> Spots:
    half = np.array(size) / 2
    shares = np.arange(1, LATTICE)[:, None] / LATTICE
    lattice = start + shares * (stop - start)
    fits = (lattice >= start + half - SLACK) & (lattice <= stop - half + SLACK)
    xs, zs = lattice[fits[:, 0], 0], lattice[fits[:, 1], 1]
    spots = np.stack(np.meshgrid(xs, zs, indexing="ij"), axis=-1).reshape(-1, 2)
    for below, above in taken:
        inside = (spots > np.array((below[0], below[2])) - half - GAP) & (
            spots < np.array((above[0], above[2])) + half + GAP
        )
        spots = spots[~inside.all(axis=1)]
    return spots


def _counts(thing: ObjectState) -> bool:
    """Whether a thing takes room: AI2-THOR also lists furniture as a sink's content."""
    return thing.affordances.pickupable or thing.affordances.moveable
