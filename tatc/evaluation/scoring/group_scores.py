"""Scores of groups: per task, per room kind, per split, or by anything else."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from tatc.evaluation.scoring.aggregate import AggregateScore, aggregate_score
from tatc.evaluation.scoring.session_outcome import SessionOutcome

GroupScore = tuple[str, AggregateScore]
"""A group's name and its score."""


def scores_by_group(
    outcomes: Iterable[SessionOutcome],
    group_of: Callable[[SessionOutcome], str],
    order: Sequence[str] = (),
) -> tuple[GroupScore, ...]:
    """Return the score of each group: those in `order` first, then the others by name."""
    groups: defaultdict[str, list[SessionOutcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[group_of(outcome)].append(outcome)
    first = [each for each in order if each in groups]
    rest = sorted(set(groups).difference(first))
    return tuple((each, aggregate_score(groups[each])) for each in (*first, *rest))
