"""Paired comparisons: known values, and what must hold of any counts."""

from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tatc.evaluation.scoring.scores import PairedOutcomes, count_paired_outcomes, wilson_interval

COUNTS = st.builds(PairedOutcomes, *(st.integers(0, 60) for _ in range(4)))


def test_pairs_are_counted() -> None:
    pairs = [(True, True), (True, False), (True, False), (False, True), (False, False)]
    assert count_paired_outcomes(pairs) == PairedOutcomes(1, 2, 1, 1)
    assert count_paired_outcomes(pairs).difference == pytest.approx(0.2)


def test_each_outcome_has_its_own_count() -> None:
    counts = PairedOutcomes(4, 3, 2, 1)
    pairs = [(True, True)] * 4 + [(True, False)] * 3 + [(False, True)] * 2 + [(False, False)]
    assert count_paired_outcomes(pairs) == counts
    assert (counts.sessions, counts.first_successes, counts.second_successes) == (10, 7, 6)
    assert counts.difference == pytest.approx(0.1)


def test_without_sessions_nothing_is_known() -> None:
    none = PairedOutcomes(0, 0, 0, 0)
    assert none.interval == (-1.0, 1.0)
    assert (none.difference, none.p_value) == (0.0, 1.0)


@example(PairedOutcomes(1, 1, 1, 2))  # hardly correlated
@example(PairedOutcomes(1, 1, 8, 30))  # a rate well below its interval's end
@settings(max_examples=50)
@given(st.builds(PairedOutcomes, *(st.integers(1, 30) for _ in range(4))))
def test_the_interval_is_both_rates_with_the_correlation_of_the_pairs(
    counts: PairedOutcomes,
) -> None:
    a, b, c, d = astuple(counts)
    first = np.repeat([1, 1, 0, 0], [a, b, c, d])
    second = np.repeat([1, 0, 1, 0], [a, b, c, d])
    phi = np.corrcoef(first, second)[0, 1]
    cross = a * d - b * c
    if cross > 0:  # the correction for continuity
        phi *= max(cross - len(first) / 2, 0) / cross
    (low1, high1), (low2, high2) = (wilson_interval(sum(x), len(x)) for x in (first, second))
    p1, p2 = first.mean(), second.mean()

    def margin(one: float, other: float) -> float:
        return float(np.sqrt(one**2 - 2 * phi * one * other + other**2))

    assert counts.interval == (
        pytest.approx(p1 - p2 - margin(p1 - low1, high2 - p2)),
        pytest.approx(p1 - p2 + margin(high1 - p1, p2 - low2)),
    )


def test_the_exact_test_is_the_binomial_one() -> None:
    # 1 against 9 of ten: 2 * (1 + 10) / 2 ** 10.
    assert PairedOutcomes(5, 1, 9, 5).p_value == pytest.approx(22 / 1024)
    assert PairedOutcomes(5, 0, 0, 5).p_value == 1.0
    assert PairedOutcomes(3, 4, 4, 3).p_value == 1.0


def test_newcombes_own_example() -> None:
    # Method 10 on (36, 12, 2, 0) in Newcombe's table II: 0.0569 to 0.3404.
    low, high = PairedOutcomes(36, 12, 2, 0).interval
    assert (low, high) == (pytest.approx(0.0569, abs=2e-4), pytest.approx(0.3404, abs=2e-4))


@given(COUNTS)
def test_the_interval_holds_the_difference(counts: PairedOutcomes) -> None:
    low, high = counts.interval
    assert -1 - 1e-9 <= low <= counts.difference <= high <= 1 + 1e-9
    assert 0 <= counts.p_value <= 1


@given(COUNTS)
def test_changing_places_changes_the_sign(counts: PairedOutcomes) -> None:
    assume(counts.sessions)
    other = PairedOutcomes(
        counts.both_succeeded,
        counts.only_second_succeeded,
        counts.only_first_succeeded,
        counts.neither_succeeded,
    )
    low, high = counts.interval
    assert other.difference == -counts.difference
    assert other.interval == (pytest.approx(-high), pytest.approx(-low))
    assert other.p_value == pytest.approx(counts.p_value)
