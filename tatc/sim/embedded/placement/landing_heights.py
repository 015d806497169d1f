"""Find the height on which the pieces of a cut object land.

AI2-THOR places a whole object a little above its support and leaves it there.  Pieces fall
onto the support, and so do objects that physics has moved.  If no session shows pieces in
a receptacle, its support is therefore at the lowest height at which several objects rest.
"""

from collections.abc import Iterable

from tatc.home.state import ObjectState
from tatc.sim.embedded.placement.observed_surfaces import box_without_doors
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import model_name

MAX_FALL_METRES = 0.03
"""The greatest distance that pieces fall, metres."""
SAME_HEIGHT_METRES = 0.0015
"""Objects whose heights differ by less than this rest on the same support, metres."""
MIN_LANDING_OBSERVATIONS = 2
MIN_LANDING_SHARE = 0.07
"""The least number of objects on a support, and their least share of the objects near it."""


def landing_height_near(
    world: WorldState, receptacles: Iterable[ObjectState], height: float
) -> float | None:
    """Return the median height at which pieces landed near a height, metres.

    Return None if no session shows pieces there in any of the receptacles.
    """
    heights = _within_fall(
        height, (y for item in receptacles for y in _recorded_piece_heights(world, item))
    )
    return heights[len(heights) // 2] if heights else None


def landing_height_under(world: WorldState, whole: ObjectState) -> float | None:
    """Return the height of the support below an object, metres; None if it is not known.

    It is not known for an object in a dish, because objects rest in dishes at all heights.
    """
    parents = [world.find(parent_id) for parent_id in whole.parentReceptacles or ()]
    if any(parent is None or parent.affordances.pickupable for parent in parents):
        return None
    receptacles = [parent for parent in parents if parent is not None]
    under = whole.box.center[1] - whole.box.size[1] / 2
    landing_height = landing_height_near(world, receptacles, under)
    if landing_height is not None:
        return landing_height
    heights = _within_fall(
        under, (y for item in receptacles for y in _recorded_rest_heights(world, item))
    )
    least = max(MIN_LANDING_OBSERVATIONS, MIN_LANDING_SHARE * len(heights))
    for i, height in enumerate(heights):
        near = [other for other in heights[i:] if other - height < SAME_HEIGHT_METRES]
        if height < under + SAME_HEIGHT_METRES and len(near) >= least:
            return near[len(near) // 2]
    return None


def _within_fall(under: float, heights: Iterable[float]) -> list[float]:
    """Return, ascending, the heights to which an object with its lower side at `under` may fall."""
    return sorted(y for y in heights if -MAX_FALL_METRES < y - under < MAX_FALL_METRES / 2)


def _recorded_piece_heights(world: WorldState, receptacle: ObjectState) -> list[float]:
    """Return the heights at which pieces lay in a receptacle in other sessions, metres."""
    middle = box_without_doors(world, receptacle).center[1]
    seen = world.evidence.landing_heights.get(model_name(receptacle), ())
    return [middle + height for height in seen]


def _recorded_rest_heights(world: WorldState, receptacle: ObjectState) -> list[float]:
    """Return the heights at which objects rested in a receptacle in other sessions, metres."""
    middle = box_without_doors(world, receptacle).center[1]
    seen = world.evidence.resting_poses.get(model_name(receptacle), ())
    return [middle + rest.offset[1] for rest in seen]
