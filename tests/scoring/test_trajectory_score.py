"""The worked values of TEACh's metrics (spec sections 5.1 and 5.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatc.scoring import GoalConditionCounts, SessionOutcome, aggregate_score, score_trajectory

COUNTS = st.builds(GoalConditionCounts, st.integers(0, 40), st.integers(0, 60))


def _outcome(
    success: bool, reference: int, predicted: int, counts: tuple[int, int, int, int]
) -> SessionOutcome:
    """Return a session of so many actions, the Stop among them."""
    total, met, total_end, met_end = counts
    return SessionOutcome(
        task="Coffee",
        room_kind="Kitchen",
        split="train",
        success=success,
        crashed=False,
        stopped=True,
        goal_conditions_before=GoalConditionCounts(total, met),
        goal_conditions_after=GoalConditionCounts(total_end, met_end),
        actions=predicted - 1,
        steps=predicted - 1,
        human_actions=reference,
    )


def test_more_undone_than_met() -> None:
    got = score_trajectory(False, GoalConditionCounts(10, 6), GoalConditionCounts(10, 5), 10, 20)
    assert (got.completed, got.unmet_at_start) == (-1, 4)
    assert got.goal_condition_rate == -0.25
    assert got.weighted_goal_condition_rate == -0.125
    assert got.weighted_goal_condition_rate * got.reference_length == -1.25


def test_nothing_was_to_do() -> None:
    got = score_trajectory(False, GoalConditionCounts(10, 10), GoalConditionCounts(10, 8), 10, 10)
    assert (got.goal_condition_rate, got.completed, got.unmet_at_start) == (1.0, -2, 0)


def test_perfect_imitation_then_stop() -> None:
    assert (
        score_trajectory(
            True, GoalConditionCounts(1, 0), GoalConditionCounts(1, 1), 24, 25
        ).path_weight
        == 24 / 25
    )


def test_no_reference_and_no_action_weigh_one() -> None:
    assert (
        score_trajectory(
            True, GoalConditionCounts(1, 0), GoalConditionCounts(1, 1), 0, 0
        ).path_weight
        == 1
    )
    assert (
        score_trajectory(
            True, GoalConditionCounts(1, 0), GoalConditionCounts(1, 1), 0, 3
        ).path_weight
        == 0
    )


def test_two_sessions_pooled_and_averaged() -> None:
    got = aggregate_score(
        [_outcome(True, 10, 5, (10, 6, 10, 10)), _outcome(False, 30, 60, (4, 0, 4, 1))]
    )
    assert got.success_rate == 0.5
    assert got.goal_condition_rate == 0.625
    assert got.plw_success_rate == 0.25
    assert got.plw_goal_condition_rate == 0.34375
    # The paper's means: (1 + 1/4) / 2, (1 + 0) / 2, (1 + 1/4 * 1/2) / 2.
    assert got.macro_goal_condition_rate == 0.625
    assert got.macro_plw_success_rate == 0.5
    assert got.macro_plw_goal_condition_rate == 0.5625


def test_ratio_counts_solved_sessions_without_the_stop() -> None:
    solved = _outcome(True, 10, 5, (1, 0, 1, 1))
    failed = _outcome(False, 10, 900, (1, 0, 1, 0))
    assert aggregate_score([solved, failed]).actions_ratio == 0.4
    assert aggregate_score([failed]).actions_ratio is None


def test_nothing_has_no_rate() -> None:
    got = aggregate_score([])
    assert (got.sessions, got.success_rate, got.goal_condition_rate) == (0, None, None)
    assert got.success_interval == (0.0, 1.0)


@given(COUNTS, COUNTS, st.booleans(), st.integers(0, 99), st.integers(0, 2000))
def test_bounds(
    before: GoalConditionCounts,
    after: GoalConditionCounts,
    success: bool,
    reference: int,
    predicted: int,
) -> None:
    got = score_trajectory(success, before, after, reference, predicted)
    assert 0 <= got.path_weight <= 1
    assert got.goal_condition_rate <= 1 and got.completed <= got.unmet_at_start
    assert got.weighted_success <= got.path_weight


@pytest.mark.parametrize(
    ("successes", "tries", "low", "high"),
    [
        # Newcombe (1998), Table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(successes: int, tries: int, low: float, high: float) -> None:
    from tatc.scoring.intervals import wilson_interval

    assert wilson_interval(successes, tries) == pytest.approx((low, high), abs=5e-5)
    mirrored = wilson_interval(tries - successes, tries)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=5e-5)
