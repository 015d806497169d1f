"""Where there should be room: the Commander's guess from boxes alone."""

from math import hypot

from tatc.commander.draft import Draft, Prefer
from tatc.state import ObjectState, Vec3

MARGIN = 0.02
"""Metres kept between two things that stand side by side."""


def radius(thing: ObjectState) -> float:
    """Return half the larger side of a thing's footprint, metres."""
    return max(thing.box.size[0], thing.box.size[2]) / 2


def has_room(draft: Draft, receptacle: ObjectState, thing: ObjectState) -> bool:
    """Whether the footprint of `thing` fits on the area that nothing stands on."""
    width, _, depth = receptacle.box.size
    if max(width, depth) < 2 * radius(thing) or min(width, depth) < radius(thing):
        return False
    taken = sum(
        other.box.size[0] * other.box.size[2]
        for other in draft.known.contents(receptacle)
        if _counts(other) and other.objectId not in (thing.objectId, draft.held)
    )
    need = thing.box.size[0] * thing.box.size[2]
    return taken + 2 * need < width * depth


def free_spot(draft: Draft, receptacle: ObjectState, thing: ObjectState) -> Prefer:
    """Return a scorer of points on a receptacle by the free space around them.

    The score is metres to what stands nearest, at most what the thing needs: a thing
    comes to rest near the click, where it fits, so that all points stay possible.
    """
    need = radius(thing) + MARGIN
    others = [
        other.box.bounds()
        for other in draft.known.contents(receptacle)
        if _counts(other) and other.objectId != thing.objectId
    ]

    def score(point: Vec3) -> float:
        x, _, z = point
        gaps = (
            hypot(max(low[0] - x, x - high[0], 0.0), max(low[2] - z, z - high[2], 0.0))
            for low, high in others
        )
        return min(need, min(gaps, default=need))

    return score


def _counts(thing: ObjectState) -> bool:
    """Whether a thing takes room: AI2-THOR also lists furniture as a sink's content."""
    return thing.affordances.pickupable or thing.affordances.moveable
