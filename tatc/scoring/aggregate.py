"""Scores of many sessions: TEACh's code pools, TEACh's paper averages.

The code divides sums over all sessions (spec section 5.2) and weights by the
reference's length; the paper takes the mean over sessions (section 8.5).  Both are
given, each under its name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from tatc.scoring.intervals import wilson
from tatc.scoring.outcome import Outcome
from tatc.scoring.trajectory import Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What came of a number of sessions; rates are fractions, None without a basis.

    `*_rate` are pooled as by TEACh's code, `macro_*` are means over sessions as in its
    paper; `plw_*` and `actions_ratio` compare with recorded sessions and leave out
    sessions without one.  `actions` and `human_actions` are means over solved
    sessions; `actions_ratio` is ours over theirs and `bound_ratio` our Follower's
    primitives over their lower bound, both sums over solved sessions.
    """

    sessions: int
    successes: int
    crashed: int
    success_rate: float | None
    interval: tuple[float, float]
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


def score(outcomes: Iterable[Outcome]) -> Score:
    """Return the score of these sessions."""
    kept = tuple(outcomes)
    solved = tuple(each for each in kept if each.success)
    paired = tuple(each for each in solved if each.human_actions is not None)
    paths = tuple(path for each in kept if (path := each.trajectory()) is not None)
    return Score(
        sessions=len(kept),
        successes=len(solved),
        crashed=sum(each.crashed for each in kept),
        success_rate=_ratio(len(solved), len(kept)),
        interval=wilson(len(solved), len(kept)),
        goal_condition_rate=_ratio(
            sum(each.completed for each in kept), sum(each.to_do for each in kept)
        ),
        macro_goal_condition_rate=_mean(map(_share, kept)),
        plw_success_rate=_weighted([path.weighted_success for path in paths], paths),
        macro_plw_success_rate=_mean(path.weighted_success for path in paths),
        plw_goal_condition_rate=_weighted(
            [path.weighted_goal_conditions for path in paths], paths
        ),
        macro_plw_goal_condition_rate=_mean(
            path.weighted_goal_conditions for path in paths
        ),
        actions=_mean(each.actions for each in solved),
        human_actions=_mean(each.human_actions or 0 for each in paired),
        actions_ratio=_ratio(
            sum(each.actions for each in paired),
            sum(each.human_actions or 0 for each in paired),
        ),
        bound_ratio=_bound_ratio(solved),
    )


def _share(outcome: Outcome) -> float:
    return outcome.completed / outcome.to_do if outcome.to_do else 1.0


def _weighted(values: Sequence[float], paths: Sequence[Trajectory]) -> float | None:
    """Return the mean of values weighted by the references' lengths."""
    total = sum(path.reference for path in paths)
    if not paths:
        return None
    weighed = zip(values, paths, strict=True)
    return sum(v * path.reference for v, path in weighed) / total if total else 0.0


def _bound_ratio(solved: Sequence[Outcome]) -> float | None:
    bounded = [each for each in solved if each.bound is not None]
    return _ratio(
        sum(each.steps for each in bounded), sum(each.bound or 0 for each in bounded)
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Iterable[float]) -> float | None:
    kept = list(values)
    return fmean(kept) if kept else None
