"""The order in which the Commander takes up problem keys."""

from collections import defaultdict
from math import inf

from tatc.commander.knowledge import Knowledge
from tatc.home.state import ObjectState
from tatc.planners.properties import facts_of
from tatc.tdl import ProblemKey

CROWDED_SHARE = 0.1
"""The share of a receptacle's box above which what is to be put there is taken up by size."""


def order_problem_keys(keys: tuple[ProblemKey, ...], known: Knowledge) -> tuple[ProblemKey, ...]:
    """Return the keys in the order to try them: by the property's rank, then the nearest object.

    Within a rank, types that room was made for come first, the latest before the others: what was
    set aside for it would else take its room again.  Where one receptacle is to hold so much that
    it will be crowded, the largest objects come first.  All other keys of an object
    that is to be cut are left out: its slices will be cooked or put in place.
    """
    to_cut = {key.object_id for key in keys if key.property_name == "objectType"}
    kept = (key for key in keys if key.property_name == "objectType" or key.object_id not in to_cut)
    crowded = _crowded_receptacles(keys, known)

    def order(key: ProblemKey) -> tuple[int, int, float, float]:
        obj = known.view.get(key.object_id)
        distance = inf if obj is None else known.view.distance_to(obj)
        priority = known.memory.priority_of(key.object_type)
        area = 0.0 if obj is None or key.targets not in crowded else _area_of(obj)
        return facts_of(key.property_name).rank, -priority, -area, distance

    return tuple(sorted(kept, key=order))


def _crowded_receptacles(
    keys: tuple[ProblemKey, ...], known: Knowledge
) -> frozenset[tuple[str, ...]]:
    """Return the targets, each a single receptacle, that what is wanted there will crowd."""
    wanted: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for key in keys:
        obj = known.view.get(key.object_id)
        if len(key.targets) == 1 and key.determiner == "all" and obj is not None:
            wanted[key.targets] += _area_of(obj)
    places = {targets: known.view.get(targets[0]) for targets in wanted}
    return frozenset(
        targets
        for targets, place in places.items()
        if place is not None and wanted[targets] > CROWDED_SHARE * _area_of(place)
    )


def _area_of(obj: ObjectState) -> float:
    """Return the area of an object's box from above, square metres."""
    return obj.box.size[0] * obj.box.size[2]
