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
        if other.objectId not in (thing.objectId, draft.held)
    )
    need = thing.box.size[0] * thing.box.size[2]
    return taken + 2 * need < width * depth


def free_spot(draft: Draft, receptacle: ObjectState, thing: ObjectState) -> Prefer:
    """Return a scorer of points on `receptacle` by the free space around them.

    The score is 0 where the thing has room, else how many metres are missing, negative.
    """
    need = radius(thing) + MARGIN
    others = [
        (other.box.center[0], other.box.center[2], radius(other))
        for other in draft.known.contents(receptacle)
        if other.objectId != thing.objectId
    ]

    def score(point: Vec3) -> float:
        free = (hypot(point[0] - x, point[2] - z) - r for x, z, r in others)
        return min(0.0, min(free, default=need) - need)

    return score
