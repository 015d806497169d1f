"""Scores: of one session, of many, of groups, and of two agents in the same sessions.

Goal conditions and path weights are TEACh's (spec section 5.1).  For many sessions, its code
divides sums (5.2) and weights by the reference's length; its paper takes means (8.5).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from importlib import import_module
from math import fsum, sqrt
from statistics import fmean
from typing import Any

from tatc.tdl import Progress

Z_95_PERCENT = 1.959963984540054
"""The quantile of the normal distribution that leaves 2.5 % on either side."""


@dataclass(frozen=True, slots=True)
class GoalConditionCounts:
    """The goal conditions at one moment: how many there are, and how many are met."""

    total: int
    met: int

    @staticmethod
    def of(progress: Progress) -> "GoalConditionCounts":
        """Return the counts of a progress check."""
        return GoalConditionCounts(
            progress.goal_conditions_total, progress.goal_conditions_satisfied
        )

    @property
    def unmet(self) -> int:
        """The number not met; a relation may count more met than there are."""
        return self.total - min(self.total, self.met)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOutcome:
    """A finished session: how it ended, how far the task came, and what it took.

    `actions` counts the logged interactions of both agents, and `human_actions` those of the two
    people in the recorded session, None without one.  `steps` counts the Follower's primitives,
    failed ones too, and `lower_bound` is a lower bound on them, None if none was computed.
    `stopped` says whether the session ended with a Stop of the player.
    """

    task: str
    room_kind: str
    split: str
    success: bool
    crashed: bool
    stopped: bool
    goal_conditions_before: GoalConditionCounts
    goal_conditions_after: GoalConditionCounts
    actions: int
    steps: int
    human_actions: int | None = None
    lower_bound: int | None = None

    @property
    def unmet_at_start(self) -> int:
        """The number of goal conditions that were not met at the start."""
        return self.goal_conditions_before.unmet

    @property
    def completed(self) -> int:
        """The number of goal conditions met during the session, minus those undone."""
        return self.goal_conditions_before.unmet - self.goal_conditions_after.unmet

    @property
    def completed_share(self) -> float:
        """The share of goal conditions met of those unmet at the start, 1 if there were none."""
        return self.completed / self.unmet_at_start if self.unmet_at_start else 1.0

    @property
    def goal_condition_rate(self) -> float:
        """The same as TEACh's code computes it, which may differ in the last digit."""
        start = self.unmet_at_start
        return 1 - (start - self.completed) / start if start else 1.0

    @property
    def path_weight(self) -> float:
        """1 up to the length of the recorded session, which logs no Stop; it falls beyond."""
        people, own = self.human_actions or 0, self.actions + self.stopped
        return people / max(people, own) if people or own else 1.0


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
    crashes: int


GroupScore = tuple[str, AggregateScore]  # a group's name and its score


def aggregate_score(outcomes: Iterable[SessionOutcome]) -> AggregateScore:
    """Return the score of these sessions."""
    kept = tuple(outcomes)
    solved = tuple(each for each in kept if each.success)
    paired = tuple(each for each in solved if each.human_actions is not None)
    bounded = [each for each in solved if each.lower_bound is not None]
    paths = tuple(each for each in kept if each.human_actions is not None)
    won = [each.success * each.path_weight for each in paths]
    reached = [each.goal_condition_rate * each.path_weight for each in paths]
    completed, unmet = [each.completed for each in kept], [each.unmet_at_start for each in kept]
    human_actions = [each.human_actions or 0 for each in paired]
    return AggregateScore(
        sessions=len(kept),
        successes=len(solved),
        crashes=sum(each.crashed for each in kept),
        success_rate=ratio(len(solved), len(kept)),
        success_interval=wilson_interval(len(solved), len(kept)),
        goal_condition_rate=ratio(sum(completed), sum(unmet)),
        macro_goal_condition_rate=_mean(each.completed_share for each in kept),
        plw_success_rate=_reference_weighted_mean(won, paths),
        macro_plw_success_rate=_mean(won),
        plw_goal_condition_rate=_reference_weighted_mean(reached, paths),
        macro_plw_goal_condition_rate=_mean(reached),
        actions=_mean(each.actions for each in solved),
        human_actions=_mean(human_actions),
        actions_ratio=ratio(sum(each.actions for each in paired), sum(human_actions)),
        bound_ratio=ratio(
            sum(each.steps for each in bounded), sum(each.lower_bound or 0 for each in bounded)
        ),
    )


