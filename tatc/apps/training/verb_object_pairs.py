"""The verbs that examples show applied to each object type."""

from collections import Counter
from collections.abc import Iterable, Sequence

from tatc.apps.training.examples import Example
from tatc.follower.learned.light.action_history import NETWORK_VERBS
from tatc.follower.learned.light.class_map import FIRST_NAMED_CLASS

MIN_PAIR_COUNT = 5
"""How often examples must show a pair for it to count; rarer ones are accidents."""


def frequent_verb_object_pairs(
    examples: Iterable[Example], classes: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the frequent (verb, object type) pairs, in the order of their ids.

    Args:
        examples: what is counted.
        classes: object types in the order of their class ids.

    """
    counts = Counter[tuple[int, int]]()
    for each in examples:
        counts.update(zip(each.actions.tolist(), each.classes.tolist(), strict=True))
    frequent = sorted(pair for pair, count in counts.items() if count >= MIN_PAIR_COUNT)
    return tuple(
        (NETWORK_VERBS[verb].value, classes[class_id - FIRST_NAMED_CLASS])
        for verb, class_id in frequent
        if class_id >= FIRST_NAMED_CLASS
    )
