"""Scores of many sessions: pooled as in TEACh's code, averaged as in its paper.

The code divides sums over all sessions (spec section 5.2) and weights by the length of the
reference; the paper takes the mean over sessions (section 8.5).  Both are given, each under
its own name.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import Any

from tatc.evaluation.scoring.session_outcome import SessionOutcome, TrajectoryScore

Z_95_PERCENT = 1.959963984540054
"""The quantile of the normal distribution that leaves 2.5 % on either side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregateScore:
    """The score of a number of sessions; rates are fractions, None without a basis.

    `*_rate` are pooled as in TEACh's code, `macro_*` are means over sessions as in its paper.
    `plw_*` (path-length-weighted) and `actions_ratio` compare with recorded sessions and leave
    out sessions without one.  `actions` and `human_actions` are means over solved sessions.
    `actions_ratio` is the agents' actions over the people's, `bound_ratio` the Follower's
    primitives over their lower bound; both are ratios of sums over solved sessions.
    """

    sessions: int
    successes: int
    crashes: int
    success_rate: float | None
    success_interval: tuple[float, float]
    goal_condition_rate: float | None
    macro_goal_condition_rate: float | None
    plw_success_rate: float | None
    macro_plw_success_rate: float | None
    plw_goal_condition_rate: float | None
    macro_plw_goal_condition_rate: float | None
    actions: float | None
    human_actions: float | None
    actions_ratio: float | None
    bound_ratio: float | None


GroupScore = tuple[str, AggregateScore]
"""A group's name and its score."""


def aggregate_score(outcomes: Iterable[SessionOutcome]) -> AggregateScore:
    """Return the score of these sessions."""
    kept = tuple(outcomes)
    solved = tuple(each for each in kept if each.success)
    paired = tuple(each for each in solved if each.human_actions is not None)
    bounded = [each for each in solved if each.lower_bound is not None]
    paths = tuple(path for each in kept if (path := each.trajectory_score()) is not None)
    return AggregateScore(
        sessions=len(kept),
        successes=len(solved),
        crashes=sum(each.crashed for each in kept),
        success_rate=_ratio(len(solved), len(kept)),
        success_interval=wilson_interval(len(solved), len(kept)),
        goal_condition_rate=_ratio(
            sum(each.completed for each in kept), sum(each.unmet_at_start for each in kept)
        ),
        macro_goal_condition_rate=_mean(
            each.completed / each.unmet_at_start if each.unmet_at_start else 1.0 for each in kept
        ),
        plw_success_rate=_reference_weighted_mean([path.weighted_success for path in paths], paths),
        macro_plw_success_rate=_mean(path.weighted_success for path in paths),
        plw_goal_condition_rate=_reference_weighted_mean(
            [path.weighted_goal_condition_rate for path in paths], paths
        ),
        macro_plw_goal_condition_rate=_mean(path.weighted_goal_condition_rate for path in paths),
        actions=_mean(each.actions for each in solved),
        human_actions=_mean(each.human_actions or 0 for each in paired),
        actions_ratio=_ratio(
            sum(each.actions for each in paired), sum(each.human_actions or 0 for each in paired)
        ),
        bound_ratio=_ratio(
            sum(each.steps for each in bounded), sum(each.lower_bound or 0 for each in bounded)
        ),
    )


def _reference_weighted_mean(
    values: Sequence[float], paths: Sequence[TrajectoryScore]
) -> float | None:
    """Return the mean of values weighted by the references' lengths."""
    total = sum(path.reference_length for path in paths)
    if not paths:
        return None
    weighed = zip(values, paths, strict=True)
    return sum(v * path.reference_length for v, path in weighed) / total if total else 0.0


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Iterable[float]) -> float | None:
    kept = list(values)
    return fmean(kept) if kept else None


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


def wilson_interval(successes: int, tries: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a rate; (0, 1) without any try.

    Wilson (1927).  Unlike the normal interval it stays within 0 and 1, and is useful near both.
    """
    if not tries:
        return 0.0, 1.0
    rate, square = successes / tries, Z_95_PERCENT * Z_95_PERCENT
    middle = rate + square / (2 * tries)
    reach = Z_95_PERCENT * sqrt(rate * (1 - rate) / tries + square / (4 * tries * tries))
    scale = 1 + square / tries
    low = 0.0 if successes == 0 else (middle - reach) / scale
    high = 1.0 if successes == tries else (middle + reach) / scale
    return low, high


def teach_metrics_json(
    outcomes: Iterable[SessionOutcome], *, stops: int, failure_limit_ends: int, step_limit_ends: int
) -> dict[str, Any]:
    """Return what TEACh's script writes of EDH and TfD (spec section 5.2), without `traj_stats`.

    The outcomes have the lengths of their references.  `stops` is how many the player ended itself,
    `failure_limit_ends` how many ended with the 30th failed action, `step_limit_ends` with the
    1,000th step.  Where TEACh divides by zero, the rate is null.  A crashed session counts in
    `num_evals`; TEACh leaves it out.
    """
    kept = tuple(outcomes)
    got = aggregate_score(kept)
    return {
        "success": {
            "num_successes": got.successes,
            "num_evals": got.sessions,
            "success_rate": got.success_rate,
        },
        "goal_condition_success": {
            "completed_goal_conditions": sum(each.completed for each in kept),
            "total_goal_conditions": sum(each.unmet_at_start for each in kept),
            "goal_condition_success_rate": got.goal_condition_rate,
        },
        "path_length_weighted_success_rate": got.plw_success_rate,
        "path_length_weighted_goal_condition_success_rate": got.plw_goal_condition_rate,
        "num_predicted_stops": stops,
        "num_fails_by_api_limit": failure_limit_ends,
        "num_fails_by_traj_len_limit": step_limit_ends,
        "num_fails_by_error": got.crashes,
    }
