"""What pairs of sessions tell: against enumeration, and against what is known of small samples."""

from itertools import product
from math import comb

import pytest

from tatc.evaluation.scoring import paired_tests
from tatc.evaluation.scoring.paired_tests import PairedMeasure, conclusion, randomisation_test
from tatc.evaluation.scoring.scores import PairedOutcomes


def test_the_power_is_that_of_all_outcomes() -> None:
    sessions, more, less = 12, 0.6, 0.1
    power = 0.0
    for wins, losses in product(range(sessions + 1), repeat=2):
        evens = sessions - wins - losses
        if evens >= 0 and wins > losses and PairedOutcomes(0, wins, losses, 0).p_value < 0.05:
            ways = comb(sessions, wins) * comb(sessions - wins, losses)
            power += ways * more**wins * less**losses * (1 - more - less) ** evens
    assert paired_tests.mcnemar_power(sessions, more, less) == pytest.approx(power)


def test_six_differences_of_one_sign_are_the_fewest_that_tell() -> None:
    mean, interval, p_value = randomisation_test((1.0,) * 5)
    assert (mean, interval, p_value) == (1.0, None, 2 / 2**5)
    mean, interval, p_value = randomisation_test((1.0, 2.0, 3.0, 1.0, 2.0, 3.0))
    assert (mean, p_value) == (2.0, 2 / 2**6)
    assert interval is not None and 0 < interval[0] < 2 < interval[1]


@pytest.mark.parametrize(
    "values", [(-1.0, 5.0, 2.0, 2.5, 0.0, 1.0, 3.0, -2.0), tuple(map(float, range(-9, 21)))]
)
def test_the_interval_holds_what_the_test_does_not_refuse(values: tuple[float, ...]) -> None:
    _, interval, p_value = randomisation_test(values)
    assert interval is not None
    assert (p_value < paired_tests.SIGNIFICANCE_LEVEL) is not (interval[0] <= 0 <= interval[1])
    for end, inwards in zip(interval, (1, -1), strict=True):
        inside, outside = (end + step * inwards for step in (1e-3, -1e-3))
        for mean, is_refused in ((inside, False), (outside, True)):
            _, _, p_value = randomisation_test(tuple(value - mean for value in values))
            assert (p_value < paired_tests.SIGNIFICANCE_LEVEL) is is_refused


def test_measures_are_told_in_words_and_json() -> None:
    measure = PairedMeasure((1.0, 1.0), (0.5, 0.0))
    assert measure.in_words(100) == "100.0 against 25.0, a difference of +75.0, p = 0.5"
    assert measure.to_json() == {
        "sessions": 2, "first": 1.0, "second": 0.25, "difference": 0.75, "interval": None, "p": 0.5
    }  # fmt: skip
    assert (PairedMeasure().in_words(), PairedMeasure().to_json()) == ("", None)


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ((0, 4, 0, 0), "too few to show any difference, and about 6 would show 100.0 points"),
        ((190, 0, 0, 10), "show 4 points or more (in 4 of 5 cases), and about 157 would show 5.0"),
        ((900, 51, 50, 0), "and more than 8192 would show 0.1 points"),
        ((10, 20, 1, 1), "so many sessions show "),
        ((0, 0, 0, 0), ""),
    ],
)
def test_a_conclusion_says_what_it_would_take(counts: tuple[int, ...], says: str) -> None:
    said = conclusion(PairedOutcomes(*counts))
    assert says in said
    assert said.startswith("nothing can be concluded") is ("would show" in said)
