"""What people do to what, as far as examples show it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from tatc.follower.et.light.action_history import NETWORK_VERBS
from tatc.follower.et.light.class_map import FIRST_NAMED_CLASS
from tatc.training.examples import Example

MIN_PAIR_COUNT = 5
"""Times that something has to be done to a type to count as what is done to it."""


def frequent_verb_object_pairs(
    examples: Iterable[Example], classes: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the (verb, type) pairs that examples often show, in the numbers' order."""
    found = Counter[tuple[int, int]]()
    for each in examples:
        found.update(zip(each.actions.tolist(), each.classes.tolist(), strict=True))
    frequent = sorted(pair for pair, count in found.items() if count >= MIN_PAIR_COUNT)
    return tuple(
        (NETWORK_VERBS[verb].value, classes[class_id - FIRST_NAMED_CLASS])
        for verb, class_id in frequent
        if class_id >= FIRST_NAMED_CLASS
    )
