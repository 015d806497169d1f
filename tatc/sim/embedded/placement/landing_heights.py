"""Onto what pieces fall when a thing is cut.

A whole thing is set down a little above what it stands on, and stays there.  Pieces
fall onto it, and so does what physics moved: where no session shows pieces in a
receptacle, the lowest height at which several things are seen to rest there is that of
its ground.
"""

from collections.abc import Iterable

from tatc.sim.embedded.placement.observed_surfaces import box_without_doors
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import model_name
from tatc.state import ObjectState

MAX_FALL_METRES = 0.03
"""How far pieces fall at most, metres."""
SAME_HEIGHT_METRES = 0.0015
"""Things that differ by no more lie on the same ground, metres."""
MIN_LANDING_OBSERVATIONS = 2
MIN_LANDING_SHARE = 0.07
"""How many things lie on the ground at least, and what share of those near it."""


def landing_height_near(
    world: WorldState, receptacles: Iterable[ObjectState], height: float
) -> float | None:
    """Return the height at which pieces lay under a height in one of some receptacles.

    None where none was seen there.
    """
    heights = _within_fall(
        height, (y for each in receptacles for y in _recorded_piece_heights(world, each))
    )
    return heights[len(heights) // 2] if heights else None


def landing_height_under(world: WorldState, whole: ObjectState) -> float | None:
    """Return the height of what lies under a thing, None where nothing shows it.

    A dish that it is in shows none: what lies in it does so at any height.
    """
    parents = [world.find(each) for each in whole.parentReceptacles or ()]
    if any(each is None or each.affordances.pickupable for each in parents):
        return None
    receptacles = [each for each in parents if each is not None]
    under = whole.box.center[1] - whole.box.size[1] / 2
    ground = landing_height_near(world, receptacles, under)
    if ground is not None:
        return ground
    heights = _within_fall(
        under, (y for each in receptacles for y in _recorded_rest_heights(world, each))
    )
    least = max(MIN_LANDING_OBSERVATIONS, MIN_LANDING_SHARE * len(heights))
    for i, height in enumerate(heights):
        near = [other for other in heights[i:] if other - height < SAME_HEIGHT_METRES]
        if height < under + SAME_HEIGHT_METRES and len(near) >= least:
            return near[len(near) // 2]
    return None


def _within_fall(under: float, heights: Iterable[float]) -> list[float]:
    """Return the heights to which a thing may fall whose lower side is at `under`."""
    return sorted(each for each in heights if -MAX_FALL_METRES < each - under < MAX_FALL_METRES / 2)


def _recorded_piece_heights(world: WorldState, receptacle: ObjectState) -> list[float]:
    """Return at which heights pieces lay in a receptacle in other sessions."""
    middle = box_without_doors(world, receptacle).center[1]
    seen = world.evidence.landing_heights.get(model_name(receptacle), ())
    return [middle + height for height in seen]


def _recorded_rest_heights(world: WorldState, receptacle: ObjectState) -> list[float]:
    """Return at which heights things rested in a receptacle in other sessions."""
    middle = box_without_doors(world, receptacle).center[1]
    seen = world.evidence.resting_poses.get(model_name(receptacle), ())
    return [middle + rest.offset[1] for rest in seen]
