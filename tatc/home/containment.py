"""What an object is in or on: the part of the answer that is the same for whoever asks.

The embedded world knows which receptacle was clicked on.  AI2-THOR's server, ALFRED's scenes and
the listener rank all receptacles by what they have: the surfaces of a world, boxes that moved
between versions of AI2-THOR, or boxes in view.  Which one wins and what it brings along is said
here.
"""

from collections.abc import Callable, Iterable

from tatc.home.state import ObjectState
from tatc.home.type_facts import NESTING_TYPES

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
    """Return objects in the order in which to ask what they are in or on.

    What lies on a plate then finds the plate in its place.
    """
    return sorted(objects, key=lambda obj: (obj.box.bottom, obj.objectId))
