"""Where things are at the start of recorded games, counted for a listener of the user's own.

The chance that a container holds something of a type is the share of such containers that did,
drawn towards the table written by hand (`place_priors.json`) as if that were `_PRIOR_CONTAINERS`
containers more.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tatc.follower.listener.searched_places import container_weight
from tatc.home.state import Snapshot

_PRIOR_CONTAINERS = 20.0
_CHANCE_OF_WEIGHT_ONE = 0.05  # of a container for which the hand-written table says 1

TypePair = tuple[str, str]
"""The type of a container, and that of a thing."""


@dataclass(frozen=True, slots=True)
class LearnedPlaces:
    """How many containers of each type there were, and how many of them held each type."""

    containers: Mapping[str, int]
    holding: Mapping[TypePair, int]

    def weight(self, container_type: str, wanted_types: Iterable[str]) -> float:
        """Return the chance that a container holds one of some types: the likeliest of them."""
        seen = self.containers.get(container_type, 0)
        kinds = sorted(wanted_types)
        chances = (
            (self.holding.get((container_type, kind), 0) + _pseudo_count(container_type, (kind,)))
            / (seen + _PRIOR_CONTAINERS)
            for kind in kinds
        )
        return max(chances, default=_pseudo_count(container_type, ()) / _PRIOR_CONTAINERS)


def count_places(starts: Iterable[Snapshot]) -> LearnedPlaces:
    """Return what homes show of which containers hold what; only things that can be carried."""
    containers: Counter[str] = Counter()
    holding: Counter[TypePair] = Counter()
    for start in starts:
        receptacles = {
            obj.objectId: obj.objectType
            for obj in start.objects
            if obj.affordances.receptacle and not obj.affordances.pickupable
        }
        containers.update(receptacles.values())
        held = {
            (parent, obj.objectType)
            for obj in start.objects
            if obj.affordances.pickupable
            for parent in obj.parentReceptacles or ()
            if parent in receptacles
        }
        holding.update((receptacles[parent], kind) for parent, kind in held)
    return LearnedPlaces(MappingProxyType(containers), MappingProxyType(holding))


def _pseudo_count(container_type: str, kinds: Iterable[str]) -> float:
    chance = min(1.0, _CHANCE_OF_WEIGHT_ONE * container_weight(container_type, kinds))
    return _PRIOR_CONTAINERS * chance
