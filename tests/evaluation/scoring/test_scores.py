"""Scores of sessions, of many by TEACh's own account, and of pairs: known values and invariants."""

from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings, strategies as st

from tatc.evaluation.scoring.scores import (
    GoalConditionCounts,
    PairedOutcomes,
    SessionOutcome,
    aggregate_score,
    count_paired_outcomes,
    scores_by_group,
    teach_metrics_json,
    wilson_interval,
)

COUNTS = st.builds(GoalConditionCounts, st.integers(0, 40), st.integers(0, 60))


def _any_outcome(**known: Any) -> SessionOutcome:
    fields: dict[str, Any] = {
        "task": "Coffee",
        "room_kind": "Kitchen",
        "split": "train",
        "success": True,
        "crashed": False,
        "stopped": False,
        "goal_conditions_before": GoalConditionCounts(2, 0),
        "goal_conditions_after": GoalConditionCounts(2, 2),
        "actions": 12,
        "steps": 7,
    }
    return SessionOutcome(**(fields | known))


def _outcome(
    success: bool, reference: int, predicted: int, counts: tuple[int, int, int, int], **known: Any
) -> SessionOutcome:
    """Return a session of so many actions, the Stop among them."""
    done = {"actions": predicted - 1, "human_actions": reference, "stopped": True} | known
    before, after = GoalConditionCounts(*counts[:2]), GoalConditionCounts(*counts[2:])
    return _any_outcome(
        success=success, goal_conditions_before=before, goal_conditions_after=after, **done
    )


def test_more_undone_than_met() -> None:
    got = _outcome(False, 10, 20, (10, 6, 10, 5))
    assert (got.completed, got.unmet_at_start) == (-1, 4)
    assert got.goal_condition_rate == -0.25
    assert got.path_weight == 0.5


def test_nothing_was_to_do() -> None:
    got = _outcome(False, 10, 10, (10, 10, 10, 8))
    assert (got.goal_condition_rate, got.completed, got.unmet_at_start) == (1.0, -2, 0)


@pytest.mark.parametrize(
    ("reference", "predicted", "weight"),
    [(24, 25, 24 / 25), (0, 0, 1), (0, 3, 0)],
    ids=["perfect imitation, then Stop", "no reference and no action", "no reference"],
)
def test_path_weights(reference: int, predicted: int, weight: float) -> None:
    assert _outcome(True, reference, predicted, (1, 0, 1, 1)).path_weight == weight


def test_two_sessions_pooled_and_averaged() -> None:
    pair = [_outcome(True, 10, 5, (10, 6, 10, 10)), _outcome(False, 30, 60, (4, 0, 4, 1))]
    got = aggregate_score(pair)
    assert teach_metrics_json(pair, stops=1, failure_limit_ends=0, step_limit_ends=1) == {
        "success": {"num_successes": 1, "num_evals": 2, "success_rate": 0.5},
        "goal_condition_success": {
            "completed_goal_conditions": 5,
            "total_goal_conditions": 8,
            "goal_condition_success_rate": 0.625,
        },
        "path_length_weighted_success_rate": 0.25,
        "path_length_weighted_goal_condition_success_rate": 0.34375,
        "num_predicted_stops": 1,
        "num_fails_by_api_limit": 0,
        "num_fails_by_traj_len_limit": 1,
        "num_fails_by_error": 0,
    }
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
    assert wilson_interval(successes, tries) == pytest.approx((low, high), abs=5e-5)
    mirrored = wilson_interval(tries - successes, tries)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=5e-5)


@pytest.mark.parametrize("tries", range(1, 60))
def test_wilson_ends_exactly_at_none_and_all(tries: int) -> None:
    assert wilson_interval(0, tries)[0] == 0.0
    assert wilson_interval(tries, tries)[1] == 1.0


