"""Two agents in the same sessions: how much better one is, and how certain that is."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from importlib import import_module
from math import sqrt
from typing import Any

from tatc.evaluation.scoring.aggregate import wilson_interval


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
        """The p-value of McNemar's exact test, two-sided.

        It is the probability that the sessions which only one of them solved are split
        between the two at least this unevenly if each is equally likely to solve them; 1
        without such sessions.
        """
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
