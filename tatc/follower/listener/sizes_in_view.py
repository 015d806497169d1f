"""From how near things are seen: small ones show in too few pixels from far away."""

from collections.abc import Iterable
from functools import cache

from tatc.follower.listener.place_coverage import MAX_LOOK_METRES, MIN_LOOK_METRES
from tatc.home.object_types import known_object_types
from tatc.home.percepts import MIN_TRUTH_PIXELS, VIEW_SIDE_PIXELS
from tatc.home.types.facts import WHOLE_TYPE_BY_PIECE

ABOVE_METRES = 0.9
"""How far above what it looks at the camera is, usually, metres."""
NEEDED_PIXELS = 1.25 * MIN_TRUTH_PIXELS
"""How many pixels a thing should show in."""
FULL_SHARE = 0.7
"""The share of its outline's rectangle that a standing thing fills."""


def distance_to_see(types: Iterable[str]) -> float:
    """Return from how near things of all these types are seen that lie about, metres.

    It is from `MIN_LOOK_METRES` to `MAX_LOOK_METRES`.
    """
    return min((_distance_to_see_type(each) for each in types), default=MAX_LOOK_METRES)


@cache
def _distance_to_see_type(kind: str) -> float:
    """Return from how near the thing's top or its side shows in enough pixels, metres.

    A pixel of a view that is 90 degrees wide covers `2 / VIEW_SIDE_PIXELS` of its distance; what
    lies flat is seen at a slant.
    """
    known = known_object_types().get(WHOLE_TYPE_BY_PIECE.get(kind, kind))
    if known is None or not known.affordances.pickupable:
        return MAX_LOOK_METRES
    width, height, depth = known.usual
    pixels_at_a_metre = (VIEW_SIDE_PIXELS / 2) ** 2
    top = (width * depth * ABOVE_METRES * pixels_at_a_metre / NEEDED_PIXELS) ** (1 / 3)
    side = (max(width, depth) * height * FULL_SHARE * pixels_at_a_metre / NEEDED_PIXELS) ** 0.5
    return min(max(top, side, MIN_LOOK_METRES), MAX_LOOK_METRES)
