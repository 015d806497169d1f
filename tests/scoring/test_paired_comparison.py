"""Paired comparisons: known values, and what must hold of any counts."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tatc.scoring.paired_comparison import PairedOutcomes, count_paired_outcomes

COUNTS = st.builds(PairedOutcomes, *(st.integers(0, 60) for _ in range(4)))


def test_pairs_are_counted() -> None:
    pairs = [(True, True), (True, False), (True, False), (False, True), (False, False)]
    assert count_paired_outcomes(pairs) == PairedOutcomes(1, 2, 1, 1)
    assert count_paired_outcomes(pairs).difference == pytest.approx(0.2)


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
