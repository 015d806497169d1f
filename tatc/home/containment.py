"""What an object is in or on, and what lies under water: the rules shared by all who ask.

The embedded world knows which receptacle was clicked on.  AI2-THOR's server, ALFRED's scenes and
the listener rank all receptacles by what they have: the surfaces of a world, boxes that moved
between versions of AI2-THOR, or boxes in view.  Here are the rules for which one wins, and which
outer receptacles it brings along.

Water stands in a sink's basin while its faucet runs, if it ran when the session began.  In
recordings, AI2-THOR then refused nearly all that was put into the basin, and to pick up what
is lower than the water, such as sponges and plates.  No water stands in the basin of a faucet that
was off when the session began.  Pours into the water are left out: AI2-THOR refused most, and
took the others for Pours into the sink around it.
"""

from collections.abc import Callable, Collection, Iterable
from math import dist

from tatc.home.state import ObjectState, Snapshot
from tatc.home.type_facts import BASIN_TYPE_BY_SINK, NESTING_TYPES

ReceptacleRank = Callable[[ObjectState, ObjectState], tuple[float, ...] | None]
"""Says how likely a receptacle holds an object, the least first; None if it does not."""


def holder_of(
    obj: ObjectState, receptacles: Iterable[ObjectState], rank: ReceptacleRank
) -> ObjectState | None:
    """Return the receptacle with the least rank for an object, the first of equals, or None."""
    ranked = ((key, place) for place in receptacles if (key := rank(place, obj)) is not None)
    return min(ranked, key=lambda each: each[0], default=(None, None))[1]


def with_outer(receptacle: ObjectState) -> tuple[str, ...]:
    """Return the ids of the receptacles of what is in a receptacle: its own, then outer ones.

    What can be picked up brings along the receptacles that it is in or on itself (in 99 of 100
    recorded end states); of furniture, only a coffee machine does (`NESTING_TYPES`).
    """
    nests = receptacle.affordances.pickupable or receptacle.objectType in NESTING_TYPES
    return (receptacle.objectId, *((receptacle.parentReceptacles or ()) if nests else ()))


def lowest_first(objects: Iterable[ObjectState]) -> list[ObjectState]:
    """Return objects, lowest first, so that what lies on a plate finds the plate in its place."""
    return sorted(objects, key=lambda obj: (obj.box.bottom, obj.objectId))


WATER_DEPTH_METRES = 0.045
"""How high the water stands above the lower side of the basin's box, metres.

It hid sponges, which reach 0.031 to 0.041 m above it, and no knives, which reach 0.053 m."""
PLATE_HEIGHT_METRES = 0.03
"""How high a plate is, metres; its box is higher, because it holds the space for its contents."""
_BASIN_TYPE = BASIN_TYPE_BY_SINK["Sink"]


def faucets_running(now: Snapshot) -> frozenset[str]:
    """Return the ids of the faucets that are on."""
    return frozenset(each.objectId for each in now.of_type("Faucet") if each.isToggled)


def faucet_of_standing_water(
    obj: ObjectState, now: Snapshot, ran_at_start: Collection[str]
) -> ObjectState | None:
    """Return the faucet whose water hides an object while it is on, or None.

    The object is a basin, or something that may lie in one.  `ran_at_start` has the ids of the
    faucets that were on when the session began.
    """
    if not ran_at_start:
        return None
    basin = obj if obj.objectType == _BASIN_TYPE else _basin_around(obj, now)
    if basin is None:
        return None
    center, faucets = basin.box.center, now.of_type("Faucet")
    faucet = min(faucets, key=lambda each: dist(each.box.center, center), default=None)
    return faucet if faucet is not None and faucet.objectId in ran_at_start else None


def is_under_water(obj: ObjectState, now: Snapshot, ran_at_start: Collection[str]) -> bool:
    """Return whether standing water hides an object now, or stands in this basin."""
    faucet = faucet_of_standing_water(obj, now, ran_at_start)
    return faucet is not None and faucet.isToggled


def _basin_around(obj: ObjectState, now: Snapshot) -> ObjectState | None:
    """Return the basin in which an object lies that is lower than standing water, or None."""
    if not obj.affordances.pickupable or obj.isPickedUp:
        return None
    top = obj.box.bottom + (PLATE_HEIGHT_METRES if obj.objectType == "Plate" else obj.box.size[1])
    for place in map(now.get, obj.parentReceptacles or ()):
        if place is not None and place.objectType == _BASIN_TYPE:
            return place if top < place.box.bottom + WATER_DEPTH_METRES else None
    return None
