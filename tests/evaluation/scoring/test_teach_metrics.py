"""TEACh's own account, on the worked example of spec section 5.2."""

from tatc.evaluation.scoring import GoalConditionCounts, SessionOutcome
from tatc.evaluation.scoring.scores import teach_metrics_json


def _outcome(
    success: bool, length: int, steps: int, before: GoalConditionCounts, after: GoalConditionCounts
) -> SessionOutcome:
    return SessionOutcome(
        task="Coffee",
        room_kind="Kitchen",
        split="valid",
        success=success,
        crashed=False,
        stopped=False,
        goal_conditions_before=before,
        goal_conditions_after=after,
        actions=steps,
        steps=steps,
        human_actions=length,
    )


def test_the_worked_example() -> None:
    pair = (
        _outcome(True, 10, 5, GoalConditionCounts(10, 6), GoalConditionCounts(10, 10)),
        _outcome(False, 30, 60, GoalConditionCounts(4, 0), GoalConditionCounts(4, 1)),
    )
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
