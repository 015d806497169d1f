"""What people do to what, as far as examples show it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from tatc.follower.et.light.history import VERBS
from tatc.follower.et.light.sight import KNOWN
from tatc.training.examples import Example

OFTEN = 5
"""Times that something has to be done to a type to count as what is done to it."""


def deeds_of(
    examples: Iterable[Example], classes: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the (verb, type) pairs that examples often show, in the numbers' order."""
    found = Counter[tuple[int, int]]()
    for each in examples:
        found.update(zip(each.actions.tolist(), each.classes.tolist(), strict=True))
    often = sorted(pair for pair, count in found.items() if count >= OFTEN)
    return tuple(
        (VERBS[verb].value, classes[noun - KNOWN])
        for verb, noun in often
        if noun >= KNOWN
    )
