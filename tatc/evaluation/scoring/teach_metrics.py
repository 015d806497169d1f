"""EDH and TfD results in the form of TEACh's own script, key by key (spec section 5.2)."""

from collections.abc import Iterable
from typing import Any

from tatc.evaluation.scoring.aggregate import aggregate_score
from tatc.evaluation.scoring.session_outcome import SessionOutcome


def teach_metrics_json(
    outcomes: Iterable[SessionOutcome], *, stops: int, failure_limit_ends: int, step_limit_ends: int
) -> dict[str, Any]:
    """Return what TEACh's evaluation writes, without its `traj_stats`.

    Where TEACh divides by zero, the rate is null.  A crashed session counts in `num_evals`; TEACh
    leaves it out.

    Args:
        outcomes: the sessions, with the lengths of their references.
        stops: how many the player ended itself.
        failure_limit_ends: how many ended with the 30th failed action.
        step_limit_ends: how many ended with the 1,000th step.

    """
    kept = tuple(outcomes)
    got = aggregate_score(kept)
    return {
        "success": {
            "num_successes": got.successes,
            "num_evals": got.sessions,
            "success_rate": got.success_rate,
        },
        "goal_condition_success": {
            "completed_goal_conditions": sum(each.completed for each in kept),
            "total_goal_conditions": sum(each.unmet_at_start for each in kept),
            "goal_condition_success_rate": got.goal_condition_rate,
        },
        "path_length_weighted_success_rate": got.plw_success_rate,
        "path_length_weighted_goal_condition_success_rate": got.plw_goal_condition_rate,
        "num_predicted_stops": stops,
        "num_fails_by_api_limit": failure_limit_ends,
        "num_fails_by_traj_len_limit": step_limit_ends,
        "num_fails_by_error": got.crashes,
    }
