"""The order in which the Commander takes up problem keys."""

from math import inf

from tatc.commander.knowledge import Knowledge
from tatc.planners.properties import facts_of
from tatc.tdl import ProblemKey


def order_problem_keys(keys: tuple[ProblemKey, ...], known: Knowledge) -> tuple[ProblemKey, ...]:
    """Return the keys in the order to try them: by the property's rank, then the nearest object.

    Within a rank, types that room was made for come first, the latest before the others: what was
    set aside for it would else take its room again.  All other keys of an object
    that is to be cut are left out: its slices will be cooked or put in place.
    """
    to_cut = {key.object_id for key in keys if key.property_name == "objectType"}
    kept = (key for key in keys if key.property_name == "objectType" or key.object_id not in to_cut)

    def order(key: ProblemKey) -> tuple[int, int, float]:
        obj = known.view.get(key.object_id)
        distance = inf if obj is None else known.view.distance_to(obj)
        priority = known.memory.priority_of(key.object_type)
        return facts_of(key.property_name).rank, -priority, distance

    return tuple(sorted(kept, key=order))
