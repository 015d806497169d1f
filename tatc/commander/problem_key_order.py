"""In which order problem keys are taken up."""

from tatc.commander.knowledge import Knowledge
from tatc.tdl import ProblemKey

PROPERTY_RANK = {
    "objectType": 0,
    "isDirty": 1,
    "simbotIsBoiled": 2,
    "isCooked": 2,
    "simbotIsCooked": 2,
    "simbotIsFilledWithCoffee": 3,
    "isFilledWithLiquid": 3,
    "isToggled": 3,
    "parentReceptacles": 4,
}
"""What must come before what: cut before cooking, wash before filling, all before
setting out.
"""

_DEFAULT_RANK = 3


def order_problem_keys(keys: tuple[ProblemKey, ...], known: Knowledge) -> tuple[ProblemKey, ...]:
    """Return the keys in the order to try them: by rank, then the nearest object.

    What is to be cut is left alone otherwise: the slices will be cooked or set out.
    """
    whole = {key.object_id for key in keys if key.property_name == "objectType"}
    keys = tuple(
        key for key in keys if key.property_name == "objectType" or key.object_id not in whole
    )

    def order(key: ProblemKey) -> tuple[int, bool, float]:
        obj = known.snapshot.get(key.object_id)
        far = known.view.distance_to(obj) if obj is not None else float("inf")
        waits = key.object_type not in known.memory.prioritized_types
        return PROPERTY_RANK.get(key.property_name, _DEFAULT_RANK), waits, far

    return tuple(sorted(keys, key=order))
