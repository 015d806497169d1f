"""What pairs of sessions tell of two agents: differences of a measure, and how many it takes."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import product
from statistics import fmean
from typing import Any

import numpy as np

from tatc.evaluation.scoring.scores import PairedOutcomes

SIGNIFICANCE_LEVEL = 0.05  # a difference counts as significant where its p-value is below this
_POWER = 0.8  # how probably a difference that so many sessions "show" is significant
_USUAL_DIFFERENCE = 0.05  # of success rates, to look for where none was found
_MAX_SESSIONS = 2**13
_MAX_EXACT, _DRAWS = 13, 9999


@dataclass(frozen=True, slots=True)
class PairedMeasure:
    """A measure of two agents in the same sessions, in the same order."""

    first: tuple[float, ...] = ()
    second: tuple[float, ...] = ()

    def test(self) -> tuple[float, tuple[float, float] | None, float]:
        """Return the mean difference, first minus second, and what `randomisation_test` says."""
        pairs = zip(self.first, self.second, strict=True)
        return randomisation_test(tuple(one - two for one, two in pairs))

    def to_json(self) -> dict[str, Any] | None:
        """Return means, interval and test as JSON, None without sessions."""
        if not self.first:
            return None
        difference, interval, p_value = self.test()
        found = {"sessions": len(self.first), "first": fmean(self.first)}
        found |= {"second": fmean(self.second), "difference": difference}
        return found | {"interval": interval, "p": p_value}

    def in_words(self, scale: float = 1.0) -> str:
        """Return the same in words, with means times a factor; "" without sessions."""
        if not self.first:
            return ""
        difference, interval, p_value = self.test()
        means = f"{scale * fmean(self.first):.1f} against {scale * fmean(self.second):.1f}"
        found = [f"{round(scale * end, 1) + 0.0:+.1f}" for end in (difference, *(interval or ()))]
        shown = f" ({' to '.join(found[1:])})" if interval else ""
        return f"{means}, a difference of {found[0]}{shown}, p = {p_value:.2g}"


@lru_cache(maxsize=256)
def randomisation_test(
    differences: tuple[float, ...],
) -> tuple[float, tuple[float, float] | None, float]:
    """Return the mean of paired differences, its 95 % interval, and the p-value of being 0.

    Fisher's randomisation test flips their signs, and the interval has all means that it does not
    refuse: None for less than six sessions, where it refuses none.  It is exact for up to 13, else
    from 9,999 draws, always the same.
    """
    values, count = np.array(differences), len(differences)
    exact = count <= _MAX_EXACT
    if exact:
        signs = np.array([*product((-1, 1), repeat=count)], np.int8)
    else:
        signs = np.random.default_rng(0).integers(2, size=(_DRAWS, count), dtype=np.int8) * 2 - 1
    sums, counts = signs @ values, signs.sum(axis=1)

    def p_value(mean: float) -> float:
        as_far = np.abs(sums - mean * counts) >= abs(values.sum() - mean * count) - 1e-9
        return float((as_far.sum() + (not exact)) / (len(sums) + (not exact)))

    mean, ends = float(values.mean()), list[float]()
    for outside in (float(values.min()) - 1e-6, float(values.max()) + 1e-6):
        inside = mean
        if p_value(outside) >= SIGNIFICANCE_LEVEL:
            return mean, None, p_value(0.0)
        for _ in range(40):
            middle = (inside + outside) / 2
            refused = p_value(middle) < SIGNIFICANCE_LEVEL
            inside, outside = (inside, middle) if refused else (middle, outside)
        ends.append(inside)
    return mean, (ends[0], ends[1]), p_value(0.0)


def mcnemar_power(sessions: int, only_first: float, only_second: float) -> float:
    """Return how probably McNemar's exact test finds the first better, at 5 % and two-sided.

    `only_first` and `only_second` are the shares of sessions that only one of them solves.
    """
    binom: Any = import_module("scipy.stats").binom
    uneven, share = np.arange(1, sessions + 1), only_first + only_second
    wins = binom.sf(binom.isf(SIGNIFICANCE_LEVEL / 2, uneven, 0.5), uneven, only_first / share)
    return float(binom.pmf(uneven, sessions, min(share, 1.0)) @ wins)


def conclusion(paired: PairedOutcomes) -> str:
    """Return what so many sessions can show of success and, if they show nothing, what would."""
    if not paired.sessions:
        return ""
    uneven = (paired.only_first_succeeded + paired.only_second_succeeded) / paired.sessions

    def power(sessions: int, difference: float) -> float:
        less = max(uneven - difference, 0.0) / 2
        return mcnemar_power(sessions, less + difference, less)

    every = range(1, 101)
    at = bisect_left(every, _POWER, key=lambda points: power(paired.sessions, points / 100))
    words = "so many sessions are too few to show any difference"
    if at < len(every):
        words = f"so many sessions show {every[at]} points or more (in 4 of 5 cases)"
    if paired.p_value < SIGNIFICANCE_LEVEL:
        return words
    sought = abs(paired.difference) or _USUAL_DIFFERENCE
    counts = range(1, _MAX_SESSIONS)
    needed = bisect_left(counts, _POWER, key=lambda sessions: power(sessions, sought)) + 1
    many = "about" if needed < _MAX_SESSIONS else "more than"
    takes = f"{many} {needed} would show {100 * sought:.1f} points"
    return f"nothing can be concluded; {words}, and {takes}"
