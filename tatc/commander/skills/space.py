"""Where there should be room: the Commander's guess from boxes alone.

A thing is taken to fit where its footprint, squared to the room or turned by a quarter,
meets no footprint of what stands there already.  AI2-THOR tries points of a lattice,
the one nearest to the click first, so that a click near a free one is what is wanted.
"""

from math import dist

import numpy as np
from numpy.typing import NDArray

from tatc.actions import Verb
from tatc.commander.draft import Draft, Prefer
from tatc.state import ObjectState, Vec3

LATTICE = 8
"""Into how many parts AI2-THOR cuts a place each way; it tries the points between."""
GAP = 0.002
"""Metres kept from what stands there already."""
SLACK = 0.01
"""Metres that a thing may be wider than its place: boxes are rough."""
FAR = 0.5
"""Metres from a free spot beyond which a click will hardly lead to it."""
ASIDE = 0.2
"""Metres from where a thing was refused within which it is not tried again."""
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
    return spots is None or len(spots) > 0


def free_spot(draft: Draft, receptacle: ObjectState, thing: ObjectState) -> Prefer:
    """Return a scorer of points on a receptacle by how near a free spot is.

    The score is in metres; points too far from any free spot score below zero, and so
    do those near a point where the thing was refused before.
    """
    spots = free_spots(draft, receptacle, thing)
    attempt = draft.attempt(Verb.PLACE, receptacle)
    refused = draft.known.memory.spots.get(attempt, [])

    def score(point: Vec3) -> float:
        if any(dist(point, other) < ASIDE for other in refused):
            return -1.0
        if spots is None:
            return 0.0
        if not len(spots):
            return -1.0
        away = np.abs(spots - (point[0], point[2])).max(axis=1)
        return FAR - float(away.min())

    return score


def free_spots(
    draft: Draft, receptacle: ObjectState, thing: ObjectState
) -> Spots | None:
    """Return where on a receptacle a thing should fit; None where boxes do not tell."""
    if receptacle.affordances.pickupable or receptacle.objectType in LAYERED:
        return None
    low, high = receptacle.box.bounds()
    taken = [
        other.box.bounds()
        for other in draft.known.contents(receptacle)
        if _counts(other) and other.objectId not in (thing.objectId, draft.held)
    ]
    width, _, depth = thing.box.size
    found = [_free(low, high, size, taken) for size in ((width, depth), (depth, width))]
    return np.concatenate(found)


def _free(
    low: Vec3, high: Vec3, size: tuple[float, float], taken: list[tuple[Vec3, Vec3]]
) -> Spots:
    half = np.array(size) / 2
    start, stop = np.array((low[0], low[2])), np.array((high[0], high[2]))
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
