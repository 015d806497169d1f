"""Rates of agreement per action and per session, with intervals over floor plans.

People try again and again where an action is refused, so that a few stubborn sessions can
decide a rate over all actions.  The rate per session is the mean over sessions of the
session's own rate: each session counts the same, however often its people tried.

Games of one floor plan share its furniture and are not independent.  The intervals are
therefore those of a bootstrap over floor plans (Efron and Tibshirani 1993, section 13.3: the
percentile interval), which draws whole plans with replacement.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np

from tatc.evaluation.fidelity.game_fidelity import GameFidelity

INTERVAL_LEVEL = 0.95
RESAMPLE_COUNT = 2000
BOOTSTRAP_SEED = 0
_DIGITS = 6

Interval = tuple[float, float]
"""The lower and the upper end, 0 to 1."""


@dataclass(frozen=True, slots=True)
class RateEstimate:
    """A rate over `n` actions or sessions, None if there are none.

    The interval is None if fewer than two floor plans have such actions.
    """

    n: int
    rate: float | None
    interval: Interval | None

    def to_json(self) -> dict[str, Any]:
        """Return number and rate, without the interval."""
        return {"n": self.n, "rate": self.rate}


@dataclass(frozen=True, slots=True)
class MeasureRates:
    """The two rates of one measure."""

    measure: str
    per_action: RateEstimate
    per_session: RateEstimate

    def intervals_json(self) -> dict[str, Any]:
        """Return the intervals of both."""
        return {"per_action": self.per_action.interval, "per_session": self.per_session.interval}


def measure_rates(
    measure: str, games: Iterable[GameFidelity], counted: Sequence[str] = ()
) -> MeasureRates:
    """Return the rates of a measure over games, whose order makes no difference.

    `counted` has the names under which its answers are counted; by default it is its own.
    """
    by_plan: dict[str, list[tuple[int, int]]] = {}
    for game in games:
        answers = sum(game.counts.compared[name] for name in counted or (measure,))
        if answers:
            ours = sum(game.counts.agreed[name] for name in counted or (measure,))
            by_plan.setdefault(game.plan, []).append((ours, answers))
    plans = [by_plan[plan] for plan in sorted(by_plan)]
    agreed = [sum(ours for ours, _ in sessions) for sessions in plans]
    compared = [sum(all_ for _, all_ in sessions) for sessions in plans]
    own_rates = [fsum(ours / all_ for ours, all_ in sessions) for sessions in plans]
    per_session = _estimate(own_rates, [len(sessions) for sessions in plans])
    return MeasureRates(measure, _estimate(agreed, compared), per_session)


def _estimate(agreed: Sequence[float], compared: Sequence[int]) -> RateEstimate:
    """Return the rate of sums over floor plans; both have one number for each plan."""
    n = sum(compared)
    rate = round(fsum(agreed) / n, _DIGITS) if n else None
    return RateEstimate(n, rate, _bootstrap_interval(agreed, compared))


def _bootstrap_interval(agreed: Sequence[float], compared: Sequence[int]) -> Interval | None:
    plans = len(compared)
    if plans < 2:
        return None
    random = np.random.default_rng(BOOTSTRAP_SEED)
    times_drawn = random.multinomial(plans, np.full(plans, 1 / plans), size=RESAMPLE_COUNT)
    rates = (times_drawn @ np.array(agreed)) / (times_drawn @ np.array(compared))
    outside = (1 - INTERVAL_LEVEL) / 2
    low, high = np.quantile(rates, (outside, 1 - outside)).tolist()
    return round(low, _DIGITS), round(high, _DIGITS)
