"""The search for the last good moment, with every pattern of good and lost moments."""

from itertools import product

import pytest

from tatc.evaluation.blame.counterfactuals import BudgetSpent
from tatc.evaluation.blame.culprit import last_good_moment


@pytest.mark.parametrize("last", [0, 1, 2, 3, 7, 8, 100])
def test_the_last_moment_before_all_is_lost_is_found(last: int) -> None:
    for good in range(-1, last + 1):
        expected = None if good < 0 else good
        for every_step in (False, True):
            found = last_good_moment(good.__ge__, last, every_step=every_step)
            assert found.moment == expected
            assert found.is_final


def test_every_step_is_exact_and_bisection_ends_before_a_lost_moment() -> None:
    for pattern in product((False, True), repeat=8):
        exact = last_good_moment(pattern.__getitem__, 7, every_step=True).moment
        assert exact == max((m for m in range(8) if pattern[m]), default=None)
        found = last_good_moment(pattern.__getitem__, 7, every_step=False).moment
        if found is not None:
            assert pattern[found]
            assert found == 7 or not pattern[found + 1]


def test_a_state_that_is_won_again_is_found_by_the_guard() -> None:
    assert (
        last_good_moment(lambda m: m < 3 or m in (20, 21, 22, 23), 40, every_step=False).moment
        == 23
    )


def test_a_spent_budget_ends_the_search_with_what_is_known() -> None:
    tries = iter(range(4))

    def look(moment: int) -> bool:
        if next(tries, None) is None:
            raise BudgetSpent
        return moment <= 30

    found = last_good_moment(look, 40, every_step=False)
    assert not found.is_final
    assert found.moment is None or found.moment <= 30
