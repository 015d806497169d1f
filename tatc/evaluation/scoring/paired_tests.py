"""What pairs of sessions tell of two agents: differences of a measure, and how many it takes."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import numpy as np

from tatc.evaluation.scoring.scores import PairedOutcomes

SIGNIFICANCE_LEVEL = 0.05
"""A difference counts as significant where its p-value is below this."""
POWER = 0.8
"""Sessions show a difference if it is significant with this probability."""
USUAL_DIFFERENCE = 0.05
"""The difference of success rates to look for where none was found."""
_MAX_SESSIONS = 2**13
_MAX_EXACT, _DRAWS = 13, 9999


@dataclass(frozen=True, slots=True)
class PairedMeasure:
    """A measure of two agents in the same sessions, in the same order."""

    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def differences(self) -> list[float]:
        """First minus second, session by session."""
        return [one - two for one, two in zip(self.first, self.second, strict=True)]

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean difference by Student's t; None for less than two."""
        found = self.differences
        if len(found) < 2:
            return None
        stats: Any = import_module("scipy.stats")  # slow, and without types
        reach = float(stats.t.ppf(0.975, len(found) - 1)) * stdev(found) / sqrt(len(found))
        return fmean(found) - reach, fmean(found) + reach

    @property
    def p_value(self) -> float:
        """The two-sided p-value of Fisher's randomisation test, which flips signs of differences.

        It is exact for up to 13 sessions that differ, else from 9,999 draws, always the same.
        """
        uneven = np.array([each for each in self.differences if each])
        exact = len(uneven) <= _MAX_EXACT
        if exact:
            signs = np.array([*product((-1, 1), repeat=len(uneven))])
        else:
            signs = np.random.default_rng(0).choice((-1, 1), (_DRAWS, len(uneven)))
        as_far = np.abs(signs @ uneven) >= abs(uneven.sum()) - 1e-9
        return float(as_far.mean() if exact else (as_far.sum() + 1) / (_DRAWS + 1))

    def to_json(self) -> dict[str, Any] | None:
        """Return means, interval and test as JSON, None without sessions."""
        if not self.first:
            return None
        found = {"sessions": len(self.first), "first": fmean(self.first)}
        found |= {"second": fmean(self.second), "difference": fmean(self.differences)}
        return found | {"interval": self.interval, "p": self.p_value}

    def in_words(self, scale: float = 1.0) -> str:
        """Return the same in words, with means times a factor; "" without sessions."""
        if not self.first:
            return ""
        one, two = scale * fmean(self.first), scale * fmean(self.second)
        low, high = (scale * end for end in self.interval or (-np.inf, np.inf))
        words = f"{one:.1f} against {two:.1f}, a difference of {one - two:+.1f}"
        return f"{words} ({low:+.1f} to {high:+.1f}), p = {self.p_value:.2g}"


def mcnemar_power(sessions: int, only_first: float, only_second: float) -> float:
    """Return how probably McNemar's exact test finds the first better, at 5 % and two-sided.

    `only_first` and `only_second` are the shares of sessions that only one of them solves.
    """
    binom: Any = import_module("scipy.stats").binom
    uneven, share = np.arange(1, sessions + 1), only_first + only_second
    wins = binom.sf(binom.isf(SIGNIFICANCE_LEVEL / 2, uneven, 0.5), uneven, only_first / share)
    return float(binom.pmf(uneven, sessions, min(share, 1.0)) @ wins)


def what_it_takes(paired: PairedOutcomes) -> tuple[float | None, float, int | None]:
    """Return the least difference that so many sessions show, another one, and what it takes.

    The other one is that found, or the usual one if none was.  None: no number is large enough.
    """
    uneven = (paired.only_first_succeeded + paired.only_second_succeeded) / paired.sessions

    def power(sessions: int, difference: float) -> float:
        less = max(uneven - difference, 0.0) / 2
        return mcnemar_power(sessions, less + difference, less)

    points = _least(100, lambda points: power(paired.sessions, points / 100))
    sought = abs(paired.difference) or USUAL_DIFFERENCE
    needed = _least(_MAX_SESSIONS, lambda sessions: power(sessions, sought))
    return None if points is None else points / 100, sought, needed


def _least(most: int, power: Callable[[int], float]) -> int | None:
    """Return the least number from 1 on that has enough power, None if the most has not."""
    found = bisect_left(range(1, most + 1), POWER, key=power) + 1
    return found if found <= most else None


def conclusion(paired: PairedOutcomes) -> str:
    """Return what so many sessions can show of success and, if they show nothing, what it takes."""
    least, sought, needed = what_it_takes(paired)
    words = "so many sessions are too few to show any difference"
    if least is not None:
        words = f"so many sessions show {100 * least:.0f} points or more (in 4 of 5 cases)"
    if paired.p_value < SIGNIFICANCE_LEVEL:
        return words
    many = f"more than {_MAX_SESSIONS:,}" if needed is None else f"about {needed}"
    return f"nothing can be concluded; {words}, and {many} would show {100 * sought:.1f} points"