def _reference_weighted_mean(
    values: Sequence[float], paths: Sequence[SessionOutcome]
) -> float | None:
    if not paths:
        return None
    lengths = [each.human_actions or 0 for each in paths]
    weighed = fsum(value * length for value, length in zip(values, lengths, strict=True))
    return weighed / sum(lengths) if any(lengths) else 0.0


def ratio(part: int, whole: int) -> float | None:
    """Return a part's share of a whole, None of nothing."""
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
    """Return the 95 % score interval of a rate after Wilson (1927); (0, 1) without any try."""
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


@dataclass(frozen=True, slots=True)
class PairedOutcomes:
    """In how many sessions both, only the first, only the second, and neither succeeded."""

    both_succeeded: int
    only_first_succeeded: int
    only_second_succeeded: int
    neither_succeeded: int

    @property
    def sessions(self) -> int:
        """How many sessions both ran."""
        return sum(astuple(self))

    @property
    def first_successes(self) -> int:
        """How many sessions the first solved."""
        return self.both_succeeded + self.only_first_succeeded

    @property
    def second_successes(self) -> int:
        """How many sessions the second solved."""
        return self.both_succeeded + self.only_second_succeeded

    @property
    def difference(self) -> float:
        """The first's success rate minus the second's, as a fraction; 0 without sessions."""
        more = self.only_first_succeeded - self.only_second_succeeded
        return more / self.sessions if self.sessions else 0.0

    @property
    def p_value(self) -> float:
        """The p-value of McNemar's exact test, two-sided; 1 if neither alone solved any."""
        uneven = self.only_first_succeeded + self.only_second_succeeded
        if not uneven:
            return 1.0
        stats: Any = import_module("scipy.stats")  # slow, and without types
        return float(stats.binomtest(self.only_first_succeeded, uneven).pvalue)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference; (-1, 1) without sessions.

        Newcombe (1998, Statistics in Medicine 17, 2635-2650), method 10: Wilson's intervals
        of both rates, combined with the correlation of the pairs.
        """
        n = self.sessions
        if not n:
            return -1.0, 1.0
        one, two = self.first_successes, self.second_successes
        (low1, high1), (low2, high2) = wilson_interval(one, n), wilson_interval(two, n)
        p1, p2, phi = one / n, two / n, self._correlation()
        down = _combine_margins(p1 - low1, high2 - p2, phi)
        up = _combine_margins(high1 - p1, p2 - low2, phi)
        return self.difference - down, self.difference + up

    def _correlation(self) -> float:
        """Return the correlation of the pairs, with a correction for continuity."""
        a, b, c, d = astuple(self)
        margins = (a + b) * (c + d) * (a + c) * (b + d)
        if not margins:
            return 0.0
        cross = a * d - b * c
        if cross > 0:
            cross = max(cross - self.sessions / 2, 0.0)
        return cross / sqrt(margins)


def count_paired_outcomes(successes: Iterable[tuple[bool, bool]]) -> PairedOutcomes:
    """Count sessions by whether the first and the second succeeded."""
    counts = Counter(successes)
    return PairedOutcomes(
        counts[True, True], counts[True, False], counts[False, True], counts[False, False]
    )


def _combine_margins(one: float, other: float, phi: float) -> float:
    return sqrt(max(one * one - 2 * phi * one * other + other * other, 0.0))