def test_sessions_without_a_reference_are_left_out_of_what_compares_with_it() -> None:
    alone, paired = _any_outcome(), _any_outcome(actions=20, human_actions=10)
    got = aggregate_score([alone, paired])
    assert (got.sessions, got.successes, got.crashes) == (2, 2, 0)
    assert (got.actions, got.human_actions, got.actions_ratio) == (16, 10, 2.0)
    assert got.plw_success_rate == got.macro_plw_success_rate == 0.5
    assert got.plw_goal_condition_rate == got.macro_plw_goal_condition_rate == 0.5
    got = aggregate_score([alone])
    assert got.plw_success_rate is got.macro_plw_goal_condition_rate is got.human_actions is None


def test_references_of_no_length_weigh_nothing() -> None:
    got = aggregate_score([_any_outcome(actions=0, human_actions=0)])
    assert (got.plw_success_rate, got.macro_plw_success_rate) == (0.0, 1.0)
    assert got.actions_ratio is None


def test_the_bound_is_compared_with_the_steps_of_solved_sessions_that_have_one() -> None:
    outcomes = [
        _any_outcome(steps=10, lower_bound=4),
        _any_outcome(steps=5, lower_bound=1),
        _any_outcome(steps=100),
        _any_outcome(steps=100, lower_bound=50, success=False, crashed=True),
    ]
    got = aggregate_score(outcomes)
    assert got.bound_ratio == 3.0
    assert got.crashes == 1
    assert aggregate_score(outcomes[2:]).bound_ratio is None


def test_nothing_to_do_counts_as_done() -> None:
    done = GoalConditionCounts(3, 3)
    idle = _any_outcome(goal_conditions_before=done, goal_conditions_after=done)
    half = _any_outcome(goal_conditions_after=GoalConditionCounts(2, 1))
    got = aggregate_score([idle, half])
    assert (got.goal_condition_rate, got.macro_goal_condition_rate) == (0.5, 0.75)


def test_groups_come_in_the_order_given_and_then_by_name() -> None:
    rooms = ("Bedroom", "Kitchen", "Attic", "Kitchen", "Cellar")
    groups = scores_by_group(
        [_any_outcome(room_kind=room) for room in rooms],
        lambda outcome: outcome.room_kind,
        ("Kitchen", "Garden", "Cellar"),
    )
    found = [(name, score.sessions) for name, score in groups]
    assert found == [("Kitchen", 2), ("Cellar", 1), ("Attic", 1), ("Bedroom", 1)]


@given(COUNTS, COUNTS, st.booleans(), st.integers(0, 99), st.integers(0, 99) | st.integers(0, 2000))
def test_a_weight_is_the_references_share_of_the_longer(
    before: GoalConditionCounts,
    after: GoalConditionCounts,
    success: bool,
    reference: int,
    predicted: int,
) -> None:
    counts = (before.total, before.met, after.total, after.met)
    got = _outcome(success, reference, predicted, counts)
    assert got.path_weight == (1 if predicted <= reference else reference / predicted)
    assert got.goal_condition_rate <= 1 and got.completed <= got.unmet_at_start
    found = aggregate_score([got])
    assert found.macro_plw_success_rate == (got.path_weight if success else 0)
    unmet = [max(counts.total - counts.met, 0) for counts in (before, after)]
    assert (got.unmet_at_start, got.completed) == (unmet[0], unmet[0] - unmet[1])
    share = got.completed / unmet[0] if unmet[0] else 1
    assert got.goal_condition_rate == pytest.approx(share)
    assert found.macro_plw_goal_condition_rate == pytest.approx(share * got.path_weight)


PAIR_COUNTS = st.builds(PairedOutcomes, *(st.integers(0, 60) for _ in range(4)))


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


@given(PAIR_COUNTS)
def test_the_interval_holds_the_difference(counts: PairedOutcomes) -> None:
    low, high = counts.interval
    assert -1 - 1e-9 <= low <= counts.difference <= high <= 1 + 1e-9
    assert 0 <= counts.p_value <= 1


@given(PAIR_COUNTS)
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
