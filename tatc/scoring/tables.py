"""Scores of groups: per task, per room kind, per split, or by anything else."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from tatc.scoring.aggregate import Score, score
from tatc.scoring.outcome import Outcome

Group = tuple[str, Score]
"""A group's name and its score."""


def scores_by(
    outcomes: Iterable[Outcome],
    name: Callable[[Outcome], str],
    order: Sequence[str] = (),
) -> tuple[Group, ...]:
    """Return the score of each group, those in `order` first, then by name."""
    groups: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[name(outcome)].append(outcome)
    first = [each for each in order if each in groups]
    rest = sorted(set(groups).difference(first))
    return tuple((each, score(groups[each])) for each in (*first, *rest))
