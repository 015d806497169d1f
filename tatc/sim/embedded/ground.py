"""Onto what pieces fall when a thing is cut.

A whole thing is set down a little above what it stands on, and stays there.  Pieces
fall onto it, and so does what physics moved: where no session shows pieces in a
receptacle, the lowest height at which several things are seen to rest there is that of
its ground.
"""

from collections.abc import Iterable

from tatc.sim.embedded.house import House
from tatc.sim.embedded.levels import case_of
from tatc.sim.maps.traces import model_of
from tatc.state import ObjectState

DROP = 0.03
"""How far pieces fall at most, metres."""
SAME = 0.0015
"""Things that differ by no more lie on the same ground, metres."""
WITNESSES = 2
SHARE = 0.07
"""How many things lie on the ground at least, and what share of those near it."""


def ground_near(
    house: House, receptacles: Iterable[ObjectState], height: float
) -> float | None:
    """Return the height at which pieces lay under a height in one of some receptacles.

    None where none was seen there.
    """
    seen = _near(height, (y for each in receptacles for y in _grounds(house, each)))
    return seen[len(seen) // 2] if seen else None


def ground_under(house: House, whole: ObjectState) -> float | None:
    """Return the height of what lies under a thing, None where nothing shows it.

    A dish that it is in shows none: what lies in it does so at any height.
    """
    parents = [house.find(each) for each in whole.parentReceptacles or ()]
    if any(each is None or each.affordances.pickupable for each in parents):
        return None
    within = [each for each in parents if each is not None]
    under = whole.box.center[1] - whole.box.size[1] / 2
    ground = ground_near(house, within, under)
    if ground is not None:
        return ground
    heights = _near(under, (y for each in within for y in _heights(house, each)))
    least = max(WITNESSES, SHARE * len(heights))
    for i, height in enumerate(heights):
        near = [other for other in heights[i:] if other - height < SAME]
        if height < under + SAME and len(near) >= least:
            return near[len(near) // 2]
    return None


def _near(under: float, heights: Iterable[float]) -> list[float]:
    """Return the heights to which a thing may fall whose lower side is at `under`."""
    return sorted(each for each in heights if -DROP < each - under < DROP / 2)


def _grounds(house: House, receptacle: ObjectState) -> list[float]:
    """Return at which heights pieces lay in a receptacle in other sessions."""
    middle = case_of(house, receptacle).center[1]
    seen = house.traces.grounds.get(model_of(receptacle), ())
    return [middle + height for height in seen]


def _heights(house: House, receptacle: ObjectState) -> list[float]:
    """Return at which heights things rested in a receptacle in other sessions."""
    middle = case_of(house, receptacle).center[1]
    seen = house.traces.rests.get(model_of(receptacle), ())
    return [middle + rest.at[1] for rest in seen]
